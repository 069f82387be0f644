import assert from 'node:assert/strict';
import { createCountingAgent, oneNodeAgent } from '../bench/gateway/fairnessAgents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { createAgentText, createEndNode, createStartNode, createTemplateNode } from '../unit/engine/run/engineFixture.ts';
import { findPython } from './support/foundPython.ts';
import { chooseSize } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const rounds = 300_000;

/** An agent that fills in 400 KB of placeholders repeatedly until its time limit. */
const hugeTemplate = createAgentText(
	[
		createStartNode(),
		createTemplateNode('t', `{% for i in range(1000) %}${'{{ who | upper }} and then some words.'.repeat(10_500)}{% endfor %}`, {
			who: 'sys.user_id',
		}),
		createEndNode({ text: 't.output' }),
	],
	['start > t', 't > end'],
);

const hangingPython = createAgentText(
	[
		createStartNode(),
		{ id: 'code', data: { type: 'code', code_language: 'python3', code: 'def main():\n    while True: pass', outputs: {} } },
		createEndNode({}),
	],
	['start > code', 'code > end'],
);

describe('a looping run, an indexing run, a run with a huge template and one with hanging Python at the same time', () => {
	afterEach(cleanUpGateways);

	it("don't slow down health checks, stops and other runs", async function () {
		const python = findPython();
		if (!python) {
			this.skip();
		}
		const gateway = await startGateway({
			agents: {
				loop: createCountingAgent(rounds),
				template: hugeTemplate,
				python: hangingPython,
				indexed: oneNodeAgent,
				one: oneNodeAgent,
			},
			config: { engine: { python, max_steps: 10 * rounds } },
		});
		const measureRunMs = (text: string) => measureDuration(() => runAgentToEnd(gateway, 'one', { text }));
		await measureRunMs('what is loaded with the first run');
		const text = 'lorem ipsum dolor sit amet '.repeat(250_000 / 27);
		// indexing starts when these have ended, in a separate thread
		await Promise.all(Array.from({ length: 30 }, () => runAgentToEnd(gateway, 'indexed', { text })));
		const runs = [await startRun(gateway, 'loop'), await startRun(gateway, 'template'), await startRun(gateway, 'python')];
		const health = startProbe(gateway);
		const others: number[] = [];
		for (let i = 0; i < chooseSize(10, 400); i++) {
			others.push(await measureRunMs('a'));
		}
		const stops: number[] = [];
		for (const run of runs) {
			stops.push(await measureDuration(() => stopRun(gateway, run)));
		}
		const countMatchingRuns = async () =>
			(await gateway.send('GET', '/v1/agent/workflows/logs?model=indexed&keyword=dolor')).json.total as number;
		const search = await measureDuration(async () => assert.equal(await countMatchingRuns(), 30));
		const longest = { health: await health.stop(), run: Math.max(...others), stop: Math.max(...stops), search };
		assert.ok(
			Object.values(longest).every(ms => ms < patienceMs),
			JSON.stringify(longest),
		);
	});
});

async function measureDuration(work: () => Promise<unknown>): Promise<number> {
	const began = performance.now();
	await work();
	return performance.now() - began;
}

interface StartedRun {
	readonly model: string;
	readonly id: string;
	readonly task: string;
}

/** Starts a run without reading its events. */
async function startRun(gateway: GatewayProcess, model: string): Promise<StartedRun> {
	const order = { model, inputs: {}, user: 'ana', response_mode: 'streaming' };
	const stream = await gateway.openStream('/v1/agent/workflows/run', order);
	const { workflow_run_id: id, task_id: task } = await stream.waitForEvent('workflow_started');
	await stream.cancel();
	return { model, id, task };
}

/** Stops a run and resolves when it has ended. A run that fills in a template may already have reached its limit. */
async function stopRun(gateway: GatewayProcess, { model, id, task }: StartedRun): Promise<void> {
	const { status } = await gateway.send('POST', `/v1/agent/workflows/tasks/${task}/stop`, { model, user: 'ana' });
	assert.equal(status, 200);
	for (;;) {
		const { json } = await gateway.send('GET', `/v1/agent/workflows/run/${id}?model=${model}`);
		if (json.status !== 'running') {
			assert.equal(json.status, model === 'template' ? json.status : 'stopped', `${model}: ${json.error}`);
			return;
		}
	}
}

async function runAgentToEnd(gateway: GatewayProcess, model: string, inputs: object): Promise<void> {
	const order = { model, inputs, user: 'ana', response_mode: 'blocking' };
	const { json, text } = await gateway.send('POST', '/v1/agent/workflows/run', order);
	assert.equal(json?.data?.status, 'succeeded', text.slice(0, 500));
}
