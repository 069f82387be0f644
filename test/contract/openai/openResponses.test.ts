import assert from 'node:assert/strict';
import type { ResponseObject, ResponsesRequest } from '#contract/openai/responses.ts';
import { checkResponse, readResponseStream } from '../../support/responseReader.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const weather = {
	type: 'function',
	name: 'get_weather',
	description: 'Get the weather of a place',
	parameters: { type: 'object', properties: { location: { type: 'string' } }, required: ['location'] },
};
/** Makes the offline model call a tool. */
const question = { type: 'message', role: 'user', content: 'What is the weather in Oslo? [offline: tool=get_weather]' };

/** Model replies that Open Responses requires: the cases of its compliance test, and one with thoughts. */
const cases: Readonly<
	Record<string, { readonly request: Partial<ResponsesRequest>; readonly types: readonly string[]; readonly text?: RegExp }>
> = {
	'a text': {
		request: { input: [{ type: 'message', role: 'user', content: 'Say hello in exactly 3 words.' }] },
		types: ['message'],
		text: /You wrote: "Say hello/,
	},
	'a system prompt': {
		request: {
			input: [
				{ type: 'message', role: 'system', content: 'You are a pirate.' },
				{ type: 'message', role: 'user', content: 'Say hello.' },
			],
		},
		types: ['message'],
		text: /The system prompt has 17 characters/,
	},
	'a tool call': { request: { input: [question], tools: [weather] }, types: ['function_call'] },
	"a tool's answer": {
		request: {
			input: [
				question,
				{ type: 'function_call', call_id: 'call_1', name: 'get_weather', arguments: '{"location":"Oslo"}' },
				{ type: 'function_call_output', call_id: 'call_1', output: 'It rains.' },
			],
			tools: [weather],
		},
		types: ['message'],
		text: /The tool get_weather returned: "It rains/,
	},
	'an image': {
		request: {
			input: [
				{
					type: 'message',
					role: 'user',
					content: [
						{ type: 'input_text', text: 'What is this?' },
						{ type: 'input_image', image_url: `data:image/png;base64,${pixel}` },
					],
				},
			],
		},
		types: ['message'],
		text: /Attached: 1 file/,
	},
	'a conversation': {
		request: {
			input: [
				{ type: 'message', role: 'user', content: 'My name is Alice.' },
				{ type: 'message', role: 'assistant', content: 'Hello Alice!' },
				{ type: 'message', role: 'user', content: 'What is my name?' },
			],
		},
		types: ['message'],
		text: /You wrote: "What is my name/,
	},
	thoughts: {
		request: { input: 'Think first. [offline: think]', reasoning: { effort: 'low', summary: 'auto' } },
		types: ['reasoning', 'message'],
		text: /Think first/,
	},
};

describe('/v1/responses according to Open Responses', () => {
	let gateway: TextGateway;
	before(async () => {
		gateway = await startTextGateway();
	});
	after(() => gateway.close());

	async function createResponse(request: Partial<ResponsesRequest>): Promise<string> {
		const answer = await fetch(`${gateway.baseUrl}/v1/responses`, {
			method: 'POST',
			headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
			body: JSON.stringify({ model: 'offline', ...request }),
		});
		assert.equal(answer.status, 200);
		assert.match(answer.headers.get('content-type') ?? '', request.stream ? /^text\/event-stream/ : /^application\/json/);
		assert.match(answer.headers.get('x-request-id') ?? '', /^req_/);
		return answer.text();
	}

	const getOutputText = ({ output }: ResponseObject) =>
		output.flatMap(item => (item.type === 'message' ? item.content.map(({ text }) => text) : [])).join('');

	for (const [name, { request, types, text }] of Object.entries(cases)) {
		it(`answers ${name} with the same result whole and streamed`, async () => {
			const whole = checkResponse(JSON.parse(await createResponse(request)));
			const streamed = readResponseStream(await createResponse({ ...request, stream: true }));
			for (const response of [whole, streamed]) {
				assert.equal(response.status, 'completed');
				assert.deepEqual(
					response.output.map(({ type }) => type),
					types,
				);
				if (text) {
					assert.match(getOutputText(response), text);
				}
				const { usage } = response;
				assert.ok(usage && usage.total_tokens === usage.input_tokens + usage.output_tokens && usage.output_tokens > 0);
			}
			assert.equal(getOutputText(whole), getOutputText(streamed));
			assert.deepEqual(whole.usage, streamed.usage);
		});
	}

	it('repeats the settings of the request and reports the defaults of missing ones', async () => {
		const settings = {
			instructions: 'Be brief.',
			temperature: 0.5,
			top_p: 0.9,
			presence_penalty: 0.1,
			frequency_penalty: 0.2,
			max_output_tokens: 500,
			max_tool_calls: 3,
			parallel_tool_calls: false,
			metadata: { a: 'b' },
			user: 'u',
			safety_identifier: 's',
			prompt_cache_key: 'p',
			service_tier: 'flex',
			truncation: 'auto' as const,
			store: false,
			reasoning: { effort: 'low', summary: 'auto' },
			text: { format: { type: 'text' as const }, verbosity: 'low' },
			tool_choice: { type: 'function', name: 'get_weather' },
			tools: [weather],
		};
		const given = JSON.parse(await createResponse({ input: 'x', ...settings })) as Record<string, unknown>;
		for (const [key, value] of Object.entries({ ...settings, tools: [{ ...weather, strict: true }] })) {
			assert.deepEqual(given[key], value, key);
		}
		const { id, created_at, completed_at, output, usage, ...defaults } = JSON.parse(await createResponse({ input: 'x' })) as Record<
			string,
			unknown
		>;
		assert.deepEqual(defaults, {
			object: 'response',
			status: 'completed',
			incomplete_details: null,
			model: 'offline',
			previous_response_id: null,
			instructions: null,
			error: null,
			tools: [],
			tool_choice: 'auto',
			truncation: 'disabled',
			parallel_tool_calls: true,
			text: { format: { type: 'text' } },
			top_p: 1,
			temperature: 1,
			presence_penalty: 0,
			frequency_penalty: 0,
			top_logprobs: 0,
			reasoning: { effort: null, summary: null },
			user: null,
			max_output_tokens: null,
			max_tool_calls: null,
			store: true,
			background: false,
			service_tier: 'default',
			metadata: {},
			safety_identifier: null,
			prompt_cache_key: null,
		});
	});

	it('reports why a reply is incomplete', async () => {
		for (const stream of [false, true]) {
			const readResponse = async (request: Partial<ResponsesRequest>) => {
				const text = await createResponse({ ...request, stream });
				return stream ? readResponseStream(text) : checkResponse(JSON.parse(text));
			};
			const cut = await readResponse({ input: 'x', max_output_tokens: 3 });
			assert.deepEqual([cut.status, cut.incomplete_details], ['incomplete', { reason: 'max_output_tokens' }]);
			assert.equal(cut.output[0]?.type === 'message' && cut.output[0].status, 'incomplete');
			const blocked = await readResponse({ input: 'x [offline: safety]' });
			assert.deepEqual([blocked.status, blocked.incomplete_details, blocked.output], ['incomplete', { reason: 'content_filter' }, []]);
		}
		const failed = readResponseStream(await createResponse({ input: 'x [offline: error-after=2]', stream: true }));
		assert.equal(failed.error?.code, 'server_error');
		assert.equal(getOutputText(failed), 'This is');
		assert.match(
			readResponseStream(await createResponse({ input: 'x [offline: cut-after=2]', stream: true })).error?.message ?? '',
			/ended before it was complete/,
		);
	});

	it('returns structured output', async () => {
		const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false };
		const format = { type: 'json_schema' as const, name: 'place', schema, strict: true };
		const response = JSON.parse(await createResponse({ input: 'Where?', text: { format } })) as ResponseObject;
		assert.equal(typeof (JSON.parse(getOutputText(response)) as { city: unknown }).city, 'string');
		assert.deepEqual(response.text, { format });
	});
});
