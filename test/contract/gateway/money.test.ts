import assert from 'node:assert/strict';
import type { UsageEntry } from '#contract/text/textCalls.ts';
import { createChatAgent, createModelAgent } from './agents.ts';
import { cleanUpGateways, type GatewayProcess, startGateway } from './gatewayProcess.ts';

describe('runs on priced routes', () => {
	let gateway: GatewayProcess;
	before(async () => {
		gateway = await startGateway({
			agents: { asker: createModelAgent('priced'), chatter: createChatAgent() },
			config: { routes: [{ model: '*', provider: 'offline', price: { input: 1000, output: 2000, currency: 'EUR' } }] },
		});
	});
	after(cleanUpGateways);

	async function runUntilFinished(body: object = {}): Promise<{ price: number; currency: string; outputs: unknown }> {
		const asked = { model: 'asker', inputs: {}, response_mode: 'streaming', user: 'kim', ...body };
		const events = await (await gateway.openStream('/v1/agent/workflows/run', asked)).readRemainingEvents();
		const node = events.find(event => event.event === 'node_finished' && event['data'].node_type === 'llm');
		const { total_price: price, currency } = node?.['data'].execution_metadata ?? {};
		return { price: Number(price), currency, outputs: events.at(-1)?.['data'].outputs };
	}

	it('report the cost of their nodes', async () => {
		const { price, currency } = await runUntilFinished();
		assert.ok(price > 0);
		assert.equal(currency, 'EUR');
	});

	it('are free and identical with the cache, and marked in the request log', async () => {
		const first = await runUntilFinished({ cache: true });
		const second = await runUntilFinished({ cache: true });
		assert.ok(first.price > 0);
		assert.deepEqual(second, { price: 0, currency: 'EUR', outputs: first.outputs });
		const { data } = (await gateway.send('GET', '/v1/agent/text-calls?agent=asker&limit=1')).json;
		assert.deepEqual([data[0].cache_hit, data[0].cost, data[0].user], [true, 0, 'kim']);
	});

	it('add up for their agent, and a chat reports its cost too', async () => {
		const { json } = await gateway.send('POST', '/v1/agent/chat-messages', {
			model: 'chatter',
			query: 'Hi',
			inputs: {},
			response_mode: 'blocking',
			user: 'kim',
		});
		assert.ok(Number(json.metadata.usage.total_price) > 0);
		const { data } = (await gateway.send('GET', '/v1/agent/usage?from=2020-01-01&to=2999-12-31&by=agent')).json;
		const byAgent = new Map((data as UsageEntry[]).map(entry => [entry.name, entry]));
		assert.deepEqual([...byAgent.keys()].toSorted(), ['asker', 'chatter']);
		assert.deepEqual([byAgent.get('asker')?.calls, byAgent.get('asker')?.cache_hits], [3, 1]);
		assert.ok((byAgent.get('chatter')?.cost ?? 0) > 0);
	});
});
