import { type CodeActions, CodeBlock } from '../shared/codeBlock.ts';
import { MarkdownView } from '../shared/markdownView.ts';
import type { InspectorStrings } from './inspectorStrings.ts';

/** Caches the elements that show JSON and Markdown. Each element is created once and changes only with its text. */
export class ShownTexts {
	readonly #actions: CodeActions;
	readonly #code = new Map<string, { text: string; element: HTMLElement }>();
	readonly #markdown = new Map<string, { element: HTMLElement; view: MarkdownView }>();

	constructor(strings: () => InspectorStrings | undefined, copy: (text: string) => void) {
		this.#actions = {
			get strings() {
				// texts are shown only after the host has sent the strings
				return strings()!.markdown;
			},
			get buttons() {
				return [{ action: 'copy', label: strings()?.copy ?? '', icon: 'copy' }];
			},
			run: (_action, text) => copy(text),
		};
	}

	/** Returns an element that shows code with a copy button. */
	getCodeElement(id: string, text: string, language = 'json'): HTMLElement {
		const known = this.#code.get(id);
		if (known?.text === text) {
			return known.element;
		}
		const block = new CodeBlock(language, this.#actions);
		block.updateCode(text, true);
		this.#code.set(id, { text, element: block.element });
		return block.element;
	}

	/** Returns an element that shows sanitized Markdown. Images stay links because the page loads nothing remote. */
	getMarkdownElement(id: string, text: string, complete: boolean): HTMLElement {
		let known = this.#markdown.get(id);
		if (!known) {
			const element = document.createElement('div');
			element.className = 'markdown';
			known = { element, view: new MarkdownView(element, { code: this.#actions, renderImage: link => link, renderFile: link => link }) };
			this.#markdown.set(id, known);
		}
		known.view.updateText(text, complete);
		return known.element;
	}
}
