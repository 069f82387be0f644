import type { AgentNode, Graph, LoadedAgent } from '../agentFile/agentTypes.ts';
import { NodeError } from '../nodes/nodeError.ts';
import type { ExecutionPlace } from '../run/execution.ts';
import type { Execute } from '../run/runState.ts';
import { createMockResult } from './mockedNodes.ts';
import { RecordedRun } from './recordedRun.ts';
import { addChangedOutputs, isReusable } from './replayedNodes.ts';

/** A recorded run that is shown again: no node calls anything, and each one ends as it did then. */
export class RunPlayback {
	readonly #recorded: RecordedRun;

	/** @param events of the run, as JSON strings, in order */
	constructor(events: Iterable<string>) {
		this.#recorded = new RecordedRun(events);
	}

	/** Runs nodes that only start or end a graph or change variables. All others end as recorded, also those inside of containers. */
	replaceNodes(execute: Execute): Execute {
		return context => {
			const { node, place } = context;
			if (!isReusable(node)) {
				const byHand = this.#recorded.getSetByHand(node.id, place);
				return Object.keys(byHand).length === 0 ? execute(context) : addChangedOutputs(execute(context), byHand);
			}
			if (node.inner && this.#hasIterations(node, place)) {
				return execute(context);
			}
			const found = this.#recorded.getNode(node.id, place);
			if (found) {
				return createMockResult(context, { outputs: { ...found.outputs }, ...(found.status === 'exception' && { handle: 'fail-branch' }) });
			}
			throw new NodeError(
				this.#recorded.getFailure(node.id, place) ??
					`The record of this run has no result of '${node.title}'. The run ended before, or the agent was different.`,
				'RecordedError',
			);
		};
	}

	/** True if the nodes in all iterations of a container are recorded. Only the innermost container of each kind is. */
	#hasIterations(container: AgentNode, place: ExecutionPlace): boolean {
		const isLoop = container.type === 'loop';
		if ((isLoop ? place.loop_id : place.iteration_id) !== undefined) {
			return false;
		}
		const last = this.#recorded.getIterationCount(container.id, place) - 1;
		const inside = isLoop
			? { ...place, loop_id: container.id, loop_index: last }
			: { ...place, iteration_id: container.id, iteration_index: last };
		const isFailed = this.#recorded.getFailure(container.id, place) !== undefined;
		return isFailed || [...(container.inner?.nodes.keys() ?? [])].some(id => this.#recorded.hasNodeStarted(id, inside));
	}
}

/** Returns an agent whose nodes aren't retried, because a recorded failure would repeat. */
export function removeRetries(agent: LoadedAgent): LoadedAgent {
	return { ...agent, graph: removeRetriesFromGraph(agent.graph) };
}

function removeRetriesFromGraph(graph: Graph): Graph {
	const nodes = new Map(
		[...graph.nodes].map(([id, node]): [string, AgentNode] => [
			id,
			{ ...node, failure: { ...node.failure, retries: 0 }, inner: node.inner && removeRetriesFromGraph(node.inner) },
		]),
	);
	const getNode = ({ id }: AgentNode) => nodes.get(id) as AgentNode;
	return { root: getNode(graph.root), roots: graph.roots.map(getNode), nodes, responses: graph.responses.map(getNode) };
}
