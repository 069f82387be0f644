import type { AgentNode, Edge, Graph } from '../../agentFile/agentTypes.ts';
import type { LeftNode } from '../pausedRun.ts';

/** A node whose incoming edges are all decided, with at least one taken. */
export interface ReadyNode {
	readonly node: AgentNode;
	/** Source of the last edge taken; null for the root. */
	readonly predecessor: string | null;
}

/** Result of leaving a node. */
interface Step {
	readonly taken: readonly Edge[];
	readonly skipped: readonly AgentNode[];
	readonly ready: readonly ReadyNode[];
}

/** Number of undecided edges to a node, and the source of the last edge taken. */
interface NodeState {
	open: number;
	predecessor: string | undefined;
	skipped: boolean;
}

/**
 * Marks edges as taken or skipped. A node is ready once all edges to it are decided and at least one was taken. If all were skipped, the
 * node is skipped, and so are nodes reachable only through it (workflow DSL, "Execution").
 */
export class GraphProgress {
	readonly #graph: Graph;
	readonly #states = new Map<string, NodeState>();

	constructor(graph: Graph) {
		this.#graph = graph;
		for (const node of graph.nodes.values()) {
			this.#states.set(node.id, { open: node.incoming, predecessor: undefined, skipped: false });
		}
	}

	/** Returns the sorted IDs of skipped nodes. */
	listSkippedNodes(): string[] {
		return [...this.#states]
			.filter(([, state]) => state.skipped)
			.map(([id]) => id)
			.sort();
	}

	/** Skips a root that the run doesn't start from, and the nodes reachable only from it. @returns all skipped nodes */
	skipRoot(root: AgentNode): readonly AgentNode[] {
		const state = this.#states.get(root.id);
		if (state) {
			state.skipped = true;
		}
		return [root, ...this.#skipEdges([...root.outgoing], [])];
	}

	/** Takes the edges of a finished node. @param handle chosen output handle; `undefined` to take all edges */
	leaveNode(node: AgentNode, handle: string | undefined): Step {
		const taken: Edge[] = [];
		const ready: ReadyNode[] = [];
		const passedOver: Edge[] = [];
		for (const edge of node.outgoing) {
			(handle === undefined || edge.handle === handle ? taken : passedOver).push(edge);
		}
		// skipped edges first: a join may be waiting only for them
		const skipped = this.#skipEdges(passedOver, ready);
		for (const edge of taken) {
			this.#decideEdge(edge, true, ready);
		}
		return { taken, skipped, ready };
	}

	/**
	 * Reverts what {@link leaveNode} decided, before any of the following nodes has started.
	 * @param left finished nodes in order, without this one
	 * @returns the node itself, ready, and the nodes that aren't skipped anymore
	 */
	takeBackNode(node: AgentNode, left: readonly LeftNode[]): { readonly ready: ReadyNode; readonly unskipped: readonly AgentNode[] } {
		const unskipped: AgentNode[] = [];
		const edges = [...node.outgoing];
		for (const { source, target: id } of edges) {
			const state = this.#states.get(id);
			const target = this.#graph.nodes.get(id);
			if (!state || !target) {
				continue;
			}
			state.open++;
			if (state.skipped) {
				state.skipped = false;
				unskipped.push(target);
				edges.push(...target.outgoing);
			} else if (state.predecessor === source) {
				state.predecessor = left.findLast(each => this.#hasTakenEdge(each, id))?.node;
			}
		}
		return { ready: { node, predecessor: this.#states.get(node.id)?.predecessor ?? null }, unskipped };
	}

	/** True if a finished node took an edge to the target. */
	#hasTakenEdge({ node, handle }: LeftNode, target: string): boolean {
		const edges = this.#graph.nodes.get(node)?.outgoing ?? [];
		return edges.some(edge => edge.target === target && (handle === undefined || edge.handle === handle));
	}

	/** Marks edges as skipped. @returns the nodes that are skipped as a result */
	#skipEdges(edges: Edge[], ready: ReadyNode[]): readonly AgentNode[] {
		const skipped: AgentNode[] = [];
		for (const edge of edges) {
			const target = this.#decideEdge(edge, false, ready);
			if (target) {
				skipped.push(target);
				edges.push(...target.outgoing);
			}
		}
		return skipped;
	}

	/** Marks an edge as taken or skipped. @returns the target, if it is skipped as a result */
	#decideEdge({ source, target }: Edge, taken: boolean, ready: ReadyNode[]): AgentNode | undefined {
		const state = this.#states.get(target);
		const node = this.#graph.nodes.get(target);
		if (!state || !node) {
			return undefined;
		}
		state.open--;
		if (taken) {
			state.predecessor = source;
		}
		if (state.open > 0) {
			return undefined;
		}
		if (state.predecessor !== undefined) {
			ready.push({ node, predecessor: state.predecessor });
			return undefined;
		}
		state.skipped = true;
		return node;
	}
}
