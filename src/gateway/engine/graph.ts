import type { AgentDocument, Path } from './agentDocument.ts';
import type { RawEdge, RawGraph, RawNode } from './agentFileSchema.ts';
import type { AgentFault, AgentNode, Edge, Graph } from './agentTypes.ts';
import { failurePolicy } from './failurePolicy.ts';
import { nodeTypes } from './nodes/nodeTypes.ts';
import { checkReferences } from './referenceCheck.ts';

/** Depth of iterations and loops inside each other (workflow DSL, "Limits"). */
const maxNesting = 5;

/** A node that is to be run, with its place in the file. Notes are none. */
interface Placed {
	readonly raw: RawNode & { readonly data: NonNullable<RawNode['data']> };
	readonly path: Path;
}

/**
 * Builds what a run walks over: only what can be reached from the root, each level by itself.
 * @throws {AgentFileError} for cycles, doubled node IDs, a missing start node, and settings that a node type refuses
 */
export function buildGraph(document: AgentDocument, raw: RawGraph, path: Path, warnings: AgentFault[]): Graph {
	const nodes = placedNodes(document, raw, path);
	const starts = [...nodes.values()].filter(({ raw: node }) => !node.parentId && isStart(node.data.type));
	const [start, second] = starts;
	if (!start) {
		return document.refuse([...path, 'nodes'], 'no start node: a graph begins with exactly one');
	}
	if (second) {
		return document.refuse(second.path, `a second start node ("${second.raw.id}"): a graph begins with exactly one`);
	}
	const builder = new GraphBuilder(document, nodes, knownEdges(document, raw, path, nodes, warnings));
	const graph = builder.build(start, null, 0);
	checkReferences(document, nodes, raw, warnings);
	return graph;
}

function isStart(type: string): boolean {
	return type === 'start' || type.startsWith('trigger-');
}

function placedNodes(document: AgentDocument, raw: RawGraph, path: Path): ReadonlyMap<string, Placed> {
	const nodes = new Map<string, Placed>();
	for (const [index, node] of raw.nodes.entries()) {
		const place = [...path, 'nodes', index];
		if (!node.data || node.type === 'custom-note') {
			continue;
		}
		if (nodes.has(node.id)) {
			document.refuse([...place, 'id'], `a second node "${node.id}": IDs must differ`);
		}
		nodes.set(node.id, { raw: { ...node, data: node.data }, path: place });
	}
	return nodes;
}

function knownEdges(
	document: AgentDocument,
	raw: RawGraph,
	path: Path,
	nodes: ReadonlyMap<string, Placed>,
	warnings: AgentFault[],
): readonly RawEdge[] {
	return raw.edges.filter((edge, index) => {
		const missing = [edge.source, edge.target].find(id => !nodes.has(id));
		if (missing !== undefined) {
			warnings.push(document.fault([...path, 'edges', index], `an edge names the node "${missing}", which does not exist: ignored`));
		}
		return missing === undefined;
	});
}

class GraphBuilder {
	readonly #document: AgentDocument;
	readonly #nodes: ReadonlyMap<string, Placed>;
	readonly #edges = new Map<string, Edge[]>();

	constructor(document: AgentDocument, nodes: ReadonlyMap<string, Placed>, edges: readonly RawEdge[]) {
		this.#document = document;
		this.#nodes = nodes;
		for (const { source, target, sourceHandle } of edges) {
			const list = this.#edges.get(source) ?? [];
			list.push({ source, target, handle: sourceHandle === 'success-branch' ? 'source' : sourceHandle });
			this.#edges.set(source, list);
		}
	}

	/** @param parent ID of the container around; null: the agent itself */
	build(root: Placed, parent: string | null, depth: number): Graph {
		const reached = this.#reachable(root.raw.id, parent);
		this.#refuseCycle(reached);
		const incoming = new Map<string, number>();
		for (const id of reached) {
			for (const edge of this.#outgoing(id, parent)) {
				incoming.set(edge.target, (incoming.get(edge.target) ?? 0) + 1);
			}
		}
		const nodes = new Map<string, AgentNode>();
		for (const [id, placed] of this.#nodes) {
			if (reached.has(id)) {
				nodes.set(id, this.#node(placed, this.#outgoing(id, parent), incoming.get(id) ?? 0, depth));
			}
		}
		return {
			root: nodes.get(root.raw.id) as AgentNode,
			nodes,
			responses: [...nodes.values()].filter(node => node.nodeType?.template),
		};
	}

	#node({ raw, path }: Placed, outgoing: readonly Edge[], incoming: number, depth: number): AgentNode {
		const { data } = raw;
		const type = nodeTypes.get(data.type);
		const dataPath = [...path, 'data'];
		return {
			id: raw.id,
			type: data.type,
			title: data.title || raw.id,
			nodeType: type,
			settings: type ? this.#document.check(type.schema, data, dataPath) : data,
			failure: failurePolicy(data, this.#document, dataPath),
			outgoing,
			incoming,
			inner: type?.container ? this.#inner(raw, dataPath, depth + 1) : undefined,
		};
	}

	#inner({ id, data }: Placed['raw'], path: Path, depth: number): Graph {
		if (depth > maxNesting) {
			this.#document.refuse(path, `iterations and loops are nested more than ${maxNesting} deep`);
		}
		const startId = data['start_node_id'];
		const start = [...this.#nodes.values()].find(
			({ raw }) => raw.parentId === id && (raw.id === startId || raw.data.type === `${data.type}-start`),
		);
		return start ? this.build(start, id, depth) : this.#document.refuse([...path, 'start_node_id'], 'names no node inside this one');
	}

	/** Edges to nodes of the same level. */
	#outgoing(id: string, parent: string | null): readonly Edge[] {
		return (this.#edges.get(id) ?? []).filter(edge => (this.#nodes.get(edge.target)?.raw.parentId ?? null) === parent);
	}

	#reachable(root: string, parent: string | null): ReadonlySet<string> {
		const reached = new Set([root]);
		for (const id of reached) {
			for (const edge of this.#outgoing(id, parent)) {
				reached.add(edge.target);
			}
		}
		return reached;
	}

	#refuseCycle(reached: ReadonlySet<string>): void {
		const open = new Set<string>();
		const done = new Set<string>();
		for (const root of reached) {
			if (done.has(root)) {
				continue;
			}
			const stack = [{ id: root, next: 0 }];
			open.add(root);
			while (stack.length > 0) {
				const top = stack[stack.length - 1] as { id: string; next: number };
				const target = this.#edges.get(top.id)?.[top.next++]?.target;
				if (target === undefined) {
					open.delete(top.id);
					done.add(top.id);
					stack.pop();
				} else if (open.has(target)) {
					const from = stack.findIndex(entry => entry.id === target);
					const cycle = [...stack.slice(from).map(entry => entry.id), target].join(' → ');
					this.#document.refuse(this.#nodes.get(target)?.path ?? [], `the nodes ${cycle} form a cycle; use a loop node to repeat`);
				} else if (reached.has(target) && !done.has(target)) {
					open.add(target);
					stack.push({ id: target, next: 0 });
				}
			}
		}
	}
}
