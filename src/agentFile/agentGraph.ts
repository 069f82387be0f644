import { getField, getFieldText, getItems, toFields } from '#base/records/plainValues.ts';
import type { Point } from './layout/geometry.ts';
import { timeoutHandle } from './nodeKinds/nodeKind.ts';
import { findNodeKind, getNodeRole } from './nodeKinds/nodeKinds.ts';

/** A node as written in an agent file. Notes aren't included. */
export interface GraphNode {
	/** The ID as a string, even if it's a number in the file; empty if missing. */
	readonly id: string;
	/** `data.type`; empty if missing. */
	readonly type: string;
	/** The title, or the ID if the node has no title. */
	readonly title: string;
	/** ID of the iteration or loop that contains the node. */
	readonly parent: string | undefined;
	/** Index in the file's list of nodes. */
	readonly at: number;
	/** A node without `data` does nothing, and runs never reach it. */
	readonly data: Readonly<Record<string, unknown>> | undefined;
	/** Position on the canvas, relative to its container, in the file's own units. */
	readonly position: Point | undefined;
}

/** An edge as written in an agent file. Its nodes may not exist. */
export interface GraphEdge {
	readonly source: string;
	readonly target: string;
	/** Output handle of the source node: `source`, `fail-branch`, or the ID of a case, class or action (workflow DSL, "File"). */
	readonly handle: string;
	/** Index in the file's list of edges. */
	readonly at: number;
}

/** Nodes and edges of an agent file, which may be incomplete. */
export interface AgentGraph {
	/** Nodes in file order. */
	readonly nodes: readonly GraphNode[];
	readonly edges: readonly GraphEdge[];
	/** The `workflow` part of the file, with environment and conversation variables. */
	readonly workflow: Readonly<Record<string, unknown>>;
}

/** Path of the graph in an agent file. */
export const graphPath = ['workflow', 'graph'] as const;

/** Reads nodes and edges from the plain values of an agent file. Accepts anything; callers that run the graph check it first. */
export function readAgentGraph(content: unknown): AgentGraph {
	const workflow = toFields(getField(content, 'workflow'));
	const graph = getField(workflow, 'graph');
	return { nodes: getItems(graph, 'nodes').flatMap(toGraphNodes), edges: getItems(graph, 'edges').map(toGraphEdge), workflow };
}

function toGraphNodes(node: unknown, at: number): GraphNode[] {
	if (getField(node, 'id') === undefined || getFieldText(node, 'type') === 'custom-note') {
		return [];
	}
	const data = getField(node, 'data');
	const id = getFieldText(node, 'id');
	const { x, y } = toFields(getField(node, 'position'));
	return [
		{
			id,
			type: getFieldText(data, 'type'),
			title: getFieldText(data, 'title') || id,
			parent: getFieldText(node, 'parentId') || undefined,
			at,
			data: typeof data === 'object' && data !== null ? toFields(data) : undefined,
			position: typeof x === 'number' && typeof y === 'number' && Number.isFinite(x) && Number.isFinite(y) ? { x, y } : undefined,
		},
	];
}

function toGraphEdge(edge: unknown, at: number): GraphEdge {
	const handle = getFieldText(edge, 'sourceHandle');
	return {
		source: getFieldText(edge, 'source'),
		target: getFieldText(edge, 'target'),
		// nodes with a `fail-branch` call their `source` handle `success-branch`
		handle: handle === '' || handle === 'success-branch' ? 'source' : handle,
		at,
	};
}

/** True if runs of the agent start at the node. */
export function isStart({ type, parent }: Pick<GraphNode, 'type' | 'parent'>): boolean {
	return !parent && getNodeRole(type) === 'start';
}

/** Returns the output handles of a node, as edges name them. */
export function getOutputHandles({ type, data }: Pick<GraphNode, 'type' | 'data'>): readonly string[] {
	const branches = findNodeKind(type)?.branches;
	const failed = getFieldText(data, 'error_strategy') === 'fail-branch' ? ['fail-branch'] : [];
	if (!branches) {
		return ['source', ...failed];
	}
	const { list, id, only, otherwise, byPerson } = branches;
	const chosen = only === undefined || getField(data, list) ? getItems(data, list).map(each => getFieldText(each, id)) : [only];
	return [...chosen, ...(otherwise === undefined ? [] : [otherwise]), ...(byPerson ? [timeoutHandle] : []), ...failed];
}

/** Finds the item of a branch in its node's `data`; `undefined` if no item has the handle. */
export function findBranchItem(
	{ type, data }: Pick<GraphNode, 'type' | 'data'>,
	handle: string,
): { readonly path: readonly [list: string, at: number]; readonly title: string } | undefined {
	const branches = findNodeKind(type)?.branches;
	if (!branches) {
		return undefined;
	}
	const items = getItems(data, branches.list);
	const at = items.findIndex(each => getFieldText(each, branches.id) === handle);
	return at < 0 ? undefined : { path: [branches.list, at], title: getFieldText(items[at], branches.title) || handle };
}

/** Returns the IDs of all nodes that lead to a node or to one of its containers. */
export function findNodesBefore({ nodes, edges }: AgentGraph, id: string): ReadonlySet<string> {
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

/** Returns the ID of a node and those of all nodes that run again if the node does: those after it, those inside, those after its containers. */
export function findNodesFrom({ nodes, edges }: AgentGraph, id: string): ReadonlySet<string> {
	const byId = new Map(nodes.map(node => [node.id, node]));
	const targets = Map.groupBy(edges, ({ source }) => source);
	const inner = Map.groupBy(nodes, ({ parent }) => parent);
	const listTargets = (of: string) => (targets.get(of) ?? []).map(({ target }) => target);
	const listInner = (of: string) => (inner.get(of) ?? []).map(node => node.id);
	const from = new Set<string>();
	const addWithFollowing = (ids: readonly string[]) => {
		const walk = [...ids];
		for (const each of walk) {
			if (!from.has(each)) {
				from.add(each);
				walk.push(...listTargets(each), ...listInner(each));
			}
		}
	};
	addWithFollowing([id]);
	// in an invalid file, containers may contain each other
	const around = new Set<string>();
	for (let each = byId.get(id)?.parent; each !== undefined && !around.has(each); each = byId.get(each)?.parent) {
		around.add(each);
		// later iterations of a loop run all its nodes
		addWithFollowing([...(byId.get(each)?.type === 'loop' ? listInner(each) : []), ...listTargets(each)]);
	}
	return from;
}

/** Returns the IDs of the nodes that a run can reach. The engine ignores the others. */
export function findReachableNodes({ nodes, edges }: AgentGraph): ReadonlySet<string> {
	const byId = new Map(nodes.map(node => [node.id, node]));
	const byParent = Map.groupBy(nodes, ({ parent }) => parent);
	const targets = Map.groupBy(edges, ({ source }) => source);
	const walk = nodes.filter(isStart).map(({ id }) => id);
	const reached = new Set(walk);
	for (const id of walk) {
		const node = byId.get(id);
		const next = (targets.get(id) ?? []).map(({ target }) => target).filter(target => byId.get(target)?.parent === node?.parent);
		const starts = node && isContainer(node.type) ? findInnerStarts(byParent.get(id) ?? [], node) : [];
		for (const each of [...next, ...starts.map(inner => inner.id)]) {
			if (!reached.has(each)) {
				reached.add(each);
				walk.push(each);
			}
		}
	}
	return reached;
}

/** Returns the nodes that an iteration of a container can start with: the one that its fields name, and those of its start type. */
export function findInnerStarts(nodes: readonly GraphNode[], { id, type, data }: GraphNode): readonly GraphNode[] {
	const named = getFieldText(data, 'start_node_id');
	return nodes.filter(node => node.parent === id && (node.id === named || node.type === `${type}-start`));
}

/** True if nodes of this type contain other nodes. */
export function isContainer(type: string): boolean {
	return getNodeRole(type) === 'container';
}

/** True if the iterations of a container start at the node. */
export function isInnerStart({ type, parent }: Pick<GraphNode, 'type' | 'parent'>): boolean {
	return parent !== undefined && getNodeRole(type) === 'inner-start';
}
