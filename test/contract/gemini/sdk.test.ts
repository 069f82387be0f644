import assert from 'node:assert/strict';
import {
	ApiError,
	type Content,
	type FunctionCall,
	FunctionCallingConfigMode,
	GoogleGenAI,
	HarmBlockThreshold,
	HarmCategory,
	Type,
} from '@google/genai';
import { postBytes } from '../post.ts';
import { startTextGateway, type TextGateway } from '../textGateway.ts';

const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const weather = {
	name: 'get_weather',
	description: 'Weather of a place',
	parameters: {
		type: Type.OBJECT,
		properties: { place: { type: Type.STRING }, days: { type: Type.INTEGER, minimum: 2 } },
		required: ['place', 'days'],
	},
};

/** Runs the official SDK, changing only base URL and key, against the offline model. */
describe('@google/genai against the gateway', () => {
	let gateway: TextGateway;
	let client: GoogleGenAI;

	before(async () => {
		gateway = await startTextGateway([{ model: 'other', provider: 'offline' }]);
		client = new GoogleGenAI({ apiKey: gateway.apiKey, httpOptions: { baseUrl: gateway.baseUrl } });
	});
	after(() => gateway.close());

	it('generates content with its metadata', async () => {
		const reply = await client.models.generateContent({ model: 'offline', contents: 'Hello', config: { systemInstruction: 'Be brief.' } });
		assert.match(reply.text ?? '', /^This is the offline model, .*You wrote: "Hello"\. The system prompt has 9 characters\.$/);
		assert.equal(reply.candidates?.[0]?.finishReason, 'STOP');
		assert.equal(reply.candidates?.[0]?.content?.role, 'model');
		assert.equal(reply.modelVersion, 'offline');
		const usage = reply.usageMetadata;
		assert.ok(usage?.promptTokenCount && usage.candidatesTokenCount);
		assert.equal(usage.totalTokenCount, usage.promptTokenCount + usage.candidatesTokenCount);
	});

	it('honors maxOutputTokens and stopSequences', async () => {
		const short = await client.models.generateContent({ model: 'offline', contents: 'Hello', config: { maxOutputTokens: 3 } });
		assert.equal(short.text, 'This is the');
		assert.equal(short.candidates?.[0]?.finishReason, 'MAX_TOKENS');
		const stopped = await client.models.generateContent({
			model: 'offline',
			contents: 'one two three',
			config: { stopSequences: [' two'] },
		});
		assert.ok(stopped.text?.endsWith('You wrote: "one'));
		assert.equal(stopped.candidates?.[0]?.finishReason, 'STOP');
	});

	it('streams increments and ends with the finish reason and the usage', async () => {
		const whole = await client.models.generateContent({ model: 'offline', contents: 'Stream this' });
		const chunks = [];
		for await (const chunk of await client.models.generateContentStream({ model: 'offline', contents: 'Stream this' })) {
			chunks.push(chunk);
		}
		assert.ok(chunks.length > 5);
		assert.equal(chunks.map(chunk => chunk.text ?? '').join(''), whole.text);
		assert.ok(chunks.slice(0, -1).every(chunk => chunk.candidates?.[0]?.finishReason === undefined));
		assert.equal(chunks.at(-1)?.candidates?.[0]?.finishReason, 'STOP');
		assert.deepEqual(chunks.at(-1)?.usageMetadata, whole.usageMetadata);
		assert.equal(new Set(chunks.map(({ responseId }) => responseId)).size, 1);
	});

	it('chats, streamed and not', async () => {
		const chat = client.chats.create({ model: 'offline' });
		await chat.sendMessage({ message: 'First' });
		let text = '';
		for await (const chunk of await chat.sendMessageStream({ message: 'Second' })) {
			text += chunk.text ?? '';
		}
		assert.match(text, /You wrote: "Second"/);
		// the SDK stores each chunk as a separate turn and sends them back that way
		assert.ok(chat.getHistory().length > 4);
		assert.match((await chat.sendMessage({ message: 'Third' })).text ?? '', /You wrote: "Third"/);
	});

	it('accepts images', async () => {
		const contents: Content[] = [
			{
				role: 'user',
				parts: [
					{ inlineData: { mimeType: 'image/png', data: pixel } },
					{ text: 'What is this?' },
					{ fileData: { mimeType: 'image/png', fileUri: 'https://example.invalid/a.png' } },
				],
			},
		];
		const reply = await client.models.generateContent({ model: 'offline', contents });
		assert.match(reply.text ?? '', /You wrote: "What is this\?"\. Attached: 2 files\./);
	});

	it('calls functions and accepts their results', async () => {
		const config = {
			tools: [{ functionDeclarations: [weather] }],
			toolConfig: { functionCallingConfig: { mode: FunctionCallingConfigMode.ANY, allowedFunctionNames: ['get_weather'] } },
		};
		const first = await client.models.generateContent({ model: 'offline', contents: 'Weather?', config });
		const [call] = first.functionCalls ?? [];
		assert.equal(call?.name, 'get_weather');
		assert.deepEqual(call?.args, { place: 'offline', days: 2 });
		const content = first.candidates?.[0]?.content;
		assert.ok(content);
		for (const id of [call?.id ?? '', undefined]) {
			const second = await client.models.generateContent({
				model: 'offline',
				contents: [
					{ role: 'user', parts: [{ text: 'Weather?' }] },
					content,
					{
						role: 'user',
						parts: [{ functionResponse: { name: 'get_weather', response: { output: '21 degrees' }, ...(id !== undefined && { id }) } }],
					},
				],
				config: { tools: [{ functionDeclarations: [weather] }] },
			});
			assert.match(second.text ?? '', /The tool get_weather returned: "\{"output":"21 degrees"\}"/);
		}
	});

	it('calls functions in a stream', async () => {
		const calls = [];
		for await (const chunk of await client.models.generateContentStream({
			model: 'offline',
			contents: 'Please use get_weather',
			config: { tools: [{ functionDeclarations: [weather] }] },
		})) {
			calls.push(...(chunk.functionCalls ?? []));
		}
		assert.deepEqual(
			calls.map(({ name, args }) => ({ name, args })),
			[{ name: 'get_weather', args: { place: 'offline', days: 2 } }],
		);
	});

	it("works with the SDK's automatic function calling, streamed and not", async () => {
		const callable = {
			tool: async () => ({ functionDeclarations: [weather] }),
			callTool: async (calls: FunctionCall[]) =>
				calls.map(({ name, id }) => ({
					functionResponse: { response: { output: 'Sun' }, ...(name !== undefined && { name }), ...(id !== undefined && { id }) },
				})),
		};
		const request = { model: 'offline', contents: 'please call get_weather', config: { tools: [callable] } };
		assert.match((await client.models.generateContent(request)).text ?? '', /The tool get_weather returned: .*Sun/);
		let text = '';
		for await (const chunk of await client.models.generateContentStream(request)) {
			text += chunk.text ?? '';
		}
		assert.match(text, /The tool get_weather returned: .*Sun/);
	});

	it('returns structured output', async () => {
		const reply = await client.models.generateContent({
			model: 'offline',
			contents: 'List',
			config: {
				responseMimeType: 'application/json',
				responseSchema: {
					type: Type.OBJECT,
					properties: { count: { type: Type.INTEGER }, name: { type: Type.STRING, nullable: true } },
					required: ['count', 'name'],
				},
			},
		});
		assert.deepEqual(JSON.parse(reply.text ?? ''), { count: 0, name: 'offline' });
	});

	it('blocks an unsafe prompt unless the settings forbid it', async () => {
		const blocked = await client.models.generateContent({ model: 'offline', contents: 'Boom [offline: safety]' });
		assert.equal(blocked.candidates, undefined);
		assert.equal(blocked.promptFeedback?.blockReason, 'SAFETY');
		assert.equal(blocked.text, undefined);
		const chunks = [];
		for await (const chunk of await client.models.generateContentStream({ model: 'offline', contents: 'Boom [offline: safety]' })) {
			chunks.push(chunk);
		}
		assert.deepEqual(
			chunks.map(({ promptFeedback }) => promptFeedback?.blockReason),
			['SAFETY'],
		);
		const allowed = await client.models.generateContent({
			model: 'offline',
			contents: 'Boom [offline: safety]',
			config: { safetySettings: [{ category: HarmCategory.HARM_CATEGORY_DANGEROUS_CONTENT, threshold: HarmBlockThreshold.BLOCK_NONE }] },
		});
		assert.match(allowed.text ?? '', /offline model/);
	});

	it('counts the same tokens as usage', async () => {
		const { totalTokens } = await client.models.countTokens({ model: 'offline', contents: 'Hello, how are you?' });
		const reply = await client.models.generateContent({ model: 'offline', contents: 'Hello, how are you?' });
		assert.equal(totalTokens, reply.usageMetadata?.promptTokenCount);
	});

	it("embeds one or many texts to the same vectors as OpenAI's endpoint", async () => {
		const embedContents = async (contents: string | string[], outputDimensionality?: number) =>
			(await client.models.embedContent({ model: 'offline', contents, ...(outputDimensionality && { config: { outputDimensionality } }) }))
				.embeddings;
		const [cats, more] = (await embedContents(['Cats purr', 'Dogs bark'], 64)) ?? [];
		assert.equal(cats?.values?.length, 64);
		assert.notDeepEqual(cats, more);
		assert.deepEqual(await embedContents('Cats purr', 64), [cats]);
		const openAi = await postBytes(
			`${gateway.baseUrl}/v1/embeddings`,
			JSON.stringify({ model: 'offline', input: 'Cats purr', dimensions: 64, encoding_format: 'float' }),
			{ authorization: `Bearer ${gateway.apiKey}` },
		);
		assert.deepEqual(JSON.parse(openAi.body.toString()).data[0].embedding, cats?.values);
	});

	it("refuses content that can't be embedded and names its position", async () => {
		const postToModel = async (verb: string, body: object) => {
			const { status, body: bytes } = await postBytes(
				`${gateway.baseUrl}/v1beta/models/offline:${verb}?key=${gateway.apiKey}`,
				JSON.stringify(body),
				{},
			);
			const { error } = JSON.parse(bytes.toString());
			return [status, error?.status, error?.message];
		};
		const text = { parts: [{ text: 'x' }] };
		for (const [verb, body, message] of [
			['embedContent', {}, '* EmbedContentRequest.content: '],
			['embedContent', { content: { parts: [] } }, '* content: content is empty'],
			[
				'embedContent',
				{ content: { parts: [{ inline_data: { mime_type: 'image/png', data: pixel } }] } },
				'* content.parts[0]: expected text',
			],
			['embedContent', { content: text, output_dimensionality: 0 }, '* EmbedContentRequest.output_dimensionality: '],
			['batchEmbedContents', { requests: [] }, '* BatchEmbedContentsRequest.requests: '],
			['batchEmbedContents', { requests: [{ model: 'models/other', content: text }] }, '* requests[0].model: expected models/offline'],
			[
				'batchEmbedContents',
				{ requests: [{ content: text, outputDimensionality: 8 }, { content: text }] },
				'* requests: expected the same',
			],
		] as const) {
			const [status, name, reason] = await postToModel(verb, body);
			assert.deepEqual([status, name, reason?.slice(0, message.length)], [400, 'INVALID_ARGUMENT', message]);
		}
		assert.equal((await postToModel('embedContent', { content: text, taskType: 'RETRIEVAL_QUERY' }))[0], 200);
	});

	it('lists models page by page', async () => {
		const names: (string | undefined)[] = [];
		for await (const model of await client.models.list({ config: { pageSize: 1 } })) {
			names.push(model.name);
		}
		assert.deepEqual(names, ['models/other', 'models/offline']);
		assert.equal((await client.models.get({ model: 'offline' })).name, 'models/offline');
	});

	it("raises the SDK's errors with their status", async () => {
		for (const [model, status, name] of [
			['offline-error-429', 429, 'RESOURCE_EXHAUSTED'],
			['offline-error-503', 503, 'UNAVAILABLE'],
			['offline-error-400', 400, 'INVALID_ARGUMENT'],
		] as const) {
			await assert.rejects(
				client.models.generateContent({ model, contents: 'x', config: { httpOptions: { retryOptions: { attempts: 1 } } } }),
				(error: unknown) => {
					assert.ok(error instanceof ApiError);
					assert.equal(error.status, status);
					assert.match(error.message, new RegExp(name));
					return true;
				},
			);
		}
		const wrong = new GoogleGenAI({ apiKey: 'wrong', httpOptions: { baseUrl: gateway.baseUrl } });
		await assert.rejects(wrong.models.generateContent({ model: 'offline', contents: 'x' }), /API_KEY_INVALID/);
	});

	it('ends a stream with the error if it fails midway', async () => {
		let text = '';
		await assert.rejects(async () => {
			for await (const chunk of await client.models.generateContentStream({
				model: 'offline',
				contents: 'Go on [offline: error-after=3]',
			})) {
				text += chunk.text ?? '';
			}
		}, ApiError);
		assert.equal(text, 'This is the');
	});

	it('stops when the caller aborts', async () => {
		const controller = new AbortController();
		let pieces = 0;
		await assert.rejects(async () => {
			for await (const _chunk of await client.models.generateContentStream({
				model: 'offline-slow',
				contents: 'Long [offline: tokens=2000]',
				config: { abortSignal: controller.signal },
			})) {
				pieces++;
				if (pieces === 3) {
					controller.abort();
				}
			}
		});
		assert.ok(pieces < 10);
	});

	describe("requests in the contract's own form", () => {
		const postToModel = async (verb: string, body: unknown, query = '') => {
			const reply = await postBytes(
				`${gateway.baseUrl}/v1beta/models/offline:${verb}?key=${gateway.apiKey}${query}`,
				JSON.stringify(body),
				{},
			);
			return { ...reply, text: reply.body.toString() };
		};

		it('accepts snake case, single objects in place of lists, and turns without a role', async () => {
			const reply = await postToModel('generateContent', {
				contents: { parts: { text: 'Hi' } },
				system_instruction: { parts: { text: 'You are a cat.' } },
				safety_settings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_ONLY_HIGH' }],
				generation_config: { max_output_tokens: 5, stop_sequences: ['x'] },
			});
			assert.equal(reply.status, 200);
			const { candidates, usageMetadata } = JSON.parse(reply.text) as {
				candidates: { finishReason: string }[];
				usageMetadata: { promptTokenCount: number };
			};
			assert.equal(candidates[0]?.finishReason, 'MAX_TOKENS');
			assert.ok(usageMetadata.promptTokenCount > 4);
			const nulls = { contents: { parts: { text: 'x' } }, generationConfig: { temperature: null }, tools: null };
			assert.equal((await postToModel('generateContent', nulls)).status, 200);
			const image = await postToModel('generateContent', {
				contents: [{ parts: [{ text: 'x' }, { inline_data: { mime_type: 'image/png', data: pixel } }] }],
			});
			assert.match(image.text, /Attached: 1 file\./);
		});

		it('streams events with CRLF for alt=sse, and one JSON array otherwise', async () => {
			const events = await postToModel('streamGenerateContent', { contents: { parts: { text: 'Hi' } } }, '&alt=sse');
			assert.equal(events.headers['content-type'], 'text/event-stream');
			const pieces = events.text.split('\r\n\r\n');
			assert.equal(pieces.pop(), '');
			assert.ok(pieces.length > 5 && pieces.every(piece => piece.startsWith('data: {') && !piece.includes('\n')));
			const array = await postToModel('streamGenerateContent', { contents: { parts: { text: 'Hi' } } });
			const chunks = JSON.parse(array.text) as { candidates: unknown[] }[];
			assert.equal(chunks.length, pieces.length);
			const failed = await postToModel('streamGenerateContent', { contents: { parts: { text: 'Hi [offline: error-after=2]' } } });
			assert.equal((JSON.parse(failed.text) as { error?: { code: number } }[]).at(-1)?.error?.code, 529);
		});

		it("refuses requests that violate the contract in Google's form", async () => {
			const cases: [unknown, RegExp][] = [
				[{}, /contents is not specified/],
				[{ contents: [] }, /contents is not specified/],
				[{ contents: { parts: {} } }, /must not be empty/],
				[{ contents: { role: 'robot', parts: { text: 'x' } } }, /valid role/],
				[{ contents: { parts: { text: 'x' } }, generationConfig: { temperature: 2.1 } }, /temperature/],
				[{ contents: { parts: { text: 'x' } }, generation_config: { stop_sequences: ['1', '2', '3', '4', '5', '6'] } }, /stopSequences/],
				[{ contents: { parts: { text: 'x' } }, generationConfig: { topP: 1.1 } }, /topP/],
				[{ contents: { parts: { text: 'x' } }, tools: [{ google_search: {} }] }, /googleSearch/],
			];
			for (const [body, words] of cases) {
				const reply = await postToModel('generateContent', body);
				assert.equal(reply.status, 400, JSON.stringify(body));
				const { error } = JSON.parse(reply.text) as { error: { code: number; status: string; message: string } };
				assert.equal(error.code, 400);
				assert.equal(error.status, 'INVALID_ARGUMENT');
				assert.match(error.message, words);
			}
		});
	});
});
