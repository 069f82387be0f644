import { type CodeActions, CodeBlock, isDiagram } from './codeBlock.ts';
import { linkFootnotes } from './footnoteLinks.ts';
import { createDisplayFormula, renderFormulas } from './formulas/formulas.ts';
import { fileLinkClass, type MarkdownBlock, type MarkdownCode, remoteImageClass } from './markdown.ts';
import { MarkdownBlocks } from './markdownBlocks.ts';
import { sanitizeTexts } from './sanitize.ts';

/** Minimum time between two renderings of a growing text, in milliseconds. */
const renderEveryMs = 50;
/** A rendering waits this many times as long as the previous one took, so that a long last block can't block the page. */
const restFactor = 8;
/** Time limit for one slice of work, in milliseconds. */
const sliceMs = 6;
/** Minimum number of characters of a growing text that are rendered before checking the time. */
const pieceLength = 2000;
/** The open end of a text grows by at least this share in each step, because it's rendered again in each of them. */
const growth = 0.25;
/** A complete text up to this length, in UTF-16 units, is rendered in one step. */
const wholeLength = 100_000;

/**
 * Number of blocks that the browser skips together while they are out of view. With one group per block, layout of a long text would slow
 * down each frame.
 */
const groupSize = 16;

/** Language of code that is shown as a formula. */
const formulaLanguage = 'math';

/** Class of a block that is shown as is. */
const plainClass = 'asWritten';

/** Callbacks that a rendered text needs from the page. */
export interface MarkdownActions {
	readonly code: CodeActions;
	/** Turns a link to a remote image into a button that loads it. */
	renderImage(link: HTMLAnchorElement): HTMLElement;
	/** Turns a link to a file (its path is the title) into a control that opens it. */
	renderFile(link: HTMLAnchorElement): HTMLElement;
}

/**
 * Renders a growing Markdown text. Renders only the last block again, at most every 50 ms. Finished blocks are never touched again, so that
 * selections in them survive.
 */
export class MarkdownView {
	readonly #root: HTMLElement;
	readonly #actions: MarkdownActions;
	#blocks = new MarkdownBlocks();
	#elements: HTMLElement[] = [];
	#groups: HTMLElement[] = [];
	/** HTML of the blocks that can still change. */
	#html: string[] = [];
	/** The last block, if it is code. */
	#openCode: CodeBlock | undefined;
	/** The last block, if it's not only code but contains diagrams that are drawn when it is complete. */
	#openText: HTMLElement | undefined;
	#wanted = '';
	#complete = false;
	/** True if text was added after the first rendering. */
	#grows = false;
	#timer: number | undefined;
	#notBefore = 0;

	constructor(root: HTMLElement, actions: MarkdownActions) {
		this.#root = root;
		this.#actions = actions;
	}

	/** Shows the current text; `complete` means that no more text will follow. */
	updateText(text: string, complete: boolean): void {
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
			this.#clear();
		}
		// a text that is complete at first is rendered in one step, so that its height doesn't jump, unless it is very long
		this.#grows ||= !this.#complete || this.#wanted.length > wholeLength;
		do {
			const piece = Math.max(pieceLength, growth * this.#blocks.openLength);
			this.#renderUpTo(this.#grows ? this.#wanted.slice(0, this.#blocks.text.length + piece) : this.#wanted);
		} while (this.#isBehind && performance.now() - started < sliceMs);
		const ended = performance.now();
		if (this.#isBehind) {
			// much text arrived at once, so render the rest in slices to keep the page responsive
			this.#notBefore = ended + renderEveryMs;
			this.#timer = window.setTimeout(() => this.#render(), renderEveryMs);
			return;
		}
		this.#notBefore = ended + Math.max(renderEveryMs, (ended - started) * restFactor);
		if (this.#complete) {
			this.#updateLinks(this.#blocks.resolveLateLinks()[Symbol.iterator](), this.#blocks);
		}
	}

	get #isBehind(): boolean {
		return this.#blocks.text.length < this.#wanted.length;
	}

	/** Renders the given text, which starts with the text rendered so far. */
	#renderUpTo(text: string): void {
		const { from, blocks } = this.#blocks.updateText(text);
		const last = from + blocks.length - 1;
		const changed = blocks
			.map((block, at) => ({ index: from + at, ...block }))
			.filter(block => block.index === last || this.#isBlockChanged(block));
		const texts = sanitizeTexts(changed.flatMap(({ html, code, plain }) => (code || plain ? [] : html)));
		for (const { index, source, html, code, plain } of changed) {
			const complete = index < last || (this.#complete && !this.#isBehind);
			const element = code
				? this.#updateCodeElement(index, code, complete)
				: plain
					? this.#updatePlainElement(index, source)
					: this.#createTextElement(texts.shift()!, source, complete);
			this.#showBlock(index, element);
			this.#html[index] = html;
		}
		for (const gone of this.#elements.splice(from + blocks.length)) {
			gone.remove();
		}
		for (const empty of this.#groups.splice(Math.ceil(this.#elements.length / groupSize))) {
			empty.remove();
		}
	}

	#clear(): void {
		this.#blocks = new MarkdownBlocks();
		this.#elements = [];
		this.#groups = [];
		this.#html = [];
		this.#openCode = undefined;
		this.#openText = undefined;
		this.#root.replaceChildren();
	}

	/** True if a block's HTML changed, or if it's incomplete code or contains some. */
	#isBlockChanged({ index, html }: { index: number; html: string }): boolean {
		const shown = this.#elements[index];
		return this.#html[index] !== html || (shown !== undefined && (shown === this.#openCode?.element || shown === this.#openText));
	}

	#showBlock(index: number, element: HTMLElement): void {
		const shown = this.#elements[index];
		if (shown === undefined) {
			this.#getGroup(index).append(element);
		} else if (shown !== element) {
			shown.replaceWith(element);
		}
		this.#elements[index] = element;
	}

	/** Returns the group of a block. Blocks are added in order, so a new block belongs to the last or a new group. */
	#getGroup(index: number): HTMLElement {
		const at = Math.floor(index / groupSize);
		let group = this.#groups[at];
		if (group === undefined) {
			group = document.createElement('div');
			group.className = 'blocks';
			this.#root.append(group);
			this.#groups[at] = group;
		}
		return group;
	}

	/** Turns a sanitized element into a block; falls back to the plain source if something in it can't be shown. */
	#createTextElement(element: HTMLElement, source: string, complete: boolean): HTMLElement {
		element.className = 'block';
		element.dir = 'auto';
		try {
			this.#replaceControls(element, complete);
			return element;
		} catch {
			return createPlainElement(source);
		}
	}

	/** Replaces code, formulas, images and links by their controls. In an incomplete block, diagrams and formulas in code stay code. */
	#replaceControls(element: HTMLElement, complete: boolean): void {
		const { strings } = this.#actions.code;
		this.#openText = undefined;
		for (const code of element.querySelectorAll('pre > code')) {
			const language = getLanguage(code);
			const waits = !complete && (isDiagram(language) || language === formulaLanguage);
			this.#openText = waits ? element : this.#openText;
			code.parentElement?.replaceWith(this.#createCodeElement({ text: getCodeText(code), language }, !waits));
		}
		renderFormulas(element, strings);
		linkFootnotes(element, this.#root, strings);
		for (const link of element.querySelectorAll<HTMLAnchorElement>(`a.${remoteImageClass}`)) {
			link.replaceWith(this.#actions.renderImage(link));
		}
		for (const link of element.querySelectorAll<HTMLAnchorElement>(`a.${fileLinkClass}`)) {
			link.replaceWith(this.#actions.renderFile(link));
		}
	}

	/** Shows plain text. Appends new text in place. */
	#updatePlainElement(index: number, text: string): HTMLElement {
		const shown = this.#elements[index];
		const only = shown?.firstChild;
		if (shown?.classList.contains(plainClass) && only instanceof Text && text.startsWith(only.data)) {
			only.appendData(text.slice(only.data.length));
			return shown;
		}
		return createPlainElement(text);
	}

	#createCodeElement({ text, language }: MarkdownCode, complete: boolean): HTMLElement {
		if (complete && language === formulaLanguage) {
			return createDisplayFormula(text, this.#actions.code.strings);
		}
		const block = new CodeBlock(language, this.#actions.code);
		block.updateCode(text, complete);
		return block.element;
	}

	#updateCodeElement(index: number, code: MarkdownCode, complete: boolean): HTMLElement {
		const { text, language } = code;
		if (complete && language === formulaLanguage) {
			this.#openCode = undefined;
			return this.#createCodeElement(code, complete);
		}
		const grows = this.#openCode !== undefined && this.#openCode.element === this.#elements[index] && this.#openCode.language === language;
		const block = grows && this.#openCode ? this.#openCode : new CodeBlock(language, this.#actions.code);
		block.updateCode(text, complete);
		this.#openCode = complete ? undefined : block;
		return block.element;
	}

	/** Updates blocks whose links were defined later, in slices. */
	#updateLinks(blocks: Iterator<{ index: number; block: MarkdownBlock }>, of: MarkdownBlocks): void {
		const until = performance.now() + sliceMs;
		while (performance.now() < until && of === this.#blocks) {
			const next = blocks.next();
			if (next.done) {
				return;
			}
			const { index, block } = next.value;
			const shown = this.#elements[index];
			const [text] = block.code ? [] : sanitizeTexts([block.html]);
			if (
				shown &&
				text &&
				text.querySelectorAll('a').length !== shown.querySelectorAll(`a, .${remoteImageClass}, .${fileLinkClass}`).length
			) {
				this.#showBlock(index, this.#createTextElement(text, block.source, true));
			}
		}
		requestAnimationFrame(() => this.#updateLinks(blocks, of));
	}
}

function createPlainElement(text: string): HTMLElement {
	const element = document.createElement('div');
	element.className = `block ${plainClass}`;
	element.dir = 'auto';
	element.textContent = text;
	return element;
}

function getLanguage(code: Element): string {
	return /(?:^|\s)language-(\S+)/.exec(code.className)?.[1] ?? '';
}

/** Returns the code without the line break that ends its last line. */
function getCodeText(code: Element): string {
	return (code.textContent ?? '').replace(/\n$/, '');
}
