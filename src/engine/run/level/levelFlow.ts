import type { AgentNode, Edge, Graph } from '../../agentFile/agentTypes.ts';
import type { LeftNode, PausedRun } from '../pausedRun.ts';
import { GraphProgress, type ReadyNode } from './graphProgress.ts';
import type { ResponseStream } from './responseStream.ts';

/** How far a level has come: the edges that are decided, the nodes that are ready by that, and what its texts are told of it. */
export class LevelFlow {
	/** Nodes that wait for their start. */
	ready: ReadyNode[] = [];
	readonly #graph: Graph;
	readonly #root: AgentNode;
	readonly #progress: GraphProgress;
	readonly #responses: ResponseStream | undefined;
	readonly #remembers: boolean;
	/** Nodes that have ended, of a level that remembers them. */
	readonly #left: LeftNode[] = [];

	/** @param responses texts that the level sends @param remembers which nodes have ended, to go on after a pause or to take one back */
	constructor(graph: Graph, root: AgentNode, responses: ResponseStream | undefined, remembers: boolean) {
		this.#graph = graph;
		this.#root = root;
		this.#responses = responses;
		this.#remembers = remembers;
		this.#progress = new GraphProgress(graph);
	}

	/** Nodes that have ended so far, of a level that remembers them. */
	get left(): readonly LeftNode[] {
		return this.#left;
	}

	/** IDs of nodes that no taken edge led to; sorted. */
	skippedNodes(): string[] {
		return this.#progress.skippedNodes();
	}

	/** Makes the root ready, or what waited when the run paused. */
	begin(paused?: PausedRun): void {
		const root = this.#root;
		for (const other of this.#graph.roots) {
			this.#skip(other === root ? [] : this.#progress.skipRoot(other));
		}
		if (paused) {
			this.#restore(paused);
			return;
		}
		this.#responses?.begin();
		this.ready.push({ node: root, predecessor: null });
	}

	/** A node goes its ways. @param handle that of a node that chooses one @returns what is ready by that */
	leave(node: AgentNode, handle: string | undefined): readonly ReadyNode[] {
		const { taken, skipped, ready } = this.#progress.leave(node, handle);
		if (this.#remembers) {
			this.#left.push({ node: node.id, ...(handle !== undefined && { handle }) });
		}
		this.ready.push(...ready);
		if (this.#responses) {
			this.#skip(skipped);
			for (const edge of taken) {
				this.#responses.edgeTaken(edge);
			}
		}
		return ready;
	}

	/** A node that has ended is ready again, and nothing of what it led to is. */
	takeBack(node: AgentNode): void {
		const at = this.#left.findLastIndex(left => left.node === node.id);
		this.#left.splice(at, at < 0 ? 0 : 1);
		const { ready, unskipped } = this.#progress.takeBack(node, this.#left);
		for (const each of unskipped) {
			this.#responses?.nodeUnskipped(each);
		}
		this.#responses?.nodeFailed(node);
		this.ready.push(ready);
	}

	/** Decides again what was decided before the run paused, and makes ready what waits. */
	#restore({ left, texts, waiting }: PausedRun): void {
		const taken: Edge[] = [];
		for (const { node: id, handle } of left) {
			const step = this.#progress.leave(this.#nodeOf(id), handle);
			taken.push(...step.taken);
			this.#skip(step.skipped);
		}
		this.#left.push(...left);
		this.#responses?.restore(texts, taken);
		this.ready.push(...waiting.map(({ node, predecessor }) => ({ node: this.#nodeOf(node), predecessor })));
	}

	#skip(nodes: readonly AgentNode[]): void {
		for (const node of nodes) {
			this.#responses?.nodeSkipped(node);
		}
	}

	/** @throws {Error} if the agent is another than the one that paused */
	#nodeOf(id: string): AgentNode {
		const node = this.#graph.nodes.get(id);
		if (!node) {
			throw new Error(`The agent has no node "${id}" any more: the run can only go on with the agent that it was begun with`);
		}
		return node;
	}
}
