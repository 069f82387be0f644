import type { AgentNode, Edge, Graph } from '../../agentFile/agentTypes.ts';
import type { LeftNode, PausedRun } from '../pausedRun.ts';
import { GraphProgress, type ReadyNode } from './graphProgress.ts';
import type { ResponseStream } from './responseStream.ts';

/** Progress of a level: its decided edges and ready nodes. Keeps the streamed text up to date. */
export class LevelFlow {
	/** Nodes ready to start. */
	ready: ReadyNode[] = [];
	readonly #graph: Graph;
	readonly #root: AgentNode;
	readonly #progress: GraphProgress;
	readonly #responses: ResponseStream | undefined;
	readonly #remembers: boolean;
	/** Finished nodes in order, if the level remembers them. */
	readonly #left: LeftNode[] = [];

	/**
	 * @param responses text that the level streams @param remembers true if finished nodes are remembered, to resume or to run one again
	 */
	constructor(graph: Graph, root: AgentNode, responses: ResponseStream | undefined, remembers: boolean) {
		this.#graph = graph;
		this.#root = root;
		this.#responses = responses;
		this.#remembers = remembers;
		this.#progress = new GraphProgress(graph);
	}

	/** Finished nodes so far, if the level remembers them. */
	get left(): readonly LeftNode[] {
		return this.#left;
	}

	/** Returns the sorted IDs of nodes that no taken edge led to. */
	listSkippedNodes(): string[] {
		return this.#progress.listSkippedNodes();
	}

	/** Makes the root ready, or the nodes that were waiting when the run paused. */
	beginLevel(paused?: PausedRun): void {
		const root = this.#root;
		for (const other of this.#graph.roots) {
			this.#reportSkippedNodes(other === root ? [] : this.#progress.skipRoot(other));
		}
		if (paused) {
			this.#restoreProgress(paused);
			return;
		}
		this.#responses?.openCertainTexts();
		this.ready.push({ node: root, predecessor: null });
	}

	/**
	 * Takes the edges of a finished node. @param handle chosen output handle of a branching node @returns the nodes that are ready as a
	 * result
	 */
	leaveNode(node: AgentNode, handle: string | undefined): readonly ReadyNode[] {
		const { taken, skipped, ready } = this.#progress.leaveNode(node, handle);
		if (this.#remembers) {
			this.#left.push({ node: node.id, ...(handle !== undefined && { handle }) });
		}
		this.ready.push(...ready);
		if (this.#responses) {
			this.#reportSkippedNodes(skipped);
			for (const edge of taken) {
				this.#responses.onEdgeTaken(edge);
			}
		}
		return ready;
	}

	/** Makes a finished node ready again and discards its effects. */
	takeBackNode(node: AgentNode): void {
		const at = this.#left.findLastIndex(left => left.node === node.id);
		this.#left.splice(at, at < 0 ? 0 : 1);
		const { ready, unskipped } = this.#progress.takeBackNode(node, this.#left);
		for (const each of unskipped) {
			this.#responses?.onNodeUnskipped(each);
		}
		this.#responses?.onNodeFailed(node);
		this.ready.push(ready);
	}

	/** Repeats the decisions made before the run paused, and makes the waiting nodes ready. */
	#restoreProgress({ left, texts, waiting }: PausedRun): void {
		const taken: Edge[] = [];
		for (const { node: id, handle } of left) {
			const step = this.#progress.leaveNode(this.#getNode(id), handle);
			taken.push(...step.taken);
			this.#reportSkippedNodes(step.skipped);
		}
		this.#left.push(...left);
		this.#responses?.restoreState(texts, taken);
		this.ready.push(...waiting.map(({ node, predecessor }) => ({ node: this.#getNode(node), predecessor })));
	}

	#reportSkippedNodes(nodes: readonly AgentNode[]): void {
		for (const node of nodes) {
			this.#responses?.onNodeSkipped(node);
		}
	}

	/** @throws {Error} if the node doesn't exist, because the paused run was of another agent */
	#getNode(id: string): AgentNode {
		const node = this.#graph.nodes.get(id);
		if (!node) {
			throw new Error(`The agent no longer has the node '${id}'. The run can only continue with the version that it started with.`);
		}
		return node;
	}
}
