import { fieldOf, fieldsOf, itemsOf, textOf } from '#base/records/plainValues.ts';
import type { Point } from './layout/geometry.ts';
import { timeoutHandle } from './nodeKinds/nodeKind.ts';
import { kindOf, roleOf } from './nodeKinds/nodeKinds.ts';

/** A node of an agent file as it is written; notes are none. */
export interface GraphNode {
	/** A number counts as its text; empty where there is none yet. */
	readonly id: string;
	/** `data.type`; empty where there is none yet. */
	readonly type: string;
	/** Its title, else its ID. */
	readonly title: string;
	/** ID of the iteration or loop around it. */
	readonly parent: string | undefined;
	/** Place in the list of nodes: its path is that of the list and this. */
	readonly at: number;
	/** Absent: it does nothing, and a run never comes to it. */
	readonly data: Readonly<Record<string, unknown>> | undefined;
	/** Where it stands in the file's editor, from its container's corner, in that editor's units. */
	readonly position: Point | undefined;
}

/** An edge of an agent file as it is written; its nodes may be missing. */
export interface GraphEdge {
	readonly source: string;
	readonly target: string;
	/** Way out of its source: `source`, `fail-branch`, or the ID of a case, class or action (workflow DSL, "File"). */
	readonly handle: string;
	/** Place in the list of edges. */
	readonly at: number;
}

/** Nodes and edges of an agent file, as far as they are written. */
export interface AgentGraph {
	/** In the order of the file. */
	readonly nodes: readonly GraphNode[];
	readonly edges: readonly GraphEdge[];
	/** What stands around the graph: the variables of environment and conversation. */
	readonly workflow: Readonly<Record<string, unknown>>;
}

/** Path of the graph in an agent file. */
export const graphPath = ['workflow', 'graph'] as const;

/** Reads nodes and edges out of what an agent file holds, as plain values. Takes whatever is there: who runs it checks it first. */
export function agentGraph(content: unknown): AgentGraph {
	const workflow = fieldsOf(fieldOf(content, 'workflow'));
	const graph = fieldOf(workflow, 'graph');
	return { nodes: itemsOf(graph, 'nodes').flatMap(nodeOf), edges: itemsOf(graph, 'edges').map(edgeOf), workflow };
}

function nodeOf(node: unknown, at: number): GraphNode[] {
	if (fieldOf(node, 'id') === undefined || textOf(node, 'type') === 'custom-note') {
		return [];
	}
	const data = fieldOf(node, 'data');
	const id = textOf(node, 'id');
	const { x, y } = fieldsOf(fieldOf(node, 'position'));
	return [
		{
			id,
			type: textOf(data, 'type'),
			title: textOf(data, 'title') || id,
			parent: textOf(node, 'parentId') || undefined,
			at,
			data: typeof data === 'object' && data !== null ? fieldsOf(data) : undefined,
			position: typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined,
		},
	];
}

function edgeOf(edge: unknown, at: number): GraphEdge {
	const handle = textOf(edge, 'sourceHandle');
	return {
		source: textOf(edge, 'source'),
		target: textOf(edge, 'target'),
		// what the way out is called where there is a `fail-branch` beside it
		handle: handle === '' || handle === 'success-branch' ? 'source' : handle,
		at,
	};
}

/** Whether the node begins an agent. */
export function isStart({ type, parent }: Pick<GraphNode, 'type' | 'parent'>): boolean {
	return !parent && roleOf(type) === 'start';
}

/** The output handles of a node, as edges name them. */
export function handlesOf({ type, data }: Pick<GraphNode, 'type' | 'data'>): readonly string[] {
	const branches = kindOf(type)?.branches;
	const failed = textOf(data, 'error_strategy') === 'fail-branch' ? ['fail-branch'] : [];
	if (!branches) {
		return ['source', ...failed];
	}
	const { list, id, only, otherwise, byPerson } = branches;
	const chosen = only === undefined || fieldOf(data, list) ? itemsOf(data, list).map(each => textOf(each, id)) : [only];
	return [...chosen, ...(otherwise === undefined ? [] : [otherwise]), ...(byPerson ? [timeoutHandle] : []), ...failed];
}

/** The item of a branch in its node's `data`; `undefined` for a handle that no item has. */
export function branchItem(
	{ type, data }: Pick<GraphNode, 'type' | 'data'>,
	handle: string,
): { readonly path: readonly [list: string, at: number]; readonly title: string } | undefined {
	const branches = kindOf(type)?.branches;
	if (!branches) {
		return undefined;
	}
	const items = itemsOf(data, branches.list);
	const at = items.findIndex(each => textOf(each, branches.id) === handle);
	return at < 0 ? undefined : { path: [branches.list, at], title: textOf(items[at], branches.title) || handle };
}

/** IDs of the nodes that come before a node: along the edges, and those before the containers around it. */
export function nodesBefore({ nodes, edges }: AgentGraph, id: string): ReadonlySet<string> {
	const parents = new Map(nodes.map(node => [node.id, node.parent]));
	const sources = Map.groupBy(edges, ({ target }) => target);
	const before = new Set<string>();
	const walk = [id];
	for (const each of walk) {
		const parent = parents.get(each);
		const next = (sources.get(each) ?? []).map(({ source }) => source);
		for (const source of parent ? [...next, parent] : next) {
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
	const byParent = Map.groupBy(nodes, ({ parent }) => parent);
	const targets = Map.groupBy(edges, ({ source }) => source);
	const walk = nodes.filter(isStart).map(({ id }) => id);
	const reached = new Set(walk);
	for (const id of walk) {
		const node = byId.get(id);
		const next = (targets.get(id) ?? []).map(({ target }) => target).filter(target => byId.get(target)?.parent === node?.parent);
		const starts = node && isContainer(node.type) ? innerStarts(byParent.get(id) ?? [], node) : [];
		for (const each of [...next, ...starts.map(inner => inner.id)]) {
			if (!reached.has(each)) {
				reached.add(each);
				walk.push(each);
			}
		}
	}
	return reached;
}

/** Returns the nodes that an iteration of a container can start with: the one that it names, and those of its kind of start. */
export function innerStarts(nodes: readonly GraphNode[], { id, type, data }: GraphNode): readonly GraphNode[] {
	const named = textOf(data, 'start_node_id');
	return nodes.filter(node => node.parent === id && (node.id === named || node.type === `${type}-start`));
}

/** Whether nodes of this type have nodes inside them. */
export function isContainer(type: string): boolean {
	return roleOf(type) === 'container';
}

/** Whether it begins the rounds of a container. */
export function isInnerStart({ type, parent }: Pick<GraphNode, 'type' | 'parent'>): boolean {
	return parent !== undefined && roleOf(type) === 'inner-start';
}
