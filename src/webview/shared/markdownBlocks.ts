import { blockLines, type MarkdownBlock, type MarkdownEnv, markdownBlock } from './markdown.ts';

/** From the block `from` on, a text's blocks are these; those before are as they were. */
export interface BlockUpdate {
	readonly from: number;
	readonly blocks: readonly MarkdownBlock[];
}

const newline = /\r\n?|\n/g;

/**
 * A Markdown text that grows, as blocks: only its last block is parsed again when text comes (the last two, while the last has no
 * whole line yet: what begins like a paragraph may turn out to go on with the list before it). What that misses, links whose definition
 * comes later, is mended by {@link finish}.
 */
export class MarkdownBlocks {
	/** Link definitions before the tail. */
	readonly #env: MarkdownEnv = {};
	/** Sources of the blocks that no longer change, as far as they can hold a link that is not defined yet. */
	readonly #settled: (string | undefined)[] = [];
	#text = '';
	/** Where the first block begins that can still change. */
	#tail = 0;

	/** The text that was taken in. */
	get text(): string {
		return this.#text;
	}

	/** Takes in the text as it is now, which must begin with the text as it was. */
	update(text: string): BlockUpdate {
		this.#text = text;
		const from = this.#settled.length;
		const tail = text.slice(this.#tail);
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
		const settled = blocks.slice(0, Math.max(0, blocks.length - open));
		if (settled.length > 0) {
			const firstOpen = blocks[settled.length]?.first ?? 0;
			blockLines(lines.slice(0, firstOpen).join('\n'), this.#env);
			this.#settled.push(...settled.map(block => (block.text.includes('[') ? block.text : undefined)));
			this.#tail += offsetOfLine(tail, firstOpen);
		}
		return { from, blocks: blocks.map(block => markdownBlock(block.text, env)) };
	}

	/** The blocks that a link definition further down changes, rendered one at a time as they are asked for. No text may come after. */
	*finish(): Iterable<{ readonly index: number; readonly block: MarkdownBlock }> {
		blockLines(this.#text.slice(this.#tail).replace(newline, '\n'), this.#env);
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
