import assert from 'node:assert/strict';
import { createCountingAgent } from '../bench/gateway/fairnessAgents.ts';
import { cleanUpGateways, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { createAgentText, createEndNode, createStartNode, createTemplateNode } from '../unit/engine/run/engineFixture.ts';
import { chooseSize } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const run = { inputs: {}, response_mode: 'streaming', user: 'ana' };

/** Creates an agent that iterates over its input. */
function createIteration(parallel: boolean): string {
	const data = {
		type: 'iteration',
		start_node_id: 'its',
		iterator_selector: ['start', 'o', 'items'],
		output_selector: ['t', 'output'],
		is_parallel: parallel,
		parallel_nums: 1e6,
	};
	const start = { id: 'start', data: { type: 'start', variables: [{ variable: 'o', type: 'json_object', label: 'o', required: true }] } };
	return createAgentText(
		[
			start,
			{ id: 'it', data },
			{ id: 'its', parentId: 'it', data: { type: 'iteration-start' } },
			{ ...createTemplateNode('t', 'x'), parentId: 'it' },
			createEndNode({ all: 'it.output' }),
		],
		['start > it', 'its > t', 'it > end'],
	);
}

describe('loops and iterations with very many rounds', () => {
	afterEach(cleanUpGateways);

	it('delay no caller, and stop immediately', async () => {
		const gateway = await startGateway({
			agents: { loop: createCountingAgent(1e9), other: createAgentText([createStartNode(), createEndNode({})], ['start > end']) },
			config: { engine: { max_steps: 1e9 } },
		});
		const loops = await Promise.all(
			Array.from({ length: 5 }, () =>
				gateway.send('POST', '/v1/agent/workflows/run', { ...run, model: 'other', response_mode: 'blocking' }),
			),
		);
		assert.ok(loops.every(({ status }) => status === 200));
		const streams = await Promise.all(
			Array.from({ length: 3 }, () => gateway.openStream('/v1/agent/workflows/run', { ...run, model: 'loop' })),
		);
		const started = await Promise.all(streams.map(stream => stream.waitForEvent('workflow_started')));
		const health = startProbe(gateway);
		for (let i = 0; i < chooseSize(10, 200); i++) {
			const { json } = await gateway.send('POST', '/v1/agent/workflows/run', { ...run, model: 'other', response_mode: 'blocking' });
			assert.equal(json.data.status, 'succeeded');
		}
		for (const { task_id } of started) {
			await gateway.send('POST', `/v1/agent/workflows/tasks/${task_id}/stop`, { model: 'loop', user: 'ana' });
		}
		for (const stream of streams) {
			assert.equal((await stream.waitForEvent('workflow_finished'))['data'].status, 'stopped');
		}
		assert.ok((await health.stop()) < patienceMs);
	});

	it("end at the hosted service's step limit, or are refused before the first step", async () => {
		const gateway = await startGateway({
			agents: { loop: createCountingAgent(1e6), each: createIteration(true), one: createIteration(false) },
		});
		const loop = await gateway.send('POST', '/v1/agent/workflows/run', { ...run, model: 'loop', response_mode: 'blocking' });
		assert.equal(loop.json.data.error, 'Maximum execution steps exceeded: 501 > 500');
		const health = startProbe(gateway);
		for (const model of ['each', 'one']) {
			const inputs = { o: { items: Array.from({ length: chooseSize(100_000, 400_000) }, (_, i) => i) } };
			const { json, text } = await gateway.send('POST', '/v1/agent/workflows/run', { ...run, model, inputs, response_mode: 'blocking' });
			assert.match(String(json?.data?.error), /items, but a run can start at most 500 nodes/, text.slice(0, 300));
		}
		assert.ok((await health.stop()) < patienceMs);
	});
});
