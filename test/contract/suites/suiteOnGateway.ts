import assert from 'node:assert/strict';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { ServiceClient } from '#client/client.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import type { SuiteRunner, SuiteRunOptions } from '#suites/running/suiteRunner.ts';
import type { Suite } from '#suites/suite.ts';
import { createTemporaryFolder } from '../gateway/gatewayProcess.ts';

/** Reads a suite, which must have no problems, and runs it on the built-in gateway. */
export async function runSuiteOnGateway(
	content: object,
	client: ServiceClient,
	runner: SuiteRunner,
	options: Pick<SuiteRunOptions, 'filter'> = {},
): Promise<{ readonly suite: Suite; readonly results: readonly CaseResult[] }> {
	const root = createTemporaryFolder();
	const agents = await client.listAgents();
	const reading = { connection: 'local', agents, takesMocks: true, root, t: fillPlaceholders };
	const { suite, faults } = await readSuite(JSON.stringify(content), path.join(root, 'one.suite.json'), reading);
	assert.deepEqual(faults, []);
	const placeholders = { workspaceFolder: root, askInput: async () => undefined, environment: undefined };
	const service = { name: 'local', client, pace: new ConnectionPace(), agents, drafts: true, takesMocks: true, user: 'ci', placeholders };
	const results: CaseResult[] = [];
	for await (const event of runner.run(suite!, service, { resultFile: path.join(root, 'results.jsonl'), ...options })) {
		if (event.type === 'result') {
			results.push(event.result);
		}
	}
	return { suite: suite!, results };
}
