import type { AgentNode, Edge, Graph } from '../../agentFile/agentTypes.ts';
import type { LeftNode } from '../pausedRun.ts';

/** A node that every edge to it is decided for, and at least one was taken. */
export interface ReadyNode {
	readonly node: AgentNode;
	/** Source of the last edge taken; null for the root. */
	readonly predecessor: string | null;
}

/** What follows from a node that has ended. */
interface Step {
	readonly taken: readonly Edge[];
	readonly skipped: readonly AgentNode[];
	readonly ready: readonly ReadyNode[];
}

/** Where a node stands: how many edges to it are undecided, and who took the last one. */
interface NodeState {
	open: number;
	predecessor: string | undefined;
	skipped: boolean;
}

/**
 * Decides edges: taken or skipped. A node is ready once no edge to it is open any more and one was taken; if all were skipped it is
 * skipped, and so is what only it leads to (workflow DSL, "Execution").
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

	/** IDs of nodes that are skipped; sorted. */
	skippedNodes(): string[] {
		return [...this.#states]
			.filter(([, state]) => state.skipped)
			.map(([id]) => id)
			.sort();
	}

	/** Skips a root that the run does not begin with, and what only it leads to. @returns all of them */
	skipRoot(root: AgentNode): readonly AgentNode[] {
		const state = this.#states.get(root.id);
		if (state) {
			state.skipped = true;
		}
		return [root, ...this.#passOver([...root.outgoing], [])];
	}

	/** @param handle way out that the node has chosen; `undefined`: it takes all */
	leave(node: AgentNode, handle: string | undefined): Step {
		const taken: Edge[] = [];
		const ready: ReadyNode[] = [];
		const passedOver: Edge[] = [];
		for (const edge of node.outgoing) {
			(handle === undefined || edge.handle === handle ? taken : passedOver).push(edge);
		}
		// first what is not taken: a join may wait for nothing else
		const skipped = this.#passOver(passedOver, ready);
		for (const edge of taken) {
			this.#decide(edge, true, ready);
		}
		return { taken, skipped, ready };
	}

	/**
	 * Takes back what {@link leave} has decided, before anything of it has begun.
	 * @param left nodes that have ended, in their order, this one no longer among them
	 * @returns the node itself, ready, and the nodes that are not skipped any more
	 */
	takeBack(node: AgentNode, left: readonly LeftNode[]): { readonly ready: ReadyNode; readonly unskipped: readonly AgentNode[] } {
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
				state.predecessor = left.findLast(each => this.#took(each, id))?.node;
			}
		}
		return { ready: { node, predecessor: this.#states.get(node.id)?.predecessor ?? null }, unskipped };
	}

	/** Whether a node that has ended took an edge to another. */
	#took({ node, handle }: LeftNode, target: string): boolean {
		const edges = this.#graph.nodes.get(node)?.outgoing ?? [];
		return edges.some(edge => edge.target === target && (handle === undefined || edge.handle === handle));
	}

	/** @returns nodes that are skipped by that */
	#passOver(edges: Edge[], ready: ReadyNode[]): readonly AgentNode[] {
		const skipped: AgentNode[] = [];
		for (const edge of edges) {
			const target = this.#decide(edge, false, ready);
			if (target) {
				skipped.push(target);
				edges.push(...target.outgoing);
			}
		}
		return skipped;
	}

	/** @returns the target, if it is skipped by this */
	#decide({ source, target }: Edge, taken: boolean, ready: ReadyNode[]): AgentNode | undefined {
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
