import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { cleanUpGateways, type GatewayProcess, startGateway } from '../gateway/gatewayProcess.ts';
import { createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';

const secret = 'upstream-secret-0123456789';

/** Covers failures that only the bundle can have: lazily loaded providers and removed parts of undici. */
describe('text generation of the shipped gateway', () => {
	let upstream: RecordingUpstream;
	let gateway: GatewayProcess;
	let client: Anthropic;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startGateway({
			config: {
				routes: [
					{ model: 'claude-*', provider: 'anthropic', base_url: upstream.baseUrl, key: 'UP' },
					{ model: 'gemini-*', provider: 'google', base_url: upstream.baseUrl, key: 'UP' },
					{ model: 'local', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1`, key: 'UP' },
				],
			},
			keys: { UP: secret },
		});
		client = new Anthropic({ baseURL: gateway.baseUrl, apiKey: gateway.apiKey, maxRetries: 0 });
	});
	after(async () => {
		await cleanUpGateways();
		await upstream.close();
	});

	const requestModel = (model: string) => client.messages.create({ model, max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] });

	it('passes through, translates to each provider and has the offline model', async () => {
		const message = {
			id: 'm',
			type: 'message',
			role: 'assistant',
			model: 'claude-x',
			content: [{ type: 'text', text: 'A' }],
			stop_reason: 'end_turn',
			stop_sequence: null,
			usage: { input_tokens: 1, output_tokens: 1 },
		};
		upstream.answer = createJsonResponse(message);
		assert.deepEqual({ ...(await requestModel('claude-x')) }, message);
		assert.equal(upstream.last.headers['x-api-key'], secret);

		upstream.answer = createJsonResponse({ candidates: [{ content: { role: 'model', parts: [{ text: 'B' }] }, finishReason: 'STOP' }] });
		assert.deepEqual((await requestModel('gemini-x')).content, [{ type: 'text', text: 'B' }]);

		upstream.answer = createStreamResponse(
			'data: {"id":"1","model":"l","choices":[{"index":0,"delta":{"content":"C"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
		);
		const streamed = await client.messages
			.stream({ model: 'local', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] })
			.finalMessage();
		assert.deepEqual(streamed.content, [{ type: 'text', text: 'C' }]);

		upstream.answer = createJsonResponse(message);
		const google = new GoogleGenAI({ apiKey: gateway.apiKey, httpOptions: { baseUrl: gateway.baseUrl } });
		assert.equal((await google.models.generateContent({ model: 'claude-x', contents: 'Hi' })).text, 'A');

		assert.equal((await requestModel('offline')).model, 'offline');
	});

	it('exposes no key in its arguments, its environment or its log', function () {
		if (process.platform !== 'linux') {
			this.skip();
		}
		for (const name of ['cmdline', 'environ']) {
			const text = readFileSync(`/proc/${gateway.pid}/${name}`, 'utf8');
			assert.ok(!text.includes(secret) && !text.includes(gateway.apiKey), name);
		}
		assert.ok(!gateway.getLog().includes(secret) && !gateway.getLog().includes(gateway.apiKey));
	});
});
