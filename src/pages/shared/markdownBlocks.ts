import { blockLines, type MarkdownBlock, type MarkdownEnv, markdownBlock, plainBlock } from './markdown.ts';

/** From the block `from` on, a text's blocks are these; those before are as they were. */
interface BlockUpdate {
	readonly from: number;
	readonly blocks: readonly MarkdownBlock[];
}

const newline = /\r\n?|\n/g;

/** Tokens that one text may cost; what comes past them is shown as it was written. Blocks that were too dear to show count each time. */
const tokenBudget = 200_000;
/** A last block that is longer than this, in UTF-16 units, and no code, is shown as it was written: it is parsed again with each piece. */
const openLimit = 64_000;

/**
 * A Markdown text that grows, as blocks: only its last block is parsed again when text comes (the last two, while the last has no
 * whole line yet: what begins like a paragraph may turn out to go on with the list before it). What that misses, links whose definition
 * comes later, is mended by {@link finish}. A text that costs too much is Markdown up to a point, and shown as it was written from there on.
 */
export class MarkdownBlocks {
	/** Link definitions before the tail. */
	readonly #env: MarkdownEnv = {};
	/** Sources of the blocks that no longer change, as far as they can hold a link that is not defined yet. */
	readonly #settled: (string | undefined)[] = [];
	#text = '';
	/** Where the first block begins that can still change. */
	#tail = 0;
	#tokens = 0;
	/** The budget is spent: the tail is not parsed any more. */
	#spent = false;

	/** The text that was taken in. */
	get text(): string {
		return this.#text;
	}

	/** Takes in the text as it is now, which must begin with the text as it was. */
	update(text: string): BlockUpdate {
		this.#text = text;
		const from = this.#settled.length;
		const tail = text.slice(this.#tail);
		if (this.#spent) {
			return { from, blocks: [plainBlock(tail, 0)] };
		}
		try {
			return { from, blocks: this.#parse(tail) };
		} catch {
			this.#spent = true;
			return { from, blocks: [plainBlock(tail, 0)] };
		}
	}

	/** Blocks of what can still change; those of them that no longer can leave the tail. */
	#parse(tail: string): MarkdownBlock[] {
		const source = tail.replace(newline, '\n');
		const lines = source.split('\n');
		// a definition in the tail may be half of one: it counts for this rendering only
		const env: MarkdownEnv = { ...this.#env, references: { ...this.#env.references } };
		const blocks = blockLines(source, env).map(([first, end]) => ({
			first,
			text: lines.slice(first, end).join('\n') + (end < lines.length ? '\n' : ''),
		}));
		const lastFirst = blocks.at(-1)?.first ?? 0;
		const open = lastFirst === lines.length - 1 ? 2 : 1;
		const shown: MarkdownBlock[] = [];
		let settled = Math.max(0, blocks.length - open);
		for (const [index, block] of blocks.entries()) {
			const made = markdownBlock(block.text, env);
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
			blockLines(lines.slice(0, firstOpen).join('\n'), this.#env);
			// a plain block stays as it is, whatever is defined later
			this.#settled.push(...shown.slice(0, settled).map(({ source: text, plain }) => (!plain && text.includes('[') ? text : undefined)));
		}
		const end = settled > 0 ? offsetOfLine(tail, firstOpen) : 0;
		this.#tail += end;
		return this.#spent ? [...shown.slice(0, settled), plainBlock(tail.slice(end), 0)] : shown;
	}

	/** The blocks that a link definition further down changes, rendered one at a time as they are asked for. No text may come after. */
	*finish(): Iterable<{ readonly index: number; readonly block: MarkdownBlock }> {
		if (!this.#spent) {
			blockLines(this.#text.slice(this.#tail).replace(newline, '\n'), this.#env);
		}
		if (Object.keys(this.#env.references ?? {}).length > 0) {
			for (const [index, source] of this.#settled.entries()) {
				if (source !== undefined) {
					yield { index, block: markdownBlock(source, this.#env) };
				}
			}
		}
	}
}

function offsetOfLine(text: string, line: number): number {
	let count = 0;
	for (const match of text.matchAll(newline)) {
		if (++count === line) {
			return match.index + match[0].length;
		}
	}
	return 0;
}
