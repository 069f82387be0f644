import type { NodeContext, RoundRunner } from '../nodes/nodeType.ts';
import type { VariablePool } from '../variables/variables.ts';
import type { RunOptions } from './engineTypes.ts';
import type { Execution, ExecutionPlace } from './execution.ts';
import type { EnclosingNode } from './gate.ts';
import type { ResponseStream } from './level/responseStream.ts';
import type { FormAnswer } from './pausedRun.ts';
import type { RunState } from './runState.ts';

/** The level that a node runs in: the agent itself, or an iteration of a container. */
interface NodeLevel {
	readonly options: RunOptions;
	readonly variables: VariablePool;
	readonly place: ExecutionPlace;
	readonly around: EnclosingNode | undefined;
	/** True for the agent itself. */
	readonly outermost: boolean;
	readonly signal: AbortSignal;
	/** Response to the node's form. */
	readonly answer: FormAnswer | undefined;
	/** Streamed text of the level; undefined in iterations, which send none. */
	readonly responses: ResponseStream | undefined;
	readonly rounds: RoundRunner;
}

/** Returns the context of one execution. Anything that the node reports after its end is dropped. */
export function createNodeContext(execution: Execution, run: RunState, level: NodeLevel): NodeContext<never> {
	const { node, draft } = execution;
	const { options, variables, place, around, outermost, signal, answer, responses, rounds } = level;
	return {
		node,
		settings: node.settings as never,
		variables,
		secrets: run.agent.secrets,
		services: run.services,
		run: options,
		signal,
		record: draft,
		place,
		around,
		outermost,
		answer,
		stream: (variable, text, last) => {
			if (!execution.done) {
				responses?.addChunk(node, variable, text, last);
			}
		},
		streamReasoning: (text, last) => {
			if (!execution.done && responses?.isShowingModel(node)) {
				run.events.emitReasoningChunk(node.id, text, last);
			}
		},
		reportThought: thought => {
			if (!execution.done) {
				run.events.emitAgentThought(thought);
			}
		},
		replace: text => {
			if (!execution.done) {
				run.events.emitTextReplace(text);
			}
		},
		addCitations: citations => {
			run.citations.push(...citations);
		},
		log: entry => {
			if (!execution.done) {
				run.events.emitAgentLog(execution, entry, place);
			}
		},
		packages: run.agent.packages,
		rounds,
	};
}
