import type { Node } from 'jsonc-parser';
import { type Document, isNode, isSeq } from 'yaml';
import { getField, getFieldText, getItems } from '#base/records/plainValues.ts';
import { graphPath } from '../agentGraph.ts';
import { AgentText, findExceededLimit, replaceLoneReturns, type TextError } from '../agentText.ts';
import { findCutValue, isValueContinued } from '../continuedLines.ts';
import { cutDocument } from './cutDocument.ts';
import {
	type KnownParts,
	getKnownItems as knownItems,
	readKnownText,
	readParts,
	readTextParts,
	type TextParts,
	toWholeOffset,
} from './textParts.ts';
import { createPartsTree, createTree } from './textTree.ts';
import { createWholeDocument } from './wholeDocument.ts';

/** Range of a node in the text, in UTF-16 code units. */
export interface NodeBlock {
	/** Empty for items without an ID. */
	readonly id: string;
	readonly start: number;
	readonly end: number;
}

/** Maximum time to parse before a pause, in milliseconds. */
const sliceMs = 8;

/**
 * The parsed text of an agent file in the editor. Nodes and edges are parsed separately (`cutDocument`) and reused from the previous
 * reading's `parts`, so an edit in a large file only parses one node. A file whose items are connected by anchors or directives is parsed
 * as a whole. Text around errors is still read.
 */
export class AgentReading {
	readonly text: string;
	/** The first error, because later ones usually follow from it. */
	readonly error: TextError | undefined;
	/** Plain values of the text, with aliases and merges resolved. Unchanged nodes are the same objects as in the previous reading. */
	readonly content: unknown;
	/** Parsed parts, for the next reading. */
	readonly parts: KnownParts;
	/** Ranges of the nodes in the list, in order. */
	readonly blocks: readonly NodeBlock[];
	readonly #tree: () => Node | undefined;
	readonly #document: () => Document.Parsed | undefined;
	/** Offsets of line breaks, computed on first use. */
	#lineEnds: readonly number[] | undefined;
	#root: { readonly node: Node | undefined } | undefined;
	#whole: { readonly document: Document.Parsed | undefined } | undefined;

	constructor(text: string, known: KnownParts = {}) {
		this.text = text;
		this.parts = readTextParts(text, known);
		const parts = this.parts.whole;
		const excess = parts && findExceededLimit(text, parts.costs);
		const continued = parts && hasContinuedLines(parts) ? new AgentText(text) : undefined;
		if (parts && excess === undefined && !continued?.isWellFormed) {
			this.error = parts.error;
			this.content = parts.content;
			this.blocks = listPartBlocks(parts);
			this.#tree = () => createPartsTree(parts);
			this.#document = () => createWholeDocument(parts);
			return;
		}
		const read = continued ?? new AgentText(text);
		const tree = createTree(read);
		this.error = tree.error;
		this.content = tree.content;
		this.blocks = listBlocks(read);
		this.#tree = () => tree.root;
		this.#document = () => read.document;
	}

	/** The text as a JSON syntax tree, with merges resolved; `undefined` if it's empty. Computed on demand. */
	get root(): Node | undefined {
		this.#root ??= { node: this.#tree() };
		return this.#root.node;
	}

	/** The document with ranges, for edits; `undefined` if the text wasn't parsed. */
	get document(): Document.Parsed | undefined {
		this.#whole ??= { document: this.#document() };
		return this.#whole.document;
	}

	/** Returns the line (from 1) of an offset. */
	getLineAt(offset: number): number {
		this.#lineEnds ??= [...replaceLoneReturns(this.text).matchAll(/\n/g)].map(({ index }) => index);
		let [from, to] = [0, this.#lineEnds.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			[from, to] = this.#lineEnds[middle]! < offset ? [middle + 1, to] : [from, middle];
		}
		return from + 1;
	}
}

/** Parses the unknown parts of a text. Pauses in between, because a large file would block for a noticeable time. */
export async function readInSlices(text: string, known: KnownParts, pause: () => Promise<void>): Promise<KnownParts> {
	const whole = readKnownText(text, known);
	if (whole) {
		return { whole };
	}
	const cut = cutDocument(text);
	const items = knownItems(known);
	let until = performance.now() + sliceMs;
	for (const _ of cut ? readParts(cut, items) : []) {
		if (performance.now() > until) {
			await pause();
			until = performance.now() + sliceMs;
		}
	}
	return { ...known, items };
}

/**
 * True if the first value that was cut off continues on lines that were parsed as something else. Such lines can only be read as part of
 * the whole text.
 */
function hasContinuedLines({ text, frame, lists }: TextParts): boolean {
	const offsets: number[] = [];
	const add = (part: AgentText, at: (offset: number) => number) => {
		const cut = part.cost.isCut ? findCutValue(part.text) : undefined;
		if (cut !== undefined) {
			offsets.push(at(cut));
		}
	};
	add(frame, offset => toWholeOffset(offset, lists));
	for (const { part, offset } of lists.flatMap(({ items }) => items.find(({ part }) => part.read.cost.isCut) ?? [])) {
		add(part.read, at => at + offset);
	}
	return offsets.length > 0 && isValueContinued(text, Math.min(...offsets));
}

function listPartBlocks({ lists }: TextParts): readonly NodeBlock[] {
	const { items = [] } = lists.find(({ name }) => name === 'nodes') ?? {};
	return items.map(({ part, offset }) => ({
		id: getFieldText(part.content, 'id'),
		start: offset + (part.item?.range?.[0] ?? 0),
		end: offset + part.text.length,
	}));
}

function listBlocks({ content, document }: AgentText): readonly NodeBlock[] {
	const list = document?.getIn([...graphPath, 'nodes'], true);
	const items = isSeq(list) ? list.items : [];
	return getItems(getField(getField(content, 'workflow'), 'graph'), 'nodes').map((node, at): NodeBlock => {
		const item = items[at];
		const [start, , end] = (isNode(item) && item.range) || [0, 0, 0];
		return { id: getFieldText(node, 'id'), start, end };
	});
}
