import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readCompletionParameters } from '#engine/nodes/model/completionParameters.ts';
import type { ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import { VariablePool } from '#engine/variables/variables.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import type { Provider } from '#models/routeConfig.ts';
import { RouteTable } from '#models/routeTable.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies freely
type Body = any;

const replies: Readonly<Record<string, readonly object[]>> = {
	anthropic: [
		{
			type: 'message_start',
			message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content: [], usage: { input_tokens: 1, output_tokens: 1 } },
		},
		{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 1 } },
		{ type: 'message_stop' },
	],
	google: [{ candidates: [{ content: { role: 'model', parts: [{ text: 'x' }] }, finishReason: 'STOP' }] }],
	'openai-compatible': [{ id: 'c', choices: [{ index: 0, delta: { content: 'x' }, finish_reason: 'stop' }] }],
};

describe('parameters of a model', () => {
	let server: Server;
	let bodies: Body[] = [];
	/** Fields that the service rejects. */
	let refused: readonly string[] = [];
	before(async () => {
		server = createServer(async (request, response) => {
			const body = JSON.parse(await getText(request)) as Body;
			bodies.push(body);
			const field = refused.find(name => name in body);
			if (field !== undefined) {
				response
					.writeHead(400, { 'content-type': 'application/json' })
					.end(JSON.stringify({ error: { message: `Unrecognized request argument supplied: ${field}` } }));
				return;
			}
			const kind = request.url?.includes('/messages') ? 'anthropic' : request.url?.includes('/v1beta/') ? 'google' : 'openai-compatible';
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			for (const event of replies[kind] ?? []) {
				const { type } = event as { type?: string };
				response.write(`${type ? `event: ${type}\n` : ''}data: ${JSON.stringify(event)}\n\n`);
			}
			response.end();
		});
		server.listen(0, '127.0.0.1');
		await once(server, 'listening');
	});
	after(() => {
		server.close();
		server.closeAllConnections();
	});

	/** Returns the request sent for the parameters of a file, with the warnings. */
	async function captureRequest(provider: Provider, given: Record<string, unknown>, more: Partial<ModelRequest> = {}, upstream = 'm') {
		bodies = [];
		const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${provider === 'openai-compatible' ? '/v1' : ''}`;
		const generation = new TextGeneration(new RouteTable([{ model: '*', provider, base_url, upstream_model: upstream }]), {
			allowPrivateNetwork: true,
		});
		const models = new GatewayTextModels(generation);
		const parts: ModelPart[] = [];
		try {
			const request = { model: 'm', messages: [{ role: 'user' as const, content: 'x' }], ...readCompletionParameters(given), ...more };
			for await (const part of models.streamReply(request, new AbortController().signal)) {
				parts.push(part);
			}
		} finally {
			await generation.close();
		}
		const end = parts.at(-1);
		assert.ok(end?.type === 'finish');
		return { body: bodies.at(-1) as Body, warnings: end.warnings ?? [] };
	}

	const usual = {
		temperature: 0.5,
		top_p: 0.25,
		top_k: 7,
		max_tokens: 100,
		presence_penalty: 0.1,
		frequency_penalty: 0.2,
		seed: 3,
		stop: ['END'],
	};

	it("reach a service with OpenAI's protocol, including unknown ones", async () => {
		for (const provider of ['openai-compatible', 'ollama'] as const) {
			const { body, warnings } = await captureRequest(provider, {
				...usual,
				min_p: 0.05,
				enable_thinking: false,
				verbosity: 'low',
				reasoning_effort: 'high',
			});
			const { messages: _, model: __, stream: ___, stream_options: ____, ...fields } = body;
			assert.deepEqual(fields, { ...usual, min_p: 0.05, enable_thinking: false, verbosity: 'low', reasoning_effort: 'high' });
			assert.deepEqual(warnings, []);
		}
	});

	it('reach Gemini, with a warning for unsupported ones', async () => {
		const { body, warnings } = await captureRequest('google', { ...usual, min_p: 0.05 });
		assert.deepEqual(body.generationConfig, {
			temperature: 0.5,
			topP: 0.25,
			topK: 7,
			maxOutputTokens: 100,
			presencePenalty: 0.1,
			frequencyPenalty: 0.2,
			seed: 3,
			stopSequences: ['END'],
		});
		assert.deepEqual(warnings, ["min_p: ignored because the model's service doesn't support it"]);
	});

	it('reach Anthropic, with a warning for unsupported ones', async () => {
		const { body, warnings } = await captureRequest('anthropic', { ...usual, min_p: 0.05 });
		assert.deepEqual([body.temperature, body.top_k, body.max_tokens, body.stop_sequences], [0.5, 7, 100, ['END']]);
		for (const name of ['presence_penalty', 'frequency_penalty', 'seed', 'min_p']) {
			assert.ok(
				warnings.some(warning => warning.startsWith(`${name}:`)),
				`${name} in ${warnings.join('; ')}`,
			);
		}
		assert.ok(body.top_p === 0.25 || warnings.some(warning => warning.startsWith('top_p')));
	});

	it('enable thinking by budget, effort or switch', async () => {
		const getThinking = async (given: object) => (await captureRequest('anthropic', { max_tokens: 4096, ...given })).body.thinking;
		assert.deepEqual(await getThinking({ thinking: true, thinking_budget: 2048 }), { type: 'enabled', budget_tokens: 2048 });
		assert.deepEqual(await getThinking({ thinking: { type: 'enabled', budget_tokens: 1500 } }), { type: 'enabled', budget_tokens: 1500 });
		assert.deepEqual(await getThinking({ thinking: true }), { type: 'enabled', budget_tokens: 1024 });
		assert.ok([undefined, 'disabled'].includes((await getThinking({ thinking: false }))?.type));
		const { generationConfig } = (await captureRequest('google', { include_thoughts: true, thinking_budget: 512 }, {}, 'gemini-2.5-flash'))
			.body;
		assert.deepEqual(generationConfig.thinkingConfig, { includeThoughts: true, thinkingBudget: 512 });
		assert.equal((await captureRequest('openai-compatible', { reasoning_effort: 'low' })).body.reasoning_effort, 'low');
	});

	it('request JSON, with a schema as a string or an object', async () => {
		const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false };
		for (const json_schema of [JSON.stringify({ name: 'n', strict: false, schema }), { name: 'n', strict: false, schema }]) {
			const { body } = await captureRequest('openai-compatible', { response_format: 'json_schema', json_schema });
			assert.deepEqual(body.response_format, { type: 'json_schema', json_schema: { name: 'n', strict: false, schema } });
			assert.equal(body.json_schema, undefined);
		}
		assert.deepEqual(
			(await captureRequest('google', { response_format: 'json_schema', json_schema: JSON.stringify(schema) })).body.generationConfig
				.responseMimeType,
			'application/json',
		);
		assert.deepEqual((await captureRequest('openai-compatible', { response_format: 'json_object' })).body.response_format, {
			type: 'json_object',
		});
		const broken = await captureRequest('openai-compatible', { response_format: 'json_schema', json_schema: '{' });
		assert.match(broken.warnings.join(), /json_schema: ignored/);
		assert.match((await captureRequest('google', { response_format: 'XML' })).warnings.join(), /response_format: ignored/);
		const asked = await captureRequest('openai-compatible', { response_format: 'json_object' }, { responseSchema: schema });
		assert.equal(asked.body.response_format.type, 'json_schema', 'what the node asks for comes first');
	});

	it('are dropped with a warning if a service rejects them', async () => {
		refused = ['top_k', 'seed', 'min_p'];
		const { body, warnings } = await captureRequest('openai-compatible', { ...usual, min_p: 1 });
		refused = [];
		assert.deepEqual([body.top_k, body.seed, body.min_p, body.temperature], [undefined, undefined, undefined, 0.5]);
		assert.equal(warnings.length, 3);
	});

	it("can't replace other parts of a request", async () => {
		const hostile = {
			model: 'other',
			messages: [],
			stream: false,
			tools: [],
			user: 3,
			strictJsonSchema: 'x',
			__proto__: { a: 1 },
			seed: 'no number',
			temperature: 'hot',
		};
		const { body, warnings } = await captureRequest('openai-compatible', hostile);
		assert.deepEqual([body.model, body.messages.length, body.stream, body.tools], ['m', 1, true, undefined]);
		assert.ok(warnings.some(warning => warning.startsWith('model: ignored')));
		assert.ok(warnings.some(warning => warning.startsWith('seed: ignored')));
		assert.ok(warnings.some(warning => warning.startsWith('temperature: ignored')));
		assert.equal(body.temperature, undefined);
	});
});

describe('completion_params of a node', () => {
	it('are filled with the values they reference', () => {
		const variables = new VariablePool();
		variables.setAllValues('start', { heat: 0.7, many: '50', name: 'END', list: ['a', 'b'] });
		const given = {
			temperature: '{{#start.heat#}}',
			max_tokens: '{{#start.many#}}',
			stop: ['<{{#start.name#}}>'],
			x: '{{#start.list#}}',
			y: '{{#no.thing#}}',
		};
		assert.deepEqual(readCompletionParameters(given, variables), {
			temperature: 0.7,
			maxTokens: 50,
			stop: ['<END>'],
			parameters: { x: ['a', 'b'], y: 'no.thing' },
		});
	});

	it('keep non-numbers for a warning, and skip empty values', () => {
		assert.deepEqual(readCompletionParameters({ temperature: 'hot', top_p: null, top_k: '', stop: [] }), {
			parameters: { temperature: 'hot' },
		});
	});
});

async function getText(request: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) {
		chunks.push(chunk as Buffer);
	}
	return Buffer.concat(chunks).toString();
}
