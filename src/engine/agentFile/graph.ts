import { type AgentGraph, findInnerStarts, type GraphEdge, type GraphNode, graphPath, isStart } from '#agentFile/agentGraph.ts';
import type { Path } from '#agentFile/agentText.ts';
import { nodeTypes } from '../nodes/nodeTypes.ts';
import type { AgentDocument } from './agentDocument.ts';
import type { AgentFault, AgentNode, Edge, Graph } from './agentTypes.ts';
import { readFailurePolicy } from './failurePolicy.ts';
import { checkReferences } from './referenceCheck.ts';

/** Maximum nesting depth of iterations and loops (workflow DSL, "Limits"). */
const maxNesting = 5;

/** A node to run, with its path in the file. */
interface Placed {
	readonly raw: GraphNode & { readonly data: NonNullable<GraphNode['data']> };
	readonly path: Path;
}

/**
 * Builds the graph of a run: only nodes reachable from start nodes and triggers, one graph per level.
 * @throws {AgentFileError} for cycles, duplicate node IDs, a missing start node, and settings that a node type refuses
 */
export function buildGraph(document: AgentDocument, raw: AgentGraph, warnings: AgentFault[]): Graph {
	const nodes = collectNodes(document, raw);
	const starts = [...nodes.values()].filter(({ raw: node }) => isStart(node));
	if (starts.length === 0) {
		return document.throwFault([...graphPath, 'nodes'], 'the graph has no start node or trigger');
	}
	const builder = new GraphBuilder(document, nodes, collectEdges(document, raw, nodes, warnings));
	const graph = builder.buildLevel(starts, null, 0);
	checkReferences(document, nodes, raw.nodes, warnings);
	return graph;
}

function collectNodes(document: AgentDocument, { nodes: raw }: AgentGraph): ReadonlyMap<string, Placed> {
	const nodes = new Map<string, Placed>();
	for (const node of raw) {
		const { data, at } = node;
		const place = [...graphPath, 'nodes', at];
		if (!data) {
			continue;
		}
		if (nodes.has(node.id)) {
			document.throwFault([...place, 'id'], `the ID '${node.id}' is already used by another node`);
		}
		nodes.set(node.id, { raw: { ...node, data }, path: place });
	}
	return nodes;
}

function collectEdges(
	document: AgentDocument,
	{ edges }: AgentGraph,
	nodes: ReadonlyMap<string, Placed>,
	warnings: AgentFault[],
): readonly GraphEdge[] {
	return edges.filter(edge => {
		const missing = [edge.source, edge.target].find(id => !nodes.has(id));
		if (missing !== undefined) {
			warnings.push(document.createFault([...graphPath, 'edges', edge.at], `the node '${missing}' doesn't exist, so the edge is ignored`));
		}
		return missing === undefined;
	});
}

class GraphBuilder {
	readonly #document: AgentDocument;
	readonly #nodes: ReadonlyMap<string, Placed>;
	/** Nodes by the ID of their container. */
	readonly #levels: ReadonlyMap<string | null, readonly Placed[]>;
	readonly #edges = new Map<string, Edge[]>();
	/**
	 * Number of incoming edges by node. These include edges from unreachable nodes: a node that waits for one of those is never ready (DSL
	 * additions, "File").
	 */
	readonly #incoming = new Map<string, number>();

	constructor(document: AgentDocument, nodes: ReadonlyMap<string, Placed>, edges: readonly GraphEdge[]) {
		this.#document = document;
		this.#nodes = nodes;
		this.#levels = Map.groupBy(nodes.values(), ({ raw }) => raw.parent ?? null);
		for (const { source, target, handle } of edges) {
			const list = this.#edges.get(source) ?? [];
			list.push({ source, target, handle });
			this.#edges.set(source, list);
			this.#incoming.set(target, (this.#incoming.get(target) ?? 0) + 1);
		}
	}

	/** @param parent ID of the enclosing container; null: the agent itself */
	buildLevel(starts: readonly Placed[], parent: string | null, depth: number): Graph {
		const reached = this.#findReachableNodes(
			starts.map(({ raw }) => raw.id),
			parent,
		);
		this.#refuseCycle(reached);
		const nodes = new Map<string, AgentNode>();
		for (const placed of this.#levels.get(parent) ?? []) {
			const { id } = placed.raw;
			if (reached.has(id)) {
				nodes.set(id, this.#buildNode(placed, this.#findOutgoingEdges(id, parent), this.#incoming.get(id) ?? 0, depth));
			}
		}
		const roots = starts.map(({ raw }) => nodes.get(raw.id) as AgentNode);
		return {
			root: roots[0] as AgentNode,
			roots,
			nodes,
			responses: [...nodes.values()].filter(node => node.nodeType?.template),
		};
	}

	#buildNode({ raw, path }: Placed, outgoing: readonly Edge[], incoming: number, depth: number): AgentNode {
		const { data } = raw;
		const type = nodeTypes.get(raw.type);
		const dataPath = [...path, 'data'];
		return {
			id: raw.id,
			type: raw.type,
			title: raw.title,
			nodeType: type,
			settings: type ? this.#document.checkValue(type.schema, data, dataPath) : data,
			failure: readFailurePolicy(data, this.#document, dataPath),
			outgoing,
			incoming,
			inner: type?.container ? this.#buildInnerGraph(raw, dataPath, depth + 1) : undefined,
		};
	}

	#buildInnerGraph(container: GraphNode, path: Path, depth: number): Graph {
		if (depth > maxNesting) {
			this.#document.throwFault(path, `iterations and loops are nested more than ${maxNesting} levels deep`);
		}
		const [first] = findInnerStarts(
			(this.#levels.get(container.id) ?? []).map(({ raw }) => raw),
			container,
		);
		const start = first && this.#nodes.get(first.id);
		return start
			? this.buildLevel([start], container.id, depth)
			: this.#document.throwFault([...path, 'start_node_id'], "isn't the ID of a node inside this one");
	}

	/** Returns the edges to nodes of the same level. */
	#findOutgoingEdges(id: string, parent: string | null): readonly Edge[] {
		return (this.#edges.get(id) ?? []).filter(edge => (this.#nodes.get(edge.target)?.raw.parent ?? null) === parent);
	}

	#findReachableNodes(roots: readonly string[], parent: string | null): ReadonlySet<string> {
		const reached = new Set(roots);
		for (const id of reached) {
			for (const edge of this.#findOutgoingEdges(id, parent)) {
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
					this.#document.throwFault(
						this.#nodes.get(target)?.path ?? [],
						`the nodes ${cycle} form a cycle. Use a loop node to repeat nodes.`,
					);
				} else if (reached.has(target) && !done.has(target)) {
					open.add(target);
					stack.push({ id: target, next: 0 });
				}
			}
		}
	}
}
