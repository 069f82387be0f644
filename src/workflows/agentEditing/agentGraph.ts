import type { Node } from 'jsonc-parser';
import { propertyOf } from '../runFileFaults.ts';

/** A node of an agent file as its text has it. */
export interface GraphNode {
	readonly id: string;
	/** `data.type`; empty where there is none yet. */
	readonly type: string;
	readonly title: string;
	/** ID of the iteration or loop around it. */
	readonly parent: string | undefined;
	/** Place in the list of nodes. */
	readonly at: number;
	/** The node in the text, its `id` and its `data`. */
	readonly node: Node;
	readonly idNode: Node;
	readonly data: Node | undefined;
}

/** An edge of an agent file as its text has it. */
export interface GraphEdge {
	readonly source: string;
	readonly target: string;
	readonly handle: string;
	readonly at: number;
	readonly node: Node;
}

/** Nodes and edges of an agent file, as far as they are written. */
export interface AgentGraph {
	/** In the order of the file; notes are none. */
	readonly nodes: readonly GraphNode[];
	readonly edges: readonly GraphEdge[];
	/** The workflow, which has the variables of environment and conversation. */
	readonly workflow: Node | undefined;
	/** The list of nodes. */
	readonly list: Node | undefined;
}

/** Reads nodes and edges out of the text of an agent file. */
export function agentGraph(root: Node | undefined): AgentGraph {
	const workflow = propertyOf(root, 'workflow');
	const graph = propertyOf(workflow, 'graph');
	const list = propertyOf(graph, 'nodes');
	return {
		nodes: itemsOf(list).flatMap((node, at) => {
			const idNode = propertyOf(node, 'id');
			if (!idNode || textOf(node, 'type') === 'custom-note') {
				return [];
			}
			const data = propertyOf(node, 'data');
			const id = String(idNode.value ?? '');
			const parent = textOf(node, 'parentId') || undefined;
			return [{ id, type: textOf(data, 'type'), title: textOf(data, 'title') || id, parent, at, node, idNode, data }];
		}),
		edges: itemsOf(propertyOf(graph, 'edges')).map((node, at) => ({
			source: textOf(node, 'source'),
			target: textOf(node, 'target'),
			handle: textOf(node, 'sourceHandle') || 'source',
			at,
			node,
		})),
		workflow,
		list,
	};
}

/** Items of a list; none of anything else. */
export function itemsOf(node: Node | undefined): readonly Node[] {
	return node?.type === 'array' ? (node.children ?? []) : [];
}

/** A field as text; empty where it is absent or null. */
export function textOf(node: Node | undefined, name: string): string {
	return String(propertyOf(node, name)?.value ?? '');
}

/** Whether the node begins an agent. */
export function isStart({ type, parent }: GraphNode): boolean {
	return !parent && (type === 'start' || type.startsWith('trigger-'));
}

/** The ways out of a node, as edges name them. */
export function handlesOf({ type, data }: GraphNode): readonly string[] {
	const failed = textOf(data, 'error_strategy') === 'fail-branch' ? ['fail-branch'] : [];
	switch (type) {
		case 'if-else': {
			const cases = propertyOf(data, 'cases');
			return [...(cases ? itemsOf(cases).map(each => textOf(each, 'case_id')) : ['true']), 'false', ...failed];
		}
		case 'question-classifier':
			return [...itemsOf(propertyOf(data, 'classes')).map(each => textOf(each, 'id')), ...failed];
		default:
			return ['source', ...failed];
	}
}

/** IDs of the nodes that come before a node: along the edges, and those before the containers around it. */
export function nodesBefore({ nodes, edges }: AgentGraph, id: string): ReadonlySet<string> {
	const parents = new Map(nodes.map(node => [node.id, node.parent]));
	const before = new Set<string>();
	const walk = [id];
	for (const each of walk) {
		const parent = parents.get(each);
		const sources = edges.filter(({ target }) => target === each).map(({ source }) => source);
		for (const source of parent ? [...sources, parent] : sources) {
			if (!before.has(source)) {
				before.add(source);
				walk.push(source);
			}
		}
	}
	return before;
}

/** IDs of the nodes that a run can come to. The others are drafts: the engine leaves them alone. */
export function reachedNodes({ nodes, edges }: AgentGraph): ReadonlySet<string> {
	const byId = new Map(nodes.map(node => [node.id, node]));
	const walk = nodes.filter(isStart).map(({ id }) => id);
	const reached = new Set(walk);
	for (const id of walk) {
		const node = byId.get(id);
		const next = edges
			.filter(({ source, target }) => source === id && byId.get(target)?.parent === node?.parent)
			.map(({ target }) => target);
		for (const each of [...next, ...(node ? innerStarts(nodes, node).map(inner => inner.id) : [])]) {
			if (!reached.has(each)) {
				reached.add(each);
				walk.push(each);
			}
		}
	}
	return reached;
}

/** Nodes that a round of an iteration or loop can begin with; none where the node is neither. */
export function innerStarts(nodes: readonly GraphNode[], { id, type, data }: GraphNode): readonly GraphNode[] {
	const named = textOf(data, 'start_node_id');
	return isContainer(type) ? nodes.filter(node => node.parent === id && (node.id === named || node.type === `${type}-start`)) : [];
}

/** Whether nodes of this type have nodes inside them. */
export function isContainer(type: string): boolean {
	return type === 'iteration' || type === 'loop';
}
