import type { Node } from 'jsonc-parser';
import { getFieldText } from '#base/records/plainValues.ts';
import { findProperty } from '#base/text/textFaults.ts';
import { graphPath, readAgentGraph } from '../agentGraph.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { findNodeAt } from '../yamlTree.ts';

/** An entry of the outline. Offsets are in UTF-16 code units; `named` is within `whole`. */
export interface OutlineEntry {
	readonly kind: 'variables' | 'variable' | 'node' | 'edges';
	readonly name: string;
	readonly detail: string;
	readonly whole: Place;
	readonly named: Place;
	readonly children: readonly OutlineEntry[];
}

interface Place {
	readonly offset: number;
	readonly length: number;
}

/** Labels of entries without a name in the file. */
interface OutlineStrings {
	readonly environment: string;
	readonly conversation: string;
	formatEdgeCount(count: number): string;
}

/** Returns the outline of an agent file in the order of its text: variables, nodes, edges. */
export function createAgentOutline({ root, content }: AgentReading, words: OutlineStrings): readonly OutlineEntry[] {
	if (!root) {
		return [];
	}
	const graph = readAgentGraph(content);
	const titles = new Map(graph.nodes.map(({ id, title }) => [id, title]));
	const nodes = graph.nodes.flatMap(({ at, id, title, type, parent }): OutlineEntry[] => {
		const item = findNodeAt(root, [...graphPath, 'nodes', at]);
		const inside = parent === undefined ? undefined : `↻ ${titles.get(parent) ?? parent}`;
		const detail = [type, ...(title === id ? [] : [id]), inside].filter(Boolean).join(' · ');
		return createEntry('node', title || '?', detail, item, findProperty(item, 'id'));
	});
	const edges = findNodeAt(root, [...graphPath, 'edges']);
	const entries = [
		...createVariableEntries(words.environment, findNodeAt(root, ['workflow', 'environment_variables'])),
		...createVariableEntries(words.conversation, findNodeAt(root, ['workflow', 'conversation_variables'])),
		...nodes,
		...(graph.edges.length > 0 ? createEntry('edges', words.formatEdgeCount(graph.edges.length), '', edges, edges) : []),
	];
	return entries.sort((a, b) => a.whole.offset - b.whole.offset);
}

function createVariableEntries(name: string, list: Node | undefined): OutlineEntry[] {
	const items = list?.type === 'array' ? (list.children ?? []) : [];
	const children = items.flatMap(item => {
		const named = findProperty(item, 'name');
		const value = { name: named?.value, type: findProperty(item, 'value_type')?.value };
		return getFieldText(value, 'name')
			? createEntry('variable', getFieldText(value, 'name'), getFieldText(value, 'type'), item, named)
			: [];
	});
	return children.length > 0 ? createEntry('variables', name, '', list, list, children) : [];
}

function createEntry(
	kind: OutlineEntry['kind'],
	name: string,
	detail: string,
	whole: Node | undefined,
	named: Node | undefined,
	children: readonly OutlineEntry[] = [],
): OutlineEntry[] {
	if (!whole) {
		return [];
	}
	const { offset, length } = whole;
	const isInside = named && named.offset >= offset && named.offset + named.length <= offset + length;
	const place = isInside ? { offset: named.offset, length: named.length } : { offset, length: 0 };
	return [{ kind, name, detail, whole: { offset, length }, named: place, children }];
}
