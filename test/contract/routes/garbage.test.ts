import assert from 'node:assert/strict';
import { type Answer, createJsonResponse, createStreamResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const contents = [{ role: 'user', parts: [{ text: 'Hi' }] }];
const requests: readonly [path: string, body: object][] = [
	['/v1beta/models/NAME:countTokens', { contents }],
	['/v1beta/models/NAME:generateContent', { contents }],
	['/v1beta/models/NAME:streamGenerateContent?alt=sse', { contents }],
	['/v1beta/models/NAME:streamGenerateContent', { contents }],
	['/v1/messages/count_tokens', { model: 'NAME', messages }],
	['/v1/messages', { model: 'NAME', max_tokens: 9, messages }],
	['/v1/messages', { model: 'NAME', max_tokens: 9, messages, stream: true }],
	['/v1/complete', { model: 'NAME', max_tokens_to_sample: 9, prompt: '\n\nHuman: Hi\n\nAssistant:' }],
	['/v1/complete', { model: 'NAME', max_tokens_to_sample: 9, prompt: '\n\nHuman: Hi\n\nAssistant:', stream: true }],
	['/v1/chat/completions', { model: 'NAME', messages }],
	['/v1/chat/completions', { model: 'NAME', messages, stream: true }],
	['/v1/completions', { model: 'NAME', prompt: 'Hi' }],
	['/v1/completions', { model: 'NAME', prompt: 'Hi', stream: true }],
	['/v1/responses', { model: 'NAME', input: 'Hi' }],
	['/v1/responses', { model: 'NAME', input: 'Hi', stream: true }],
	['/v1/embeddings', { model: 'NAME', input: 'Hi' }],
];

/** Successful upstream responses that are valid in none of the protocols. */
const garbage: Readonly<Record<string, Answer>> = {
	null: createJsonResponse('null'),
	'a list': createJsonResponse('[1]'),
	'a text': createJsonResponse('"x"'),
	'no JSON': createJsonResponse('}{ garbage'),
	nothing: createJsonResponse(''),
	'an object of another form': createJsonResponse({
		input_tokens: null,
		totalTokens: 'x',
		choices: 7,
		content: 3,
		candidates: 'x',
		data: [null],
	}),
	'half a reply': (_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		response.write('{"input_to', () => response.destroy());
	},
	'a reset': (_request, response) => void response.destroy(),
	'garbage events': createStreamResponse('data: }{\n\ndata: null\n\n'),
	'a null event': createStreamResponse('data: null\n\n'),
	'events of another form': createStreamResponse(
		'event: x\ndata: {"type":"message_start","message":null}\n\ndata: {"choices":3,"candidates":[null]}\n\n',
	),
	'half an event': createStreamResponse('data: {"type":"mess'),
	'events without data': createStreamResponse('event: message_start\n\n'),
	'no events': createStreamResponse(''),
};

describe('an invalid upstream response with a success status', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		const base_url = upstream.baseUrl;
		gateway = await startTextGateway([
			{ model: 'anthropic', provider: 'anthropic', base_url },
			{ model: 'google', provider: 'google', base_url },
			{ model: 'openai', provider: 'openai-compatible', base_url },
		]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	// responses in the caller's own protocol are forwarded unchanged
	const own: Readonly<Record<string, RegExp>> = {
		anthropic: /^\/v1\/messages/,
		google: /^\/v1beta/,
		openai: /^\/v1\/(chat|completions|embed)/,
	};
	for (const [name, answer] of Object.entries(garbage)) {
		it(`is distinguished from an error of the gateway: ${name}`, async () => {
			upstream.answer = answer;
			const wrong: string[] = [];
			for (const model of ['anthropic', 'google', 'openai']) {
				for (const [path, body] of requests.filter(([each]) => !own[model]?.test(each))) {
					const headers = {
						'content-type': 'application/json',
						authorization: `Bearer ${gateway.apiKey}`,
						'anthropic-version': '2023-06-01',
					};
					const sent = JSON.stringify(body).replace('NAME', model);
					const response = await fetch(gateway.baseUrl + path.replace('NAME', model), { method: 'POST', headers, body: sent });
					const text = await response.text().catch(String);
					if (response.status === 500 || text.includes('see the log')) {
						wrong.push(`${model} ${path} ${sent}: ${response.status} ${text.slice(0, 200)}`);
					}
				}
			}
			assert.deepEqual(wrong, []);
			assert.doesNotMatch(gateway.getLog(), /"level":"error"/);
		});
	}
});
