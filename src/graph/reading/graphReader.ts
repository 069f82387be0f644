import { isNode, isSeq } from 'yaml';
import { graphPath } from '../../agentFile/agentGraph.ts';
import { AgentText } from '../../agentFile/agentText.ts';
import { fieldOf, fieldsOf, itemsOf, textOf } from '../../agentFile/plainValues.ts';

/** Where a node stands in the text. Offsets in UTF-16 code units. */
export interface NodeBlock {
	readonly id: string;
	readonly start: number;
	readonly end: number;
}

/** What a text holds, and where its nodes are. */
export interface ReadGraph {
	readonly text: string;
	readonly content: unknown;
	/** One a node of the list, in its order; empty IDs for what is none. */
	readonly blocks: readonly NodeBlock[];
}

/** Why a text cannot be read. */
export interface Unreadable {
	readonly message: string;
	/** From 1. */
	readonly line: number;
}

/** Anchors, aliases and merges: what stands in one node may then mean something in another. */
const shared = /(?:^|[\s,[{:])(?:[&*][^\s,[\]{}]|<<)/m;

/** Reads a whole text: as the engine does. */
export function readGraph(text: string): ReadGraph | Unreadable {
	const read = new AgentText(text);
	if (read.error) {
		return { message: read.error.message, line: read.lineAt(read.error.offset) };
	}
	const { content } = read;
	const written = itemsOf(fieldOf(fieldOf(content, 'workflow'), 'graph'), 'nodes');
	const list = read.document?.getIn([...graphPath, 'nodes'], true);
	const items = isSeq(list) ? list.items : [];
	const blocks = written.map((node, at): NodeBlock => {
		const item = items[at];
		const [start, , end] = (isNode(item) && item.range) || [0, 0, 0];
		return { id: textOf(node, 'id'), start, end };
	});
	return { text, content, blocks };
}

/**
 * Reads a text that differs from one that was read in one node alone by reading that node: a keystroke in a large file is not to cost the whole of it. `undefined` where it may differ in
 * more, or the node cannot be read by itself: then all is to be read.
 */
export function rereadNode(before: ReadGraph, text: string): ReadGraph | undefined {
	const old = before.text;
	if (old === text) {
		return before;
	}
	const shortest = Math.min(old.length, text.length);
	let same = 0;
	while (same < shortest && old.charCodeAt(same) === text.charCodeAt(same)) {
		same++;
	}
	let tail = 0;
	while (tail < shortest - same && old.charCodeAt(old.length - 1 - tail) === text.charCodeAt(text.length - 1 - tail)) {
		tail++;
	}
	const at = before.blocks.findIndex(({ start, end }) => start < same && old.length - tail < end);
	const block = before.blocks[at];
	if (!block) {
		return undefined;
	}
	const grown = text.length - old.length;
	const item = itemText(text, block.start, block.end + grown);
	if (item === undefined || shared.test(item) || shared.test(old.slice(block.start, block.end))) {
		return undefined;
	}
	const read = new AgentText(item);
	const node = Array.isArray(read.content) && read.content.length === 1 ? (read.content[0] as unknown) : undefined;
	if (read.error || typeof node !== 'object' || node === null) {
		return undefined;
	}
	return {
		text,
		content: withNode(before.content, at, node),
		blocks: before.blocks.map((each, place) => {
			if (place < at) {
				return each;
			}
			return place === at
				? { id: textOf(node, 'id'), start: each.start, end: each.end + grown }
				: { ...each, start: each.start + grown, end: each.end + grown };
		}),
	};
}

/** The item of a list in block style as a text of its own; `undefined` where it does not stand by itself. */
function itemText(text: string, start: number, end: number): string | undefined {
	const lineStart = text.lastIndexOf('\n', start - 1) + 1;
	const dash = /^( *)- +$/.exec(text.slice(lineStart, start));
	if (!dash) {
		return undefined;
	}
	const item = text.slice(lineStart, end);
	const inside = `${dash[1]} `;
	const [, ...rest] = item.split('\n');
	return rest.every(line => line.startsWith(inside) || line.trim() === '') ? item : undefined;
}

function withNode(content: unknown, at: number, node: object): unknown {
	const workflow = fieldsOf(fieldOf(content, 'workflow'));
	const graph = fieldsOf(fieldOf(workflow, 'graph'));
	return { ...fieldsOf(content), workflow: { ...workflow, graph: { ...graph, nodes: itemsOf(graph, 'nodes').with(at, node) } } };
}
