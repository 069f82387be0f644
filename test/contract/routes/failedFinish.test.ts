import assert from 'node:assert/strict';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import { type Answer, createJsonResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const messages = [{ role: 'user', content: 'Hi' }];
const requests: readonly [path: string, body: object][] = [
	['/v1/messages', { max_tokens: 9, messages }],
	['/v1/complete', { max_tokens_to_sample: 9, prompt: '\n\nHuman: Hi\n\nAssistant:' }],
	['/v1/chat/completions', { messages }],
	['/v1/completions', { prompt: 'Hi' }],
	['/v1/responses', { input: 'Hi' }],
];
const reasons = [
	'MALFORMED_FUNCTION_CALL',
	'UNEXPECTED_TOOL_CALL',
	'TOO_MANY_TOOL_CALLS',
	'MALFORMED_RESPONSE',
	'MISSING_THOUGHT_SIGNATURE',
];

describe('a Gemini reply that ends because its model failed', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;
	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway([
			{ model: 'alone', provider: 'google', base_url: upstream.baseUrl },
			{ model: 'held', provider: 'google', base_url: upstream.baseUrl, fallback: ['offline'] },
		]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	function postRequest(path: string, body: object): Promise<Response> {
		const headers = { 'content-type': 'application/json', authorization: `Bearer ${gateway.apiKey}`, 'anthropic-version': '2023-06-01' };
		return fetch(gateway.baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
	}

	for (const [path, body] of requests) {
		it(`answers 502 before anything was sent, at ${path}`, async () => {
			for (const reason of reasons) {
				upstream.answer = createFailedAnswer(reason);
				for (const stream of [false, true]) {
					const response = await postRequest(path, { ...body, model: 'alone', stream });
					assert.equal(response.status, 502, `${reason} ${stream}`);
					assert.match(await response.text(), new RegExp(`failed to finish its reply \\(${reason}\\): No such tool`));
				}
			}
		});

		it(`uses the fallback, at ${path}`, async () => {
			upstream.answer = createFailedAnswer('MALFORMED_FUNCTION_CALL');
			for (const stream of [false, true]) {
				const response = await postRequest(path, { ...body, model: 'held', stream });
				assert.equal(response.status, 200);
				assert.match(await response.text(), /offline/);
			}
		});

		it(`ends a started stream with an error event, at ${path}`, async () => {
			upstream.answer = createFailedAnswer('MALFORMED_FUNCTION_CALL', 'Let me see');
			const response = await postRequest(path, { ...body, model: 'held', stream: true });
			assert.equal(response.status, 200);
			const text = await response.text();
			assert.match(text, /Let me see/);
			assert.match(text, /"error":.*MALFORMED_FUNCTION_CALL|response\.failed/);
			assert.doesNotMatch(text, /end_turn|"finish_reason":"stop"|"stop_reason":"|response\.completed/);
		});
	}

	it('fails a node, or uses its fallback', async () => {
		const collectNodeText = async (model: string) => {
			let text = '';
			const request = { model, messages: [{ role: 'user' as const, content: 'Hi' }] };
			for await (const part of new GatewayTextModels(gateway.generation).streamReply(request, new AbortController().signal)) {
				text += part.type === 'text' ? part.text : '';
			}
			return text;
		};
		upstream.answer = createFailedAnswer('MALFORMED_FUNCTION_CALL');
		await assert.rejects(collectNodeText('alone'), { status: 502 });
		assert.match(await collectNodeText('held'), /offline model/);
	});
});

/** Responds to complete and streamed requests with a failed reply after some text. */
function createFailedAnswer(finishReason: string, text = ''): Answer {
	const content = { role: 'model', parts: text === '' ? [] : [{ text }] };
	const begun = { candidates: [{ content, index: 0 }] };
	const ended = {
		candidates: [{ finishReason, finishMessage: 'No such tool', index: 0 }],
		usageMetadata: { promptTokenCount: 3, totalTokenCount: 3 },
	};
	return (request, response) => {
		if (!request.url.includes('stream')) {
			return createJsonResponse({ ...ended, candidates: [{ ...ended.candidates[0], content }] })(request, response);
		}
		response.writeHead(200, { 'content-type': 'text/event-stream' });
		const events = text === '' ? [ended] : [begun, ended];
		response.end(events.map(event => `data: ${JSON.stringify(event)}\n\n`).join(''));
	};
}
