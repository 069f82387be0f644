import { isDeepStrictEqual } from 'node:util';
import { loadAgent } from '../../src/gateway/engine/agentFile.ts';
import { CodeRunner } from '../../src/gateway/engine/code/codeRunner.ts';
import type { EngineServices } from '../../src/gateway/engine/engineTypes.ts';
import { runAgent } from '../../src/gateway/engine/run.ts';
import type { WorkflowEvent } from '../../src/protocol/events.ts';
import type { DslCase, DslRun } from './caseFile.ts';
import { eventDifference } from './compareEvents.ts';
import { mockNodes } from './mockNodes.ts';

/** Runs all runs of a case. @returns its first difference from what was recorded; `undefined`: there is none */
export async function runCase(dslCase: DslCase): Promise<string | undefined> {
	for (const [index, run] of dslCase.runs.entries()) {
		const difference = await runOnce(dslCase, run);
		if (difference !== undefined) {
			return `run ${index + 1}: ${difference}`;
		}
	}
	return undefined;
}

async function runOnce(dslCase: DslCase, run: DslRun): Promise<string | undefined> {
	const agent = loadAgent(dslCase.agentText, dslCase.agentFile);
	const events: WorkflowEvent[] = [];
	const { data, skippedNodes } = await runAgent(
		agent,
		{
			runId: 'run',
			taskId: 'task',
			workflowId: 'workflow',
			appId: 'app',
			sequenceNumber: 1,
			inputs: run.inputs,
			files: [],
			user: 'ana',
			chat: { query: run.query ?? '', conversationId: 'conversation', dialogueCount: 0, variables: {}, history: [] },
			signal: new AbortController().signal,
			emit: event => events.push(event),
		},
		services,
		mockNodes(run, dslCase.order === 'exact'),
	);
	const { final, skipped_nodes } = run.expected;
	const loose = dslCase.tags.has('python-error-text');
	const actual = {
		status: data.status,
		outputs: data.outputs,
		error: loose && data.error ? final.error : data.error,
		exceptions_count: data['exceptions_count'],
		total_steps: data.total_steps,
		total_tokens: data.total_tokens,
	};
	for (const field of ['status', 'error', 'outputs', 'exceptions_count', 'total_steps', 'total_tokens'] as const) {
		if (!isDeepStrictEqual(actual[field], final[field])) {
			return `${field}: expected ${JSON.stringify(final[field])}, got ${JSON.stringify(actual[field])}${field === 'status' ? ` (${data.error})` : ''}`;
		}
	}
	if (!isDeepStrictEqual(skippedNodes, [...skipped_nodes].sort())) {
		return `skipped_nodes: expected ${JSON.stringify(skipped_nodes)}, got ${JSON.stringify(skippedNodes)}`;
	}
	return eventDifference(dslCase, run.expected.events, events);
}

/** Nodes that need these are mocked; what is not must not reach out. */
const services: EngineServices = {
	models: {
		stream: () => {
			throw new Error('a model was asked that the case does not mock');
		},
	},
	settings: { allowPrivateNetwork: false },
	code: new CodeRunner(),
	files: { describe: () => undefined, read: () => Promise.reject(new Error('no files in a case')) },
};
