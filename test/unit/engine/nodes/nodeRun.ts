import type { NodeResultData } from '#contract/events.ts';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { EngineServices, RunOptions } from '#engine/run/engineTypes.ts';
import { createAgentText, createStartNode, createTestServices, runTestAgent, type TestRun } from '../run/engineFixture.ts';

export interface NodeOutcome {
	readonly outputs: Readonly<Record<string, unknown>>;
	readonly status: string;
	readonly error: string | null;
	/** `error_type`, if the node failed. */
	readonly errorType: unknown;
	readonly record: NodeResultData;
	readonly run: TestRun;
}

/** Runs one node, `n`, after a start node `start` with the given inputs; it has a fail branch, so that its error type is visible. */
export async function runNodeAlone(
	data: Readonly<Record<string, unknown>> & { readonly type: string },
	inputs: Readonly<Record<string, unknown>> = {},
	services: EngineServices = createTestServices(),
	options: Partial<RunOptions> & { readonly workflow?: object } = {},
): Promise<NodeOutcome> {
	const { workflow, ...runOptions } = options;
	const text = createAgentText(
		[createStartNode(...Object.keys(inputs)), { id: 'n', data: { error_strategy: 'fail-branch', ...data } }],
		['start > n'],
		{ ...(workflow && { workflow }), mode: options.chat ? 'advanced-chat' : 'workflow' },
	);
	const done = await runTestAgent(loadAgent(text, 'test.yml'), { inputs, ...runOptions }, services);
	const record = done.events
		.map(event => ('data' in event ? (event.data as NodeResultData) : undefined))
		.findLast(reported => reported?.node_id === 'n' && reported.status !== undefined);
	if (!record) {
		throw new Error(`the node has no record: ${done.data.error}`);
	}
	const outputs = record.outputs ?? {};
	return { outputs, status: record.status, error: record.error, errorType: outputs['error_type'], record, run: done };
}
