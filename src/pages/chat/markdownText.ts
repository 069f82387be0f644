import { type MarkdownActions, MarkdownView } from '../shared/markdownView.ts';

/** Distance from the visible area within which texts are rendered, in pixels. */
const margin = 1200;

/**
 * `<markdown-text>`: a Markdown text. It is plain text until it comes near the visible area, so that a long transcript opens fast and can
 * still be searched and read by screen readers.
 */
export class MarkdownText extends HTMLElement {
	/** Actions of links and buttons; set once, before the first element is created. */
	static actions: MarkdownActions;

	#text = '';
	#complete = true;
	#view: MarkdownView | undefined;

	/** The text so far. */
	set text(text: string) {
		this.#text = text;
		this.#renderIfVisible();
	}

	/** True if no more text will follow. */
	set complete(complete: boolean) {
		this.#complete = complete;
		this.#renderIfVisible();
	}

	connectedCallback(): void {
		if (!this.#view) {
			watcher.observe(this);
			if (!this.#complete) {
				this.render();
			}
		}
	}

	disconnectedCallback(): void {
		watcher.unobserve(this);
		this.#view?.dispose();
	}

	/** Renders the text, now and after each change. */
	render(): void {
		watcher.unobserve(this);
		if (!this.#view) {
			this.replaceChildren();
			this.classList.add('rendered');
			this.#view = new MarkdownView(this, MarkdownText.actions);
			this.#renderIfVisible();
		}
	}

	#renderIfVisible(): void {
		if (this.#view) {
			this.#view.updateText(this.#text, this.#complete);
		} else if (this.#complete) {
			this.textContent = this.#text;
		} else if (this.isConnected) {
			this.render();
		}
	}
}

const watcher = new IntersectionObserver(
	entries => {
		for (const { isIntersecting, target } of entries) {
			if (isIntersecting && target instanceof MarkdownText) {
				target.render();
			}
		}
	},
	{ rootMargin: `${margin}px 0px` },
);

customElements.define('markdown-text', MarkdownText);
