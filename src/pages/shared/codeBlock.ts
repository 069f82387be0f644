import { highlightCode } from './grammars.ts';
import type { MarkdownStrings } from './markdownStrings.ts';

/** Length up to which growing code is highlighted after each chunk, in UTF-16 units. Longer code is only highlighted once it's complete. */
const growingLimit = 4000;

/** Buttons of code blocks and their actions. */
export interface CodeActions {
	readonly strings: MarkdownStrings;
	/** A button with `isWorded` shows its label if the page is wide. */
	readonly buttons: readonly { readonly action: string; readonly label: string; readonly icon: string; readonly isWorded?: boolean }[];
	run(action: string, code: string, language: string, button: HTMLButtonElement): void;
}

/** True for code that is shown as a diagram once it is complete. */
export function isDiagram(language: string): boolean {
	return language.toLowerCase() === 'mermaid';
}

/** A fenced code block with its buttons. It grows in place, so that buttons don't move while text arrives. */
export class CodeBlock {
	readonly element: HTMLElement;
	readonly language: string;
	readonly #actions: CodeActions;
	readonly #bar: HTMLElement;
	readonly #pre: HTMLElement;
	readonly #code: HTMLElement;
	#text = '';
	#complete = false;

	constructor(language: string, actions: CodeActions) {
		this.language = language;
		this.#actions = actions;
		this.element = document.createElement('div');
		this.element.className = 'code';
		const bar = this.element.appendChild(document.createElement('div'));
		bar.className = 'codeBar';
		this.#bar = bar;
		const name = bar.appendChild(document.createElement('span'));
		name.textContent = language;
		for (const { action, label, icon, isWorded } of actions.buttons) {
			const button = bar.appendChild(document.createElement('button'));
			button.type = 'button';
			button.className = `iconButton codicon codicon-${icon}`;
			button.title = label;
			button.setAttribute('aria-label', label);
			button.toggleAttribute('data-worded', isWorded === true);
			button.addEventListener('click', () => actions.run(action, this.#text, this.language, button));
		}
		this.#pre = this.element.appendChild(document.createElement('pre'));
		// the code scrolls sideways, so it must be reachable with the keyboard
		this.#pre.tabIndex = 0;
		this.#pre.dir = 'ltr';
		this.#code = this.#pre.appendChild(document.createElement('code'));
	}

	/** Shows the code, which starts with the code shown before. */
	updateCode(text: string, complete: boolean): void {
		if (text === this.#text && complete === this.#complete) {
			return;
		}
		const before = this.#text;
		this.#text = text;
		this.#complete = complete;
		const html = complete || text.length <= growingLimit ? this.#highlightCode() : undefined;
		const only = this.#code.firstChild;
		if (html !== undefined) {
			this.#code.innerHTML = html;
		} else if (only instanceof Text && this.#code.childNodes.length === 1 && text.startsWith(before) && only.data === before) {
			only.appendData(text.slice(before.length));
		} else if (text.startsWith(before) && this.#code.lastChild) {
			// the code was highlighted until it grew too long: append more text without highlighting
			this.#code.append(text.slice(before.length));
		} else {
			this.#code.textContent = text;
		}
		if (complete && isDiagram(this.language)) {
			void this.#showDiagram();
		}
	}

	async #showDiagram(): Promise<void> {
		const { showDiagram } = await import('./diagrams/diagramView.ts');
		showDiagram({ bar: this.#bar, source: this.#pre, text: this.#text }, this.#actions.strings);
	}

	#highlightCode(): string | undefined {
		return highlightCode(this.#text, this.language, () => {
			const html = this.#complete || this.#text.length <= growingLimit ? this.#highlightCode() : undefined;
			if (html !== undefined) {
				this.#code.innerHTML = html;
			}
		});
	}
}
