import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ServiceClient } from '#client/client.ts';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';
import { createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

describe('client with the request log', () => {
	let folder: string;
	let store: Store;
	let gateway: TextGateway;
	beforeEach(async () => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'request-log-'));
		store = new Store(folder, 0, new Log('text', () => {}));
		gateway = await startTextGateway([{ model: '*', provider: 'offline' }], {}, {}, { store, bodies: true });
	});
	afterEach(async () => {
		await gateway.close();
		await store.close();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	it("gets the price of a stream's tokens for priced routes, and zero for cached ones", async () => {
		const price = { input: 3, output: 15, cached: 0.3, currency: 'EUR' };
		const upstream = await new RecordingUpstream().start();
		upstream.answer = createStreamResponse('event: message_stop\ndata: {"type":"message_stop"}\n\n');
		const priced = await startTextGateway(
			[
				{ model: 'passed', provider: 'anthropic', base_url: upstream.baseUrl, price },
				{ model: 'translated', provider: 'offline', price, cache: true },
				{ model: '*', provider: 'offline' },
			],
			{},
			{},
			{ store },
		);
		try {
			const keys = { agent: priced.apiKey, messages: priced.apiKey };
			const client = new ServiceClient({ kind: 'gateway', baseUrl: priced.baseUrl, keys });
			const collectPrices = async (model: string) => {
				const prices: unknown[] = [];
				const request = { model, max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };
				for await (const _ of client.streamMessage(request, { priced: price => prices.push(price) })) {
					// reads to the end
				}
				return prices;
			};
			assert.deepEqual(await collectPrices('passed'), [price]);
			assert.deepEqual(await collectPrices('translated'), [price]);
			assert.deepEqual(await collectPrices('translated'), [{ input: 0, output: 0, currency: 'EUR' }]);
			assert.deepEqual(await collectPrices('of no price'), []);
		} finally {
			await priced.close();
			await upstream.close();
		}
	});

	it('reads calls, bodies and totals, and reads and clears the cache', async () => {
		const client = new ServiceClient({
			kind: 'gateway',
			baseUrl: gateway.baseUrl,
			keys: { agent: gateway.apiKey, messages: gateway.apiKey },
		});
		const request = { model: 'm', max_tokens: 10, messages: [{ role: 'user' as const, content: 'Hi' }] };
		const first = await client.createMessage(request, { cache: true });
		assert.deepEqual(await client.createMessage(request, { cache: true }), first);
		const { data } = await client.listTextCalls({ limit: 1, model: 'm', status: 'succeeded' });
		assert.deepEqual([data.length, data[0]?.cache_hit], [1, true]);
		const { request: sent } = await client.getTextCall(data[0]?.id ?? '');
		assert.deepEqual(JSON.parse(sent ?? ''), { ...request, stream: false });
		const [sum] = await client.getUsage({ from: '2020-01-01', to: '2999-12-31', by: 'model' });
		assert.deepEqual([sum?.name, sum?.calls, sum?.cache_hits], ['m → offline', 2, 1]);
		assert.equal((await client.getModelCacheSize()).entries, 1);
		assert.equal((await client.clearModelCache()).entries, 1);
		assert.equal((await client.getModelCacheSize()).entries, 0);
	});
});
