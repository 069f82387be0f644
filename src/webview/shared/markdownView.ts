import { type CodeActions, CodeBlock } from './codeBlock.ts';
import { remoteImageClass } from './markdown.ts';
import { MarkdownBlocks } from './markdownBlocks.ts';
import { sanitized } from './sanitize.ts';

/** Least milliseconds between two renderings of a text that grows. */
const renderEveryMs = 50;
/** A rendering waits this many times as long as the last one took, so that a long last block cannot hold up the page. */
const restFactor = 8;
/** Milliseconds of work in one go when links are mended at the end. */
const sliceMs = 6;

/** What a rendered text asks of the page. */
export interface MarkdownActions {
	readonly code: CodeActions;
	/** Makes of a link to a remote image a button that loads it. */
	image(link: HTMLAnchorElement): HTMLElement;
}

/**
 * Renders a Markdown text that grows into an element: only the last block again, at most every 50 ms. Finished blocks are never touched
 * again, so that what is selected in them stays selected.
 */
export class MarkdownView {
	readonly #root: HTMLElement;
	readonly #actions: MarkdownActions;
	#blocks = new MarkdownBlocks();
	#elements: HTMLElement[] = [];
	/** What each block was rendered from, where it can still change. */
	#html: string[] = [];
	/** The last block, where it is code. */
	#openCode: CodeBlock | undefined;
	#wanted = '';
	#complete = false;
	#timer: number | undefined;
	#notBefore = 0;

	constructor(root: HTMLElement, actions: MarkdownActions) {
		this.#root = root;
		this.#actions = actions;
	}

	/** Shows the text as it is now; `complete` says that no more will come. */
	update(text: string, complete: boolean): void {
		if (text === this.#wanted && complete === this.#complete && this.#elements.length > 0) {
			return;
		}
		this.#wanted = text;
		this.#complete = complete;
		const wait = this.#notBefore - performance.now();
		if (wait <= 0) {
			this.#render();
		} else {
			this.#timer ??= window.setTimeout(() => this.#render(), wait);
		}
	}

	dispose(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#render(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const started = performance.now();
		if (!this.#wanted.startsWith(this.#blocks.text)) {
			this.#startOver();
		}
		const { from, html } = this.#blocks.update(this.#wanted);
		for (const [offset, block] of html.entries()) {
			const isLast = offset === html.length - 1;
			if (isLast || this.#html[offset + from] !== block) {
				this.#showBlock(from + offset, block, this.#complete || !isLast);
			}
			this.#html[from + offset] = block;
		}
		for (const gone of this.#elements.splice(from + html.length)) {
			gone.remove();
		}
		const ended = performance.now();
		this.#notBefore = ended + Math.max(renderEveryMs, (ended - started) * restFactor);
		if (this.#complete) {
			this.#mendLinks(this.#blocks.finish()[Symbol.iterator](), this.#blocks);
		}
	}

	#startOver(): void {
		this.#blocks = new MarkdownBlocks();
		this.#elements = [];
		this.#html = [];
		this.#openCode = undefined;
		this.#root.replaceChildren();
	}

	#showBlock(index: number, html: string, complete: boolean): void {
		const fragment = sanitized(html);
		const only = fragment.children.length === 1 ? fragment.firstElementChild : null;
		const code = only?.tagName === 'PRE' ? only.querySelector('code') : null;
		const element = code ? this.#codeElement(index, code, complete) : this.#textElement(fragment);
		if (!code && index === this.#elements.length - 1) {
			this.#openCode = undefined;
		}
		const shown = this.#elements[index];
		if (shown === undefined) {
			this.#root.append(element);
		} else if (shown !== element) {
			shown.replaceWith(element);
		}
		this.#elements[index] = element;
	}

	#textElement(fragment: DocumentFragment): HTMLElement {
		const element = document.createElement('div');
		element.className = 'block';
		element.dir = 'auto';
		for (const code of fragment.querySelectorAll('pre > code')) {
			const block = new CodeBlock(languageOf(code), this.#actions.code);
			block.update(codeText(code), true);
			code.parentElement?.replaceWith(block.element);
		}
		for (const link of fragment.querySelectorAll<HTMLAnchorElement>(`a.${remoteImageClass}`)) {
			link.replaceWith(this.#actions.image(link));
		}
		element.append(fragment);
		return element;
	}

	#codeElement(index: number, code: Element, complete: boolean): HTMLElement {
		const language = languageOf(code);
		const grows = this.#openCode !== undefined && this.#openCode.element === this.#elements[index] && this.#openCode.language === language;
		const block = grows && this.#openCode ? this.#openCode : new CodeBlock(language, this.#actions.code);
		block.update(codeText(code), complete);
		this.#openCode = complete ? undefined : block;
		return block.element;
	}

	/** Blocks whose links were defined further down, a few at a time. */
	#mendLinks(blocks: Iterator<{ index: number; html: string }>, of: MarkdownBlocks): void {
		const until = performance.now() + sliceMs;
		while (performance.now() < until && of === this.#blocks) {
			const next = blocks.next();
			if (next.done) {
				return;
			}
			const { index, html } = next.value;
			const fragment = sanitized(html);
			const shown = this.#elements[index];
			if (shown && fragment.querySelectorAll('a').length !== shown.querySelectorAll(`a, .${remoteImageClass}`).length) {
				this.#showBlock(index, html, true);
			}
		}
		requestAnimationFrame(() => this.#mendLinks(blocks, of));
	}
}

function languageOf(code: Element): string {
	return /(?:^|\s)language-(\S+)/.exec(code.className)?.[1] ?? '';
}

/** The code without the line end that closes its last line. */
function codeText(code: Element): string {
	return (code.textContent ?? '').replace(/\n$/, '');
}
