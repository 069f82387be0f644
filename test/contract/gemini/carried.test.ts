import assert from 'node:assert/strict';
import { postBytes } from '../post.ts';
import { type Answer, createJsonResponse, RecordingUpstream } from '../recordingUpstream.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

function createClaudeReply(content: unknown[], stop_reason = 'end_turn'): Answer {
	return createJsonResponse({
		id: 'msg_1',
		type: 'message',
		role: 'assistant',
		model: 'c',
		content,
		stop_reason,
		usage: { input_tokens: 1, output_tokens: 1 },
	});
}

const openAi = createJsonResponse({
	id: 'c1',
	object: 'chat.completion',
	created: 1,
	model: 'm',
	choices: [{ index: 0, message: { role: 'assistant', content: 'Seen.' }, finish_reason: 'stop' }],
	usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
});

interface Sent {
	messages: { role: string; content: Record<string, unknown>[] }[];
	[field: string]: unknown;
}

interface Reply {
	candidates: { content: { parts: Record<string, unknown>[] }; [field: string]: unknown }[];
}

/**
 * Covers the fields of Gemini requests beyond text and functions: they are translated, refused with a message, or reported in the `warning`
 * header.
 */
describe('translated routes of the Gemini API', () => {
	let upstream: RecordingUpstream;
	let gateway: TextGateway;

	before(async () => {
		upstream = await new RecordingUpstream().start();
		gateway = await startTextGateway([
			{ model: 'claude', provider: 'anthropic', base_url: upstream.baseUrl, upstream_model: 'claude-sonnet-4-5' },
			{ model: 'local', provider: 'openai-compatible', base_url: `${upstream.baseUrl}/v1` },
		]);
	});
	after(async () => {
		await gateway.close();
		await upstream.close();
	});

	const readSentBody = () => JSON.parse(upstream.last.body.toString()) as Sent;
	const requestModel = async (
		model: string,
		body: object,
		answer: Answer = model === 'claude' ? createClaudeReply([{ type: 'text', text: 'Seen.' }]) : openAi,
	) => {
		upstream.answer = answer;
		const reply = await postBytes(`${gateway.baseUrl}/v1beta/models/${model}:generateContent`, JSON.stringify(body), {
			'x-goog-api-key': gateway.apiKey,
		});
		const text = reply.body.toString();
		return { status: reply.status, text, reply: JSON.parse(text) as Reply, warning: reply.headers['warning'], headers: reply.headers };
	};
	const hello = { role: 'user', parts: [{ text: 'Hello' }] };
	const tools = [{ functionDeclarations: [{ name: 'f' }] }];

	it('return thoughts with the call they led to, even if the client drops thoughts', async () => {
		const generationConfig = { thinkingConfig: { thinkingBudget: 512 }, maxOutputTokens: 4096 };
		const thoughts = [
			{ type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
			{ type: 'redacted_thinking', data: 'cmVk' },
		];
		const use = { type: 'tool_use', id: 't1', name: 'f', input: {} };
		const { reply } = await requestModel(
			'claude',
			{ contents: [hello], tools, generationConfig },
			createClaudeReply([...thoughts, use], 'tool_use'),
		);
		assert.deepEqual(readSentBody()['thinking'], { type: 'enabled', budget_tokens: 1024 });
		const kept = (reply.candidates[0]?.content.parts ?? []).filter(part => part['thought'] !== true);
		const answer = { role: 'user', parts: [{ functionResponse: { id: 't1', name: 'f', response: { ok: true } } }] };
		const again = await requestModel('claude', { contents: [hello, { role: 'model', parts: kept }, answer], tools, generationConfig });
		assert.deepEqual(
			readSentBody().messages[1]?.content.map(block => [block['type'], block['signature'] ?? block['data']]),
			[
				['thinking', 'c2ln'],
				['redacted_thinking', 'cmVk'],
				['tool_use', undefined],
			],
		);
		assert.equal(again.warning, undefined);
	});

	it('disable thinking for a call without its thoughts and report it', async () => {
		const turns = [
			hello,
			{ role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
			{ role: 'user', parts: [{ functionResponse: { name: 'f', response: { ok: true } } }] },
		];
		const { warning } = await requestModel('claude', {
			contents: turns,
			tools,
			generationConfig: { thinkingConfig: { thinkingBudget: 2048 } },
		});
		assert.deepEqual(readSentBody()['thinking'], { type: 'disabled' });
		assert.match(String(warning), /thinking: off for this turn/);
	});

	it('map thinking levels and budgets to efforts', async () => {
		for (const [thinkingConfig, effort] of [
			[{ thinkingLevel: 'HIGH' }, 'high'],
			[{ thinkingBudget: 0 }, 'none'],
			[{ thinkingBudget: 20_000 }, 'high'],
			[{ thinkingBudget: -1 }, undefined],
		] as const) {
			await requestModel('local', { contents: [hello], generationConfig: { thinkingConfig } });
			assert.equal(readSentBody()['reasoning_effort'], effort);
		}
	});

	it('convert uppercase types to those of JSON Schema at every level', async () => {
		const schema = {
			type: 'OBJECT',
			properties: { type: { type: 'STRING', nullable: true, enum: ['a'] } },
			$defs: { n: { oneOf: [{ type: 'INTEGER' }] } },
			default: null,
		};
		const expected = {
			type: 'object',
			properties: { type: { type: ['string', 'null'], enum: ['a', null] } },
			$defs: { n: { oneOf: [{ type: 'integer' }] } },
			default: null,
		};
		await requestModel('local', {
			contents: [hello],
			tools: [{ functionDeclarations: [{ name: 'f', parametersJsonSchema: schema }] }],
			generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
		});
		const { tools: declared, response_format: format } = readSentBody() as unknown as {
			tools: { function: { parameters: unknown } }[];
			response_format: { json_schema: { schema: unknown } };
		};
		assert.deepEqual(declared[0]?.function.parameters, expected);
		assert.deepEqual(format.json_schema.schema, expected);
	});

	it('forward files of function responses, and parts with text and file', async () => {
		const inlineData = { mimeType: 'image/png', data: pixel };
		const contents = [
			{ role: 'user', parts: { text: 'Look', inline_data: { mime_type: 'image/png', data: pixel } } },
			{
				role: 'model',
				parts: [
					{ functionCall: { name: 'f', args: {} } },
					{ executableCode: { language: 'PYTHON', code: '1+1' } },
					{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '2' } },
				],
			},
			{ role: 'user', parts: [{ functionResponse: { name: 'f', response: { ok: true }, parts: [{ inlineData }] } }] },
		];
		await requestModel('claude', { contents, tools });
		const { messages } = readSentBody();
		assert.deepEqual(
			messages[0]?.content.map(({ type }) => type),
			['text', 'image'],
		);
		assert.match(JSON.stringify(messages[1]?.content), /```python\\n1\+1\\n```\[OUTCOME_OK: 2\]/);
		const [result] = messages[2]?.content ?? [];
		assert.ok(result);
		assert.deepEqual(
			(result['content'] as { type: string }[]).map(({ type }) => type),
			['text', 'image'],
		);
		await requestModel('local', { contents, tools });
		assert.match(JSON.stringify(readSentBody().messages.at(-1)), /From the tool f.*image_url/);
	});

	it("map a search to Anthropic's, hide its calls and return its pages", async () => {
		const content = [
			{ type: 'server_tool_use', id: 's1', name: 'web_search', input: { query: 'x' } },
			{
				type: 'web_search_tool_result',
				tool_use_id: 's1',
				content: [{ type: 'web_search_result', url: 'https://example.test/a', title: 'A', encrypted_content: 'e', page_age: null }],
			},
			{ type: 'text', text: 'Found.' },
		];
		const { reply } = await requestModel('claude', { contents: [hello], tools: [{ googleSearch: {} }] }, createClaudeReply(content));
		assert.match(JSON.stringify(readSentBody()['tools']), /"type":"web_search_20250305"/);
		assert.deepEqual(reply.candidates[0]?.content.parts, [{ text: 'Found.' }]);
		assert.deepEqual(reply.candidates[0]?.['groundingMetadata'], {
			groundingChunks: [{ web: { uri: 'https://example.test/a', title: 'A' } }],
		});
		const refused = await requestModel('local', { contents: [hello], tools: [{ googleSearch: {} }] });
		assert.equal(refused.status, 400);
		assert.match(refused.text, /tools\[0\]\.googleSearch: .*service has no web search/);
	});

	it('restore names with characters that the service refuses', async () => {
		const name = 'server.tool:one';
		const answer: Answer = (request, response) => {
			const {
				tools: [tool],
			} = JSON.parse(request.body.toString()) as { tools: [{ name: string }] };
			assert.match(tool.name, /^[a-zA-Z0-9_-]{1,128}$/);
			return createClaudeReply([{ type: 'tool_use', id: 't', name: tool.name, input: {} }], 'tool_use')(request, response);
		};
		const { reply } = await requestModel('claude', { contents: [hello], tools: [{ functionDeclarations: [{ name }] }] }, answer);
		assert.deepEqual(reply.candidates[0]?.content.parts[0]?.['functionCall'], { id: 't', name, args: {} });
	});

	it('refuse features that only Google has, with a message', async () => {
		for (const [extra, words] of [
			[{ cachedContent: 'cachedContents/1' }, /cached_content: .*Send the content\./],
			[{ generationConfig: { responseMimeType: 'text/x.enum' } }, /response_mime_type: .*, got text\/x\.enum/],
			[{ generationConfig: { responseMimeType: {} } }, /response_mime_type: .* supports text\/plain/],
			[{ generationConfig: { responseModalities: ['IMAGE'] } }, /response_modalities: .*got IMAGE/],
			[{ tools: [{ codeExecution: {} }] }, /codeExecution: only Google's models/],
		] as const) {
			const { status, text } = await requestModel('claude', { contents: [hello], ...extra });
			assert.equal(status, 400);
			assert.match(text, words);
		}
	});

	it('report lost fields', async () => {
		const { warning } = await requestModel('claude', {
			contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: pixel }, videoMetadata: { fps: 1 } }] }],
			safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
			generationConfig: { seed: 1, mediaResolution: 'LOW', maxOutputTokens: 9 },
		});
		for (const words of [/safety_settings: ignored/, /generation_config\.mediaResolution/, /videoMetadata/, /seed: ignored/]) {
			assert.match(String(warning), words);
		}
	});

	it("report the retry delay in Google's form", async () => {
		const refusal = createJsonResponse({ type: 'error', error: { type: 'rate_limit_error', message: 'Slow' } }, 429, {
			'retry-after': '7',
		});
		const { status, text } = await requestModel('claude', { contents: [hello] }, refusal);
		assert.equal(status, 429);
		assert.match(text, /"@type":"type\.googleapis\.com\/google\.rpc\.RetryInfo","retryDelay":"7s"/);
	});

	it("send a reply whose warning contains bytes that headers can't have", async () => {
		const answerWithOddBytes =
			(status: number): Answer =>
			(_request, response) => {
				const body = JSON.stringify(
					status === 200
						? {
								id: 'm',
								type: 'message',
								role: 'assistant',
								model: 'c',
								content: [{ type: 'text', text: 'Hi' }],
								stop_reason: 'end_turn',
								usage: { input_tokens: 1, output_tokens: 1 },
							}
						: { type: 'error', error: { type: 'rate_limit_error', message: 'Slow' } },
				);
				const head = Buffer.concat([
					Buffer.from(
						`HTTP/1.1 ${status} x\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${body.length}\r\nretry-after: 5`,
					),
					Buffer.from([0xe2, 0x82, 0xac]),
					Buffer.from('\r\nx-note: caf\u00e9\r\nx-raw: '),
					Buffer.from([0xff, 0x80]),
					Buffer.from(`\r\n\r\n${body}`),
				]);
				response.socket?.end(head);
			};
		const whole = await requestModel('claude', { contents: [hello] }, answerWithOddBytes(200));
		assert.equal(whole.status, 200, whole.text);
		const refused = await requestModel('claude', { contents: [hello] }, answerWithOddBytes(429));
		assert.equal(refused.status, 429);
		assert.equal(refused.headers['retry-after'], undefined);
	});
});
