import type { Graph } from './agentTypes.ts';
import { GraphRun } from './graphRun.ts';
import type { RoundRunner } from './nodes/nodeType.ts';
import type { Execution, Place } from './runEvents.ts';
import type { RunState } from './runState.ts';

/** Runs the inner graph of a container, each round as a level of its own, and sends the container's events. */
export function roundRunner(execution: Execution, inner: Graph, run: RunState, place: Place, signal: AbortSignal): RoundRunner {
	const { node } = execution;
	const roundPlace = (index: number): Place =>
		node.type === 'loop' ? { ...place, loop_id: node.id, loop_index: index } : { ...place, iteration_id: node.id, iteration_index: index };
	return {
		run: (index, variables, own) =>
			new GraphRun(inner, run, variables, own ? AbortSignal.any([signal, own]) : signal, roundPlace(index)).run(),
		emit(kind, data) {
			if (!execution.done) {
				run.events.container(execution, kind, data, place);
			}
		},
	};
}

/** For nodes that are no containers. */
export const noRounds: RoundRunner = {
	run: () => Promise.reject(new Error('Only iterations and loops have rounds')),
	emit: () => {},
};
