import { type MarkdownActions, MarkdownView } from '../shared/markdownView.ts';

/** Pixels around what is in sight within which texts are rendered. */
const margin = 1200;

/**
 * `<markdown-text>`: a Markdown text. It stands there as plain text until it comes near what is in sight, so that a long transcript opens at
 * once and can still be searched and read out.
 */
export class MarkdownText extends HTMLElement {
	/** What its links and buttons do; set once, before the first element. */
	static actions: MarkdownActions;

	#text = '';
	#complete = true;
	#view: MarkdownView | undefined;

	/** The text so far. */
	set text(text: string) {
		this.#text = text;
		this.#show();
	}

	/** Whether no more text will come. */
	set complete(complete: boolean) {
		this.#complete = complete;
		this.#show();
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

	/** Renders from now on. */
	render(): void {
		watcher.unobserve(this);
		if (!this.#view) {
			this.replaceChildren();
			this.classList.add('rendered');
			this.#view = new MarkdownView(this, MarkdownText.actions);
			this.#show();
		}
	}

	#show(): void {
		if (this.#view) {
			this.#view.update(this.#text, this.#complete);
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
