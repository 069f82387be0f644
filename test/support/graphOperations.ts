import fc from 'fast-check';
import { getOutputHandles, readAgentGraph } from '#agentFile/agentGraph.ts';
import { AgentText } from '#agentFile/agentText.ts';
import { copyNodes } from '#agentFile/edits/copying.ts';
import { Refused } from '#agentFile/edits/editedFile.ts';
import type { GraphOperation } from '#agentFile/edits/graphOperations.ts';
import { listAddableTypes } from '#agentFile/edits/newNode.ts';

/** Random values for an operation, chosen before the file is known. */
export const rolls = fc.record({
	kind: fc.nat(15),
	a: fc.nat(),
	b: fc.nat(),
	c: fc.nat(),
	text: fc.oneof(fc.string(), fc.constantFrom('a\nb', 'x: y # z', '1', 'on', '2024-01-01', ' x', 'a\n\n')),
	x: fc.integer({ min: -999, max: 999 }),
});
type Roll = typeof rolls extends fc.Arbitrary<infer T> ? T : never;

/** Creates an operation that fits a file's nodes, output handles and lists; `undefined` if the file has none. */
export function createOperation(text: string, { kind, a, b, c, text: word, x }: Roll): GraphOperation | undefined {
	const { nodes, edges } = readAgentGraph(new AgentText(text).content);
	const node = nodes[a % nodes.length];
	const other = nodes[b % nodes.length];
	if (!node || !other) {
		return undefined;
	}
	const handles = getOutputHandles(node);
	const from = { node: node.id, handle: handles[c % handles.length] ?? 'source' };
	const edge = edges[b % Math.max(1, edges.length)];
	const types = listAddableTypes();
	const type = types[b % types.length] ?? 'llm';
	const lists = Object.entries(node.data ?? {}).flatMap(([key, value]) =>
		Array.isArray(value) ? [{ key, length: value.length, value }] : [],
	);
	const list = lists[b % Math.max(1, lists.length)];
	switch (kind) {
		case 0:
			return { do: 'move', nodes: [{ id: node.id, x, y: c % 777 }] };
		case 1:
			return { do: 'delete', nodes: [node.id] };
		case 2:
			return { do: 'connect', from, target: other.id };
		case 3:
			return edge && { do: 'disconnect', from: { node: edge.source, handle: edge.handle }, target: edge.target };
		case 4:
			return { do: 'add', type, behind: from };
		case 5:
			return edge && { do: 'add', type, behind: { node: edge.source, handle: edge.handle }, before: edge.target };
		case 6:
			return { do: 'add', type, at: { x, y: x }, ...(node.parent ? { parent: node.parent } : {}) };
		case 7:
			return { do: 'rename', node: node.id, id: ['new_id', 'on', '12', 'sys', 'a-b', other.id][c % 6] ?? '' };
		case 8:
			return { do: 'duplicate', nodes: [node.id, other.id] };
		case 9:
			return { do: 'wrap', nodes: c % 2 ? [node.id] : [node.id, other.id], container: c % 3 ? 'loop' : 'iteration' };
		case 10:
			return createPasteOperation(text, node.id, c % 2 ? node.parent : undefined);
		case 11:
			return { do: 'set', node: node.id, path: c % 2 ? ['title'] : ['desc'], value: word };
		case 12:
			return { do: 'set', node: node.id, path: ['model', 'completion_params', 'temperature'], value: c % 3 ? x / 10 : undefined };
		case 13:
			return list && list.length > 0
				? { do: 'moveItem', node: node.id, path: [list.key], at: a % list.length, to: c % list.length }
				: undefined;
		case 14:
			return list && list.length > 0
				? { do: 'insertItem', node: node.id, path: [list.key], at: c % (list.length + 1), value: list.value[a % list.length] }
				: undefined;
		default:
			return c % 2
				? { do: 'arrange' }
				: list && list.length > 1
					? { do: 'removeItem', node: node.id, path: [list.key], at: a % list.length }
					: undefined;
	}
}

function createPasteOperation(text: string, id: string, parent: string | undefined): GraphOperation | undefined {
	try {
		return { do: 'paste', text: copyNodes(text, [id]), ...(parent ? { parent } : {}) };
	} catch (error) {
		if (error instanceof Refused) {
			return undefined;
		}
		throw error;
	}
}
