import { fill } from '../fill.ts';
import type { MarkdownStrings } from '../markdownStrings.ts';
import { limitDiagram } from './diagramLimits.ts';
import { readDiagramTheme } from './diagramTheme.ts';
import { drawDiagram } from './drawing.ts';

/** The parts of a code block that a diagram uses. */
interface CodeParts {
	readonly bar: HTMLElement;
	readonly source: HTMLElement;
	readonly text: string;
}

/** The diagrams in the page. */
const views = new Set<DiagramView>();

/**
 * `<diagram-view>`: the picture of a diagram instead of the source in its code block, with buttons that switch between both; if the diagram
 * has an error, the message next to the source.
 */
class DiagramView extends HTMLElement {
	readonly #picture = document.createElement('img');
	readonly #frame = document.createElement('div');
	readonly #problem = document.createElement('p');
	#code: CodeParts | undefined;
	#strings: MarkdownStrings | undefined;
	#buttons: readonly HTMLButtonElement[] = [];
	/** The theme of the latest drawing. */
	#theme = '';

	/** Shows the diagram of a code block. Call it once. */
	attachTo(code: CodeParts, strings: MarkdownStrings): void {
		this.#code = code;
		this.#strings = strings;
		this.#frame.className = 'diagram';
		// an enlarged diagram scrolls, so it must be reachable with the keyboard
		this.#frame.tabIndex = 0;
		this.#frame.hidden = true;
		this.#frame.append(this.#picture);
		this.#problem.className = 'diagramProblem';
		this.#problem.hidden = true;
		this.append(this.#frame, this.#problem);
		this.#buttons = [
			this.#addButton('screen-full', strings.actualSize, () => this.#frame.classList.toggle('actualSize')),
			this.#addButton('code', strings.showSource, () => this.#toggleSource()),
		];
		code.source.before(this);
	}

	connectedCallback(): void {
		views.add(this);
		void this.draw();
	}

	disconnectedCallback(): void {
		views.delete(this);
	}

	/** Draws the diagram unless it's already drawn in the current theme. */
	async draw(): Promise<void> {
		const theme = readDiagramTheme();
		const key = JSON.stringify(theme);
		if (!this.#code || this.#theme === key) {
			return;
		}
		this.#theme = key;
		const text = limitDiagram(this.#code.text);
		if (text === undefined) {
			this.#showProblem('');
			return;
		}
		try {
			const { url, width, name } = await drawDiagram(text, theme);
			// the theme may have changed again
			if (this.#theme === key) {
				this.#showPicture(url, width, name || (this.#strings?.diagram ?? ''));
			}
		} catch (error) {
			this.#showProblem(error instanceof Error ? error.message : String(error));
		}
	}

	#showProblem(message: string): void {
		const { diagramProblem = '', diagramTooLarge = '' } = this.#strings ?? {};
		// Mermaid's message explains how to change the limit
		const isLimit = message === '' || message.startsWith('Edge limit exceeded');
		this.#problem.textContent = isLimit ? diagramTooLarge : fill(diagramProblem, message);
		this.#problem.hidden = false;
	}

	#showPicture(url: string, width: number, name: string): void {
		const isFirst = !this.#picture.src;
		this.#picture.src = url;
		this.#picture.width = width;
		this.#picture.alt = name;
		if (isFirst) {
			this.#toggleSource();
			for (const button of this.#buttons) {
				button.hidden = false;
			}
		}
	}

	/** Switches between the picture and the source. Returns true if the source is shown. */
	#toggleSource(): boolean {
		this.#frame.hidden = !this.#frame.hidden;
		if (this.#code) {
			this.#code.source.hidden = !this.#frame.hidden;
		}
		return this.#frame.hidden;
	}

	/** Adds a button that switches something on and off. It's hidden until the diagram is drawn. */
	#addButton(icon: string, label: string, toggle: () => boolean): HTMLButtonElement {
		const button = document.createElement('button');
		button.type = 'button';
		button.hidden = true;
		button.className = `iconButton codicon codicon-${icon}`;
		button.title = label;
		button.setAttribute('aria-label', label);
		button.setAttribute('aria-pressed', 'false');
		button.addEventListener('click', () => button.setAttribute('aria-pressed', String(toggle())));
		this.#code?.bar.firstElementChild?.after(button);
		return button;
	}
}

customElements.define('diagram-view', DiagramView);

/** Shows the diagram of a code block. */
export function showDiagram(code: CodeParts, strings: MarkdownStrings): void {
	new DiagramView().attachTo(code, strings);
}

const observer = new MutationObserver(() => {
	for (const view of views) {
		void view.draw();
	}
});
// VS Code changes the body's class with the theme, and its colors in the style of the document
observer.observe(document.documentElement, { attributeFilter: ['style'] });
observer.observe(document.body, { attributeFilter: ['class'] });
