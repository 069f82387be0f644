import { type CodeActions, CodeBlock } from './codeBlock.ts';
import { fileLinkClass, type MarkdownBlock, type MarkdownCode, remoteImageClass } from './markdown.ts';
import { MarkdownBlocks } from './markdownBlocks.ts';
import { sanitized } from './sanitize.ts';

/** Least milliseconds between two renderings of a text that grows. */
const renderEveryMs = 50;
/** A rendering waits this many times as long as the last one took, so that a long last block cannot hold up the page. */
const restFactor = 8;
/** Milliseconds of work in one go, when more has come than that is enough for. */
const sliceMs = 6;
/** Of a text that grows, characters that are taken in before the time is looked at. */
const pieceLength = 2000;
/** A text that is complete when it comes is rendered in one go up to this length, in UTF-16 units. */
const wholeLength = 100_000;

/**
 * Blocks that the browser skips together while they are out of sight. One by one, a long text would cost more with each frame: where each of
 * them lies is looked up anew every time.
 */
const groupSize = 16;

/** Class of a block that is shown as it was written. */
const plainClass = 'asWritten';

/** What a rendered text asks of the page. */
export interface MarkdownActions {
	readonly code: CodeActions;
	/** Makes of a link to a remote image a button that loads it. */
	image(link: HTMLAnchorElement): HTMLElement;
	/** Makes of a link to a file (its path is the title) what opens it. */
	file(link: HTMLAnchorElement): HTMLElement;
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
	#groups: HTMLElement[] = [];
	/** What each block was rendered from, where it can still change. */
	#html: string[] = [];
	/** The last block, where it is code. */
	#openCode: CodeBlock | undefined;
	#wanted = '';
	#complete = false;
	/** Text came after it was first shown. */
	#grows = false;
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
		// a text that was complete when it came is rendered whole, for its height would jump; a very long one would hold up the page
		this.#grows ||= !this.#complete || this.#wanted.length > wholeLength;
		do {
			this.#takeIn(this.#grows ? this.#wanted.slice(0, this.#blocks.text.length + pieceLength) : this.#wanted);
		} while (this.#isBehind && performance.now() - started < sliceMs);
		const ended = performance.now();
		if (this.#isBehind) {
			// the machine stood still for a while, and much came at once: the rest goes on beside what the user does
			this.#notBefore = ended + renderEveryMs;
			this.#timer = window.setTimeout(() => this.#render(), renderEveryMs);
			return;
		}
		this.#notBefore = ended + Math.max(renderEveryMs, (ended - started) * restFactor);
		if (this.#complete) {
			this.#mendLinks(this.#blocks.finish()[Symbol.iterator](), this.#blocks);
		}
	}

	get #isBehind(): boolean {
		return this.#blocks.text.length < this.#wanted.length;
	}

	/** Shows this much of the text, which begins with what is shown. */
	#takeIn(text: string): void {
		const { from, blocks } = this.#blocks.update(text);
		const last = from + blocks.length - 1;
		const changed = blocks.map((block, at) => ({ index: from + at, ...block })).filter(block => block.index === last || this.#isNew(block));
		const texts = sanitized(changed.flatMap(({ html, code, plain }) => (code || plain ? [] : html)));
		for (const { index, source, html, code, plain } of changed) {
			const complete = index < last || (this.#complete && !this.#isBehind);
			const element = code
				? this.#codeElement(index, code, complete)
				: plain
					? this.#plainElement(index, source)
					: this.#textElement(texts.shift()!, source);
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

	#startOver(): void {
		this.#blocks = new MarkdownBlocks();
		this.#elements = [];
		this.#groups = [];
		this.#html = [];
		this.#openCode = undefined;
		this.#root.replaceChildren();
	}

	/** Whether it stands there in another form, or as code that was not complete yet. */
	#isNew({ index, html }: { index: number; html: string }): boolean {
		return this.#html[index] !== html || (this.#openCode !== undefined && this.#openCode.element === this.#elements[index]);
	}

	#showBlock(index: number, element: HTMLElement): void {
		const shown = this.#elements[index];
		if (shown === undefined) {
			this.#groupOf(index).append(element);
		} else if (shown !== element) {
			shown.replaceWith(element);
		}
		this.#elements[index] = element;
	}

	/** Blocks come one after the other, so a new one's group is the last, or a new one. */
	#groupOf(index: number): HTMLElement {
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

	/** Makes a block of an element that holds a text; where something in it cannot be shown, the text as it was written. */
	#textElement(element: HTMLElement, source: string): HTMLElement {
		element.className = 'block';
		element.dir = 'auto';
		try {
			this.#fill(element);
			return element;
		} catch {
			return plainElement(source);
		}
	}

	/** Puts what has buttons into its place. */
	#fill(element: HTMLElement): void {
		for (const code of element.querySelectorAll('pre > code')) {
			const block = new CodeBlock(languageOf(code), this.#actions.code);
			block.update(codeText(code), true);
			code.parentElement?.replaceWith(block.element);
		}
		for (const link of element.querySelectorAll<HTMLAnchorElement>(`a.${remoteImageClass}`)) {
			link.replaceWith(this.#actions.image(link));
		}
		for (const link of element.querySelectorAll<HTMLAnchorElement>(`a.${fileLinkClass}`)) {
			link.replaceWith(this.#actions.file(link));
		}
	}

	/** A text as it was written. It grows in place, for what comes of it is never parsed. */
	#plainElement(index: number, text: string): HTMLElement {
		const shown = this.#elements[index];
		const only = shown?.firstChild;
		if (shown?.classList.contains(plainClass) && only instanceof Text && text.startsWith(only.data)) {
			only.appendData(text.slice(only.data.length));
			return shown;
		}
		return plainElement(text);
	}

	#codeElement(index: number, { text, language }: MarkdownCode, complete: boolean): HTMLElement {
		const grows = this.#openCode !== undefined && this.#openCode.element === this.#elements[index] && this.#openCode.language === language;
		const block = grows && this.#openCode ? this.#openCode : new CodeBlock(language, this.#actions.code);
		block.update(text, complete);
		this.#openCode = complete ? undefined : block;
		return block.element;
	}

	/** Blocks whose links were defined further down, a few at a time. */
	#mendLinks(blocks: Iterator<{ index: number; block: MarkdownBlock }>, of: MarkdownBlocks): void {
		const until = performance.now() + sliceMs;
		while (performance.now() < until && of === this.#blocks) {
			const next = blocks.next();
			if (next.done) {
				return;
			}
			const { index, block } = next.value;
			const shown = this.#elements[index];
			const [text] = block.code ? [] : sanitized([block.html]);
			if (
				shown &&
				text &&
				text.querySelectorAll('a').length !== shown.querySelectorAll(`a, .${remoteImageClass}, .${fileLinkClass}`).length
			) {
				this.#showBlock(index, this.#textElement(text, block.source));
			}
		}
		requestAnimationFrame(() => this.#mendLinks(blocks, of));
	}
}

function plainElement(text: string): HTMLElement {
	const element = document.createElement('div');
	element.className = `block ${plainClass}`;
	element.dir = 'auto';
	element.textContent = text;
	return element;
}

function languageOf(code: Element): string {
	return /(?:^|\s)language-(\S+)/.exec(code.className)?.[1] ?? '';
}

/** The code without the line end that closes its last line. */
function codeText(code: Element): string {
	return (code.textContent ?? '').replace(/\n$/, '');
}
