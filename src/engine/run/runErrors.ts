import { stoppedByUser } from '#contract/workflows.ts';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import { MissingVariableError, NodeError } from '../nodes/nodeError.ts';
import { getStartVariables } from './inputs.ts';
import type { RunState } from './runState.ts';

/** Returns why a run was stopped: the signal's reason, if it has a message for users. */
export function getStopReason(signal: AbortSignal): Error {
	return signal.reason instanceof Error && signal.reason.name === 'Error' ? signal.reason : new Error(stoppedByUser);
}

/** Adds the name of the missing input to a node's error if the run was started without that input. */
export function addMissingInputName(thrown: unknown, { title }: AgentNode, { graph }: RunState['agent']): Error {
	const error = toError(thrown);
	if (!(error instanceof MissingVariableError)) {
		return error;
	}
	const [id, name] = error.selector;
	const start = graph.roots.find(root => root.id === id && root.type === 'start');
	const isInput = start && getStartVariables(start).some(({ variable }) => variable === name);
	return isInput ? new NodeError(`The input '${name}' is missing, but the node '${title}' needs it`, error.type, { cause: error }) : error;
}

/** Converts a thrown value to an error. */
export function toError(thrown: unknown): Error {
	return thrown instanceof Error ? thrown : new Error(String(thrown));
}
