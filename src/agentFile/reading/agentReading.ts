import type { Node } from 'jsonc-parser';
import { type Document, isNode, isSeq } from 'yaml';
import { fieldOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import { graphPath } from '../agentGraph.ts';
import { AgentText, excessOf, type TextError, withLineFeeds } from '../agentText.ts';
import { findCutValue, isValueContinued } from '../continuedLines.ts';
import { cutDocument } from './cutDocument.ts';
import { almostKnown, fromFrame, type KnownParts, itemsOf as knownItems, partsOf, readParts, type TextParts } from './textParts.ts';
import { treeOf, treeOfParts } from './textTree.ts';
import { wholeDocument } from './wholeDocument.ts';

/** Where a node stands in the text. Offsets in UTF-16 code units. */
export interface NodeBlock {
	/** Empty for what is no node. */
	readonly id: string;
	readonly start: number;
	readonly end: number;
}

/** Parts of a text that are read at once when it is read in slices, in milliseconds. */
const sliceMs = 8;

/**
 * The text of an agent file as the editor works on it, read once for all that ask. Nodes and edges are read each by itself (`cutText`), so that only those are read that the
 * reading before, whose `parts` are handed over, has not read: a key in a large file costs one node. What an anchor, a directive or the like makes one piece is read as one.
 * Where the text has errors, what stands around them is there nevertheless.
 */
export class AgentReading {
	readonly text: string;
	/** The first error: those after it mostly follow from it. */
	readonly error: TextError | undefined;
	/** What the text holds as plain values, aliases and merges resolved; the values of nodes that did not change are the same objects as before. */
	readonly content: unknown;
	/** What was read, for the next reading. */
	readonly parts: KnownParts;
	/** Where the nodes of the list stand, one each, in its order. */
	readonly blocks: readonly NodeBlock[];
	readonly #tree: () => Node | undefined;
	readonly #document: () => Document.Parsed | undefined;
	/** Offsets of the line breaks, once a line was asked for. */
	#lineEnds: readonly number[] | undefined;
	#root: { readonly node: Node | undefined } | undefined;
	#whole: { readonly document: Document.Parsed | undefined } | undefined;

	constructor(text: string, known: KnownParts = {}) {
		this.text = text;
		this.parts = partsOf(text, known);
		const parts = this.parts.whole;
		const excess = parts && excessOf(text, parts.costs);
		const continued = parts && hasContinuedLines(parts) ? new AgentText(text) : undefined;
		if (parts && excess === undefined && !continued?.isWellFormed) {
			this.error = parts.error;
			this.content = parts.content;
			this.blocks = blocksOfParts(parts);
			this.#tree = () => treeOfParts(parts);
			this.#document = () => wholeDocument(parts);
			return;
		}
		const read = continued ?? new AgentText(text);
		const tree = treeOf(read);
		this.error = tree.error;
		this.content = tree.content;
		this.blocks = blocksOf(read);
		this.#tree = () => tree.root;
		this.#document = () => read.document;
	}

	/**
	 * The text as the nodes that checks of JSON texts work on, merges resolved, as far as it could be read; absent where there is nothing. Made as far as it is looked at.
	 */
	get root(): Node | undefined {
		this.#root ??= { node: this.#tree() };
		return this.#root.node;
	}

	/** The text with its places, to be edited; absent where it was not read. */
	get document(): Document.Parsed | undefined {
		this.#whole ??= { document: this.#document() };
		return this.#whole.document;
	}

	/** Line, from 1, of an offset. */
	lineAt(offset: number): number {
		this.#lineEnds ??= [...withLineFeeds(this.text).matchAll(/\n/g)].map(({ index }) => index);
		let [from, to] = [0, this.#lineEnds.length];
		while (from < to) {
			const middle = (from + to) >> 1;
			[from, to] = this.#lineEnds[middle]! < offset ? [middle + 1, to] : [from, middle];
		}
		return from + 1;
	}
}

/** Reads what of a text is not known yet, and lets others go on in between: a large file takes a part of a second. */
export async function readInSlices(text: string, known: KnownParts, pause: () => Promise<void>): Promise<KnownParts> {
	const whole = almostKnown(text, known);
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

/** Whether the first value that was cut off continues on lines that were taken for others. Only a whole text can be read with such lines. */
function hasContinuedLines({ text, frame, lists }: TextParts): boolean {
	const offsets: number[] = [];
	const add = (part: AgentText, at: (offset: number) => number) => {
		const cut = part.cost.isCut ? findCutValue(part.text) : undefined;
		if (cut !== undefined) {
			offsets.push(at(cut));
		}
	};
	add(frame, offset => fromFrame(offset, lists));
	for (const { part, offset } of lists.flatMap(({ items }) => items.find(({ part }) => part.read.cost.isCut) ?? [])) {
		add(part.read, at => at + offset);
	}
	return offsets.length > 0 && isValueContinued(text, Math.min(...offsets));
}

function blocksOfParts({ lists }: TextParts): readonly NodeBlock[] {
	const { items = [] } = lists.find(({ name }) => name === 'nodes') ?? {};
	return items.map(({ part, offset }) => ({
		id: textOf(part.content, 'id'),
		start: offset + (part.item?.range?.[0] ?? 0),
		end: offset + part.text.length,
	}));
}

function blocksOf({ content, document }: AgentText): readonly NodeBlock[] {
	const list = document?.getIn([...graphPath, 'nodes'], true);
	const items = isSeq(list) ? list.items : [];
	return itemsOf(fieldOf(fieldOf(content, 'workflow'), 'graph'), 'nodes').map((node, at): NodeBlock => {
		const item = items[at];
		const [start, , end] = (isNode(item) && item.range) || [0, 0, 0];
		return { id: textOf(node, 'id'), start, end };
	});
}
