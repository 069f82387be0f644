import { createFootnotes } from './footnoteSyntax.ts';
import { createMarkdownBlock, createPlainBlock, type MarkdownBlock, type MarkdownEnv, parseBlockLines } from './markdown.ts';

/** Replaces all blocks of a text from index `from` on. */
interface BlockUpdate {
	readonly from: number;
	readonly blocks: readonly MarkdownBlock[];
}

const newline = /\r\n?|\n/g;

/** Token limit for one text; the rest is shown as is. Plain blocks count each time. */
const tokenBudget = 200_000;
/**
 * Maximum length of a last block that isn't code, in UTF-16 units. A longer block is shown as is, because it would be parsed again with
 * each chunk.
 */
const openLimit = 64_000;

/**
 * Splits a growing Markdown text into blocks. Only the last block is parsed again when text arrives (the last two while the last has no
 * complete line, because it may continue a list). Links whose definition comes later are fixed by {@link resolveLateLinks}. A text that is too
 * expensive is rendered up to a point, and shown as is from there on.
 */
export class MarkdownBlocks {
	readonly #footnotes = createFootnotes();
	/** Link definitions before the tail, and all footnotes. */
	readonly #env: MarkdownEnv = { footnotes: this.#footnotes };
	/** Sources of the blocks that no longer change, if they may contain an undefined link. */
	readonly #settled: (string | undefined)[] = [];
	#text = '';
	/** Offset of the first block that can still change. */
	#tail = 0;
	#tokens = 0;
	/** True once the token limit is reached; the tail isn't parsed any more. */
	#spent = false;

	/** The current text. */
	get text(): string {
		return this.#text;
	}

	/** Length of the end of the text that is rendered again when more text arrives, in UTF-16 units. */
	get openLength(): number {
		return this.#text.length - this.#tail;
	}

	/** Applies the new text, which must start with the previous one. */
	updateText(text: string): BlockUpdate {
		this.#text = text;
		const from = this.#settled.length;
		const tail = text.slice(this.#tail);
		if (this.#spent) {
			return { from, blocks: [createPlainBlock(tail, 0)] };
		}
		try {
			return { from, blocks: this.#parseTail(tail) };
		} catch {
			this.#spent = true;
			return { from, blocks: [createPlainBlock(tail, 0)] };
		}
	}

	/** Parses the blocks that can still change, and moves the tail past the blocks that no longer can. */
	#parseTail(tail: string): MarkdownBlock[] {
		const source = tail.replace(newline, '\n');
		const lines = source.split('\n');
		// a definition in the tail may be incomplete: use it for this rendering only
		const env: MarkdownEnv = { ...this.#env, references: Object.create(this.#env.references ?? null) };
		const blocks = parseBlockLines(source, env).map(([first, end]) => ({
			first,
			text: lines.slice(first, end).join('\n') + (end < lines.length ? '\n' : ''),
		}));
		const lastFirst = blocks.at(-1)?.first ?? 0;
		const open = lastFirst === lines.length - 1 ? 2 : 1;
		const shown: MarkdownBlock[] = [];
		let settled = Math.max(0, blocks.length - open);
		for (const [index, block] of blocks.entries()) {
			const made = createMarkdownBlock(block.text, env);
			shown.push(made);
			this.#tokens += index < settled || made.plain ? made.tokens : 0;
			if (this.#tokens > tokenBudget || (index === blocks.length - 1 && block.text.length > openLimit && !made.code)) {
				this.#spent = true;
				settled = index;
				break;
			}
		}
		const firstOpen = blocks[settled]?.first ?? 0;
		if (settled > 0) {
			parseBlockLines(lines.slice(0, firstOpen).join('\n'), this.#env);
			// a plain block never changes
			this.#settled.push(...shown.slice(0, settled).map(({ source: text, plain }) => (!plain && text.includes('[') ? text : undefined)));
		}
		const end = settled > 0 ? findLineOffset(tail, firstOpen) : 0;
		this.#tail += end;
		return this.#spent ? [...shown.slice(0, settled), createPlainBlock(tail.slice(end), 0)] : shown;
	}

	/** Renders again the blocks whose links were defined later, one at a time. No text may follow. */
	*resolveLateLinks(): Iterable<{ readonly index: number; readonly block: MarkdownBlock }> {
		if (!this.#spent) {
			parseBlockLines(this.#text.slice(this.#tail).replace(newline, '\n'), this.#env);
		}
		if (Object.keys(this.#env.references ?? {}).length > 0 || this.#footnotes.defined.size > 0) {
			for (const [index, source] of this.#settled.entries()) {
				if (source !== undefined) {
					yield { index, block: createMarkdownBlock(source, this.#env) };
				}
			}
		}
	}
}

function findLineOffset(text: string, line: number): number {
	let count = 0;
	for (const match of text.matchAll(newline)) {
		if (++count === line) {
			return match.index + match[0].length;
		}
	}
	return 0;
}
