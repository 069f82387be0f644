import assert from 'node:assert/strict';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../contract/gateway/gatewayProcess.ts';
import { createJsonResponse, RecordingUpstream } from '../contract/recordingUpstream.ts';
import { chooseSize } from './support/long.ts';
import { patienceMs } from './support/patience.ts';
import { startProbe } from './support/probe.ts';

const count = chooseSize(20_000, 100_000);
const createMany = <T>(create: (n: number) => T): T[] => Array.from({ length: count }, (_, n) => create(n));
const schema = { type: 'object', properties: {} };

/** Bodies with very many IDs and names, by path. */
const bodies: readonly (readonly [path: string, body: (model: string) => object])[] = [
	[
		'/v1/chat/completions',
		model => ({
			model,
			messages: [
				{ role: 'user', content: 'Hi' },
				{
					role: 'assistant',
					tool_calls: createMany(n => ({ id: `c${n}`, type: 'function', function: { name: `f${n}`, arguments: '{}' } })),
				},
				...createMany(n => ({ role: 'tool', tool_call_id: `c${n}`, content: 'x' })),
			],
			tools: createMany(n => ({ type: 'function', function: { name: `f${n}`, parameters: schema } })),
		}),
	],
	[
		'/v1/responses',
		model => ({
			model,
			input: [
				...createMany(n => ({ type: 'function_call', call_id: `c${n}`, name: 'f', arguments: '{}' })),
				...createMany(n => ({ type: 'function_call_output', call_id: `c${n}`, output: 'x' })),
				{ type: 'message', role: 'user', content: 'Hi' },
			],
			tools: createMany(() => ({ type: 'function', name: 'f', parameters: schema })),
		}),
	],
	[
		'/v1/messages',
		model => ({
			model,
			max_tokens: 9,
			messages: [
				{ role: 'user', content: 'Hi' },
				{ role: 'assistant', content: createMany(n => ({ type: 'tool_use', id: `c${n}`, name: `f${n}`, input: {} })) },
				{ role: 'user', content: createMany(n => ({ type: 'tool_result', tool_use_id: `c${n}`, content: 'x' })) },
			],
			tools: createMany(n => ({ name: `f${n}`, input_schema: schema })),
		}),
	],
	['/v1/messages', model => ({ model, max_tokens: 9, messages: createMany(() => ({ role: 'user', content: 'Hi' })) })],
	[
		'/v1/generateContent',
		model => ({
			model,
			contents: [
				{ role: 'user', parts: [{ text: 'Hi' }] },
				{ role: 'model', parts: createMany(n => ({ functionCall: { id: `c${n}`, name: 'f', args: {} } })) },
				{ role: 'user', parts: createMany(n => ({ functionResponse: { id: `c${count - n - 1}`, name: 'f', response: {} } })) },
			],
		}),
	],
];

describe('requests with very many tools, calls and messages', () => {
	let upstream: RecordingUpstream;
	let gateway: GatewayProcess;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		upstream.answer = createJsonResponse({ error: { message: 'no' } }, 400);
		const providers = ['openai-compatible', 'anthropic', 'google', 'ollama'];
		const routes = providers.map(provider => ({ model: provider, provider, base_url: upstream.baseUrl, key: 'up' }));
		gateway = await startGateway({ config: { routes, offline: true }, keys: { up: 'key-of-the-upstream' } });
	});
	after(async () => {
		await upstream.close();
		await cleanUpGateways();
	});

	for (const model of ['openai-compatible', 'anthropic', 'google', 'ollama', 'offline']) {
		it(`are answered, and delay no caller, on a route to ${model}`, async () => {
			for (const [path, create] of bodies) {
				const target = path === '/v1/generateContent' ? `/v1beta/models/${model}:generateContent` : path;
				const body = JSON.stringify(create(model));
				const health = startProbe(gateway);
				const { status, text } = await gateway.send('POST', target, body, { 'anthropic-version': '2023-06-01' });
				const longest = await health.stop();
				assert.ok(status === 200 || status === 400 || status === 404, `${path}: ${status} ${text.slice(0, 200)}`);
				assert.ok(longest < patienceMs, `${path}: a caller waited ${Math.round(longest)} ms`);
			}
		}).timeout(300_000);
	}
});
