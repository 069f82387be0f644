import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { CoverageSum } from '#suites/coverage/agentCoverage.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import { SuiteRunner } from '#suites/running/suiteRunner.ts';
import { cleanUpGateways, createTemporaryFolder, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';

const samples = path.resolve(import.meta.dirname, '../../../samples');
const suites = fs.readdirSync(path.join(samples, 'suites')).filter(name => name.endsWith('.suite.json'));

describe('sample suites on the shipped gateway with the offline model', () => {
	let gateway: GatewayProcess;
	let client: ServiceClient;
	let agents: readonly AgentSummary[];
	const pace = new ConnectionPace();
	const runner = new SuiteRunner({ checkThread: new URL('../../../dist/checkThread.js', import.meta.url) });
	const covered = new CoverageSum();

	before(async () => {
		gateway = await startGateway({
			flags: ['--agents', path.join(samples, 'agents')],
			config: { knowledge: { handbook: { folder: path.join(samples, 'handbook') } } },
		});
		const { apiKey: key } = gateway;
		client = new ServiceClient({ baseUrl: gateway.baseUrl, kind: 'gateway', keys: { agent: key, messages: key, content: key } });
		agents = await client.listAgents();
	});
	after(async () => {
		await runner.close();
		await client.close();
		await cleanUpGateways();
	});

	async function runSuite(name: string): Promise<readonly CaseResult[]> {
		const file = path.join(samples, 'suites', name);
		const { suite, faults } = await readSuite(fs.readFileSync(file, 'utf8'), file, {
			connection: 'local',
			agents,
			takesMocks: true,
			root: samples,
			t: fillPlaceholders,
		});
		assert.deepEqual(faults, []);
		const results: CaseResult[] = [];
		const service = {
			name: 'local',
			client,
			pace,
			agents,
			drafts: true,
			takesMocks: true,
			user: 'ci',
			placeholders: { workspaceFolder: samples, askInput: async () => undefined, environment: undefined },
		};
		const resultFile = path.join(createTemporaryFolder(), 'results.jsonl');
		for await (const event of runner.run(suite!, service, { resultFile, coverage: true })) {
			if (event.type === 'result') {
				results.push(event.result);
				if (event.result.coverage) {
					covered.add(event.result.coverage);
				}
			}
		}
		return results;
	}

	for (const name of suites.filter(each => !each.startsWith('fails-on-purpose'))) {
		it(`${name} passes`, async () => {
			const results = await runSuite(name);
			const failed = results.filter(({ outcome }) => outcome !== 'passed');
			assert.deepEqual(
				failed.map(({ name, fault, checks }) => [name, fault, checks.flatMap(({ message = [] }) => message)]),
				[],
			);
			assert.ok(results.length > 0);
		});
	}

	it('fails-on-purpose.suite.json fails one case and reports why', async () => {
		const results = await runSuite('fails-on-purpose.suite.json');
		const failed = results.filter(({ outcome }) => outcome === 'failed');
		assert.equal(failed.length, 1);
		assert.match(
			failed[0]?.checks.find(({ passed }) => !passed)?.message ?? '',
			/^'run\.status' should equal "succeeded"\. Actual value: "failed"\. Error: Error: Line 2 of the levels is "about 1\.4": expected a number, as in 1\.40\./,
		);
	});

	it('leave no run paused at the service', async () => {
		assert.equal((await runSuite('runs.suite.json')).find(({ run }) => run?.status === 'paused')?.outcome, 'passed');
		assert.deepEqual((await client.listLogs({ model: 'approve-notice', status: 'paused' })).data, []);
	});

	it('include a dataset of 200 rows', async () => {
		assert.equal((await runSuite('tickets.suite.json')).length, 200);
	});

	it('cover all sample agents and all nodes of the support desk', () => {
		const names = agents.map(({ name }) => name).sort();
		assert.deepEqual([...covered.agents].sort(), names);
		const file = agents.find(({ name }) => name === 'support')!.file!;
		const { nodes } = covered.getAgentCoverage('support', file, fs.readFileSync(file, 'utf8'));
		assert.deepEqual(
			nodes.filter(({ count }) => count === 0).map(({ id }) => id),
			[],
		);
		assert.deepEqual(
			nodes.flatMap(({ id, ways }) => ways.filter(({ count }) => count === 0).map(({ handle }) => `${id}/${handle}`)),
			[],
		);
	});
});
