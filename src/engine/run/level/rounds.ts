import type { RoundEnd, RoundRunner } from '../../nodes/nodeType.ts';
import type { VariablePool } from '../../variables/variables.ts';
import type { Execution, ExecutionPlace } from '../execution.ts';
import type { RunEvents } from '../runEvents.ts';
import { mergeOutputs } from '../runOutputs.ts';

/** Runs one iteration of a container; iterations count from 0. */
export type RunLevel = (round: number, variables: VariablePool, place: ExecutionPlace) => Promise<RoundEnd>;

/**
 * Returns a runner that runs each iteration of a container's inner graph as a separate level and sends the container's events.
 * @param outputs outputs of the enclosing level, to which outputs of iterations are added
 */
export function createIterationRunner(
	execution: Execution,
	events: RunEvents,
	runLevel: RunLevel,
	place: ExecutionPlace,
	outputs: Record<string, unknown>,
): RoundRunner {
	const { node } = execution;
	const createIterationPosition = (index: number): ExecutionPlace =>
		node.type === 'loop' ? { ...place, loop_id: node.id, loop_index: index } : { ...place, iteration_id: node.id, iteration_index: index };
	return {
		run: (index, variables) => runLevel(index, variables, createIterationPosition(index)),
		keepOutputs: round => mergeOutputs(outputs, round),
		emit(kind, data) {
			if (!execution.done) {
				events.emitContainer(execution, kind, data, place);
			}
		},
	};
}

/** The round runner of nodes that aren't containers. */
export const noRounds: RoundRunner = {
	run: () => Promise.reject(new Error('Only iterations and loops have rounds')),
	keepOutputs: () => {},
	emit: () => {},
};
