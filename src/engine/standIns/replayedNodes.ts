import { getNodeRole } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { AgentNode, Graph } from '../agentFile/agentTypes.ts';
import type { NodeResult } from '../nodes/nodeType.ts';
import type { ExecutionPlace } from '../run/execution.ts';
import type { Execute } from '../run/runState.ts';
import { createMockResult } from './mockedNodes.ts';
import type { RecordedNode, RecordedRun } from './recordedRun.ts';

/** Values by node ID, then by name. */
export type ValuesByNode = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

type ReplayedPart = Pick<PartialRun, 'rounds' | 'also' | 'variables'>;

/**
 * Decides which nodes of a run reuse their recorded outputs: all except the node to start from, the nodes after it, and the containers
 * around them.
 */
export class Replay {
	readonly #recorded: RecordedRun;
	readonly #values: ValuesByNode;
	/** Nodes that run again, on any level. */
	readonly #running = new Set<AgentNode>();
	/** The iteration of each container around the node, from the outermost. */
	readonly #rounds: ReadonlyMap<string, number>;

	/** `sys.timestamp` of the recorded run, so that requests with the time stay the same. */
	get timestamp(): number | undefined {
		const { timestamp } = this.#recorded.system;
		return typeof timestamp === 'number' ? timestamp : undefined;
	}

	/**
	 * @param path containers around the node to start from, outermost first, and the node itself
	 * @param part its values override recorded ones
	 */
	constructor(recorded: RecordedRun, graph: Graph, path: readonly AgentNode[], { rounds = [], also = [], variables = {} }: ReplayedPart) {
		this.#recorded = recorded;
		this.#values = variables;
		this.#rounds = new Map(path.slice(0, -1).map(({ id }, depth) => [id, rounds[depth] ?? 0]));
		let level: Graph | undefined = graph;
		for (const node of path) {
			for (const each of [node, ...also.flatMap(id => (level as Graph).nodes.get(id) ?? [])]) {
				this.#addFollowingNodes(each, level as Graph);
			}
			level = node.inner;
		}
	}

	/** Returns the recorded result of a node; undefined if the node runs again. */
	findRecordedNode(node: AgentNode, place: ExecutionPlace): RecordedNode | undefined {
		if (!isReusable(node) || this.#isAfterStart(node, place)) {
			return undefined;
		}
		const found = this.#recorded.getNode(node.id, place);
		// other iterations keep what they had
		const values = this.#isInChosenIterations(place) ? this.#values[node.id] : undefined;
		return found && values ? { ...found, outputs: { ...found.outputs, ...values } } : found;
	}

	/** True if a node starts before the one to start from: it isn't executed, only because it costs nothing, or as a container around it. */
	isBeforeStart(node: AgentNode, place: ExecutionPlace): boolean {
		if (this.#rounds.has(node.id) && this.#isInChosenIterations(place)) {
			return true;
		}
		return !this.#isAfterStart(node, place) && (!isReusable(node) || this.findRecordedNode(node, place) !== undefined);
	}

	/** Returns values set by a user in the outputs of a start node, which runs again because it costs nothing. */
	getSetByHand({ id, type }: AgentNode, place: ExecutionPlace): Readonly<Record<string, unknown>> {
		return getNodeRole(type) === 'start' ? { ...this.#recorded.getSetByHand(id, place), ...this.#values[id] } : {};
	}

	#isAfterStart(node: AgentNode, place: ExecutionPlace): boolean {
		return (this.#running.has(node) && this.#isInChosenIterations(place)) || this.#isLaterLoopIteration(place);
	}

	#addFollowingNodes(node: AgentNode, { nodes }: Graph): void {
		const walk = [node];
		for (const each of walk) {
			this.#running.add(each);
			for (const { target } of each.outgoing) {
				const next = nodes.get(target);
				if (next && !this.#running.has(next)) {
					this.#running.add(next);
					walk.push(next);
				}
			}
		}
	}

	/** True if a place is in the chosen iterations, or outside of all containers around the node. */
	#isInChosenIterations({ iteration_id, iteration_index, loop_id, loop_index }: ExecutionPlace): boolean {
		return this.#isChosenIteration(iteration_id, iteration_index) && this.#isChosenIteration(loop_id, loop_index);
	}

	#isChosenIteration(container: string | undefined, index: number | undefined): boolean {
		const round = container === undefined ? undefined : this.#rounds.get(container);
		return round === undefined || round === index;
	}

	/** True for later iterations of a loop. They depend on earlier ones, so all of them run after a changed one. */
	#isLaterLoopIteration({ loop_id, loop_index }: ExecutionPlace): boolean {
		const round = loop_id === undefined ? undefined : this.#rounds.get(loop_id);
		return round !== undefined && (loop_index ?? 0) > round;
	}
}

/**
 * False for nodes that start or end a graph or change variables: running them again costs nothing, and their effects aren't in the
 * outputs.
 */
export function isReusable({ type, nodeType }: AgentNode): boolean {
	return nodeType !== undefined && getNodeRole(type) !== 'start' && type !== 'assigner' && !nodeType.template;
}

/** Runs nodes, except those that reuse their recorded outputs. */
export function executeReplay(replay: Replay, execute: Execute): Execute {
	return context => {
		const kept = replay.findRecordedNode(context.node, context.place);
		if (!kept) {
			const byHand = replay.getSetByHand(context.node, context.place);
			return Object.keys(byHand).length === 0 ? execute(context) : addChangedOutputs(execute(context), byHand);
		}
		return createMockResult(context, { outputs: { ...kept.outputs }, ...(kept.status === 'exception' && { handle: 'fail-branch' }) });
	};
}

/** Resolves to the result of a node, with some outputs replaced. */
export async function addChangedOutputs(running: ReturnType<Execute>, values: Readonly<Record<string, unknown>>): Promise<NodeResult> {
	const result = await running;
	return { ...result, outputs: { ...result.outputs, ...values } };
}
