import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { createCallBlock, createMessagesReply, createTextBlock, PlayedUpstream } from '../../support/services/playedUpstream.ts';
import { isOldestEditor } from '../support/oldestEditor.ts';

const vendor = 'agent-workbench';
const { Assistant, User } = vscode.LanguageModelChatMessage;
/** One pixel: VS Code inspects images before it passes them on. */
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');

describe("our models in VS Code's chat", () => {
	const upstream = new PlayedUpstream();
	const getSettings = () => vscode.workspace.getConfiguration('agentWorkbench');
	const setSetting = (name: string, value: unknown) => getSettings().update(name, value, vscode.ConfigurationTarget.Global);

	before(async () => {
		await upstream.start();
		await setSetting('connections', [
			{ id: 'played', name: 'Played service', kind: 'anthropic-compatible', baseUrl: upstream.url },
			{ id: 'open', name: 'Open service', kind: 'openai', baseUrl: `${upstream.url}/api/v1` },
			{ id: 'other', name: 'Other service', kind: 'anthropic-compatible', baseUrl: upstream.url },
		]);
		await setSetting('assistant.models', [
			{ connection: 'played', endpoint: 'messages', model: 'large', name: 'My large one', maxInputTokens: 200_000, maxOutputTokens: 777 },
			{ connection: 'other', endpoint: 'messages', model: 'small', imageInput: false, toolCalling: false },
			{ connection: 'open', endpoint: 'chatCompletions', model: 'gpt' },
			{ connection: 'built-in', endpoint: 'messages', model: 'offline' },
			{ connection: 'built-in', endpoint: 'agent', model: 'summarize', name: 'Summaries' },
			{ connection: 'gone', endpoint: 'messages', model: 'lost' },
			{ connection: 'played', endpoint: 'nonsense', model: 'large' },
		]);
	});
	after(async () => {
		await setSetting('assistant.models', undefined);
		await setSetting('connections', undefined);
		await upstream.stop();
	});
	beforeEach(() => {
		upstream.requests.length = 0;
		upstream.answer = { events: createMessagesReply(createTextBlock(0, 'Hel', 'lo')) };
	});

	/** Returns the model with this ID once VS Code lists it. */
	const findModel = (id: string) =>
		new Promise<vscode.LanguageModelChat>((resolve, reject) => {
			const waitForModels = async () => {
				const found = (await vscode.lm.selectChatModels({ vendor })).find(each => each.id === id);
				if (found) {
					listener.dispose();
					resolve(found);
				}
			};
			const listener = vscode.lm.onDidChangeChatModels(() => void waitForModels().catch(reject));
			waitForModels().catch(reject);
		});
	const getLargeModel = () => findModel('played/messages/large');
	const readReply = async (asked: vscode.LanguageModelChatResponse): Promise<unknown[]> => {
		const parts: unknown[] = [];
		for await (const part of asked.stream) {
			parts.push(part);
		}
		return parts;
	};
	const sendChatRequest = async (messages: vscode.LanguageModelChatMessage[], options?: vscode.LanguageModelChatRequestOptions) =>
		readReply(await (await getLargeModel()).sendRequest(messages, options));
	const joinTexts = (parts: readonly unknown[]) =>
		parts.flatMap(part => (part instanceof vscode.LanguageModelTextPart ? [part.value] : [])).join('');
	const getRequestFailure = async (): Promise<{ code?: string; message: string }> => {
		try {
			await sendChatRequest([User('Hi')]);
		} catch (error) {
			return error as { code?: string; message: string };
		}
		throw new Error('It was answered');
	};

	it('are listed as selected by the user, with their names and known details, without any request', async () => {
		await findModel('built-in/agent/summarize');
		const listed = await vscode.lm.selectChatModels({ vendor });
		assert.deepEqual(
			listed.map(({ id, name, family, maxInputTokens }) => ({ id, name, family, maxInputTokens })),
			[
				{ id: 'played/messages/large', name: 'My large one', family: 'large', maxInputTokens: 200_000 },
				{ id: 'other/messages/small', name: 'small', family: 'small', maxInputTokens: 128_000 },
				{ id: 'open/chatCompletions/gpt', name: 'gpt', family: 'gpt', maxInputTokens: 128_000 },
				{ id: 'built-in/messages/offline', name: 'offline', family: 'offline', maxInputTokens: 128_000 },
				{ id: 'built-in/agent/summarize', name: 'Summaries', family: 'summarize', maxInputTokens: 128_000 },
			],
		);
		assert.deepEqual(upstream.requests, []);
	});

	it('stream text and report its usage', async () => {
		const parts = await sendChatRequest([User('Hi')], { modelOptions: { temperature: 1.5, _private: 'x' } });
		assert.equal(joinTexts(parts), 'Hello');
		const usage = parts.find(
			part => part instanceof vscode.LanguageModelDataPart && part.mimeType === 'usage',
		) as vscode.LanguageModelDataPart;
		assert.deepEqual(JSON.parse(new TextDecoder().decode(usage.data)), {
			prompt_tokens: 10,
			completion_tokens: 5,
			total_tokens: 15,
			prompt_tokens_details: { cached_tokens: 0 },
		});
		assert.deepEqual(upstream.last.body, {
			model: 'large',
			max_tokens: 777,
			temperature: 1,
			messages: [{ role: 'user', content: 'Hi' }],
			stream: true,
		});
	});

	it("receive the system text and images, but none of VS Code's private parts", async () => {
		const system = User('Be brief.');
		system.role = 3 as vscode.LanguageModelChatMessageRole;
		const mark = new vscode.LanguageModelDataPart(Uint8Array.from([1]), 'cache_control');
		await sendChatRequest([
			system,
			User([new vscode.LanguageModelTextPart('What is it?'), vscode.LanguageModelDataPart.image(png, 'image/png'), mark]),
			Assistant([new vscode.LanguageModelTextPart('A picture.'), new vscode.LanguageModelDataPart(png, 'stateful_marker')]),
			User('Of what?'),
		]);
		const { system: sent, messages } = upstream.last.body;
		assert.equal(sent, 'Be brief.');
		assert.deepEqual(messages, [
			{
				role: 'user',
				content: [
					{ type: 'text', text: 'What is it?' },
					{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: Buffer.from(png).toString('base64') } },
				],
			},
			{ role: 'assistant', content: 'A picture.' },
			{ role: 'user', content: 'Of what?' },
		]);
	});

	it('call tools, and receive results along with the signatures of the calls', async () => {
		const thought = [
			{ type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'A file.' } },
			{ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'signed' } },
			{ type: 'content_block_stop', index: 0 },
		];
		const calls = [...createCallBlock(2, 'c1', 'read', '{"path"', ':"a.ts"}'), ...createCallBlock(3, 'c2', 'list')];
		upstream.answer = { events: createMessagesReply([...thought, ...createTextBlock(1, 'I look.'), ...calls], { stop: 'tool_use' }) };
		const tools = [
			{ name: 'read', description: 'Reads', inputSchema: { type: 'object' } },
			{ name: 'list', description: 'Lists' },
		];
		const parts = await sendChatRequest([User('Look')], { tools, toolMode: vscode.LanguageModelChatToolMode.Required });
		const called = parts.filter(part => part instanceof vscode.LanguageModelToolCallPart);
		assert.deepEqual(
			called.map(({ callId, name, input }) => ({ callId, name, input })),
			[
				{ callId: 'c1', name: 'read', input: { path: 'a.ts' } },
				{ callId: 'c2', name: 'list', input: {} },
			],
		);
		assert.deepEqual(upstream.last.body['tools'], [
			{ name: 'read', description: 'Reads', input_schema: { type: 'object' } },
			{ name: 'list', description: 'Lists', input_schema: { type: 'object', properties: {} } },
		]);
		assert.deepEqual(upstream.last.body['tool_choice'], { type: 'any' });
		upstream.answer = { events: createMessagesReply(createTextBlock(0, 'Done')) };
		const createResult = (id: string, text: string, ...more: vscode.LanguageModelDataPart[]) =>
			new vscode.LanguageModelToolResultPart(id, [new vscode.LanguageModelTextPart(text), ...more]);
		await sendChatRequest(
			[
				User('Look'),
				Assistant(called),
				User([createResult('c1', 'text', vscode.LanguageModelDataPart.image(png, 'image/png')), createResult('c2', 'none')]),
			],
			{
				tools,
			},
		);
		const sent = upstream.last.body['messages'] as { role: string; content: { type: string; [field: string]: unknown }[] }[];
		assert.deepEqual(sent[1]?.content, [
			{ type: 'thinking', thinking: 'A file.', signature: 'signed' },
			{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a.ts' } },
			{ type: 'tool_use', id: 'c2', name: 'list', input: {} },
		]);
		assert.deepEqual(
			sent[2]?.content.map(({ type, tool_use_id, content }) => [type, tool_use_id, content]),
			[
				['tool_result', 'c1', 'text'],
				['image', undefined, undefined],
				['tool_result', 'c2', 'none'],
			],
		);
	});

	it('abort the request when the user cancels', async function () {
		if (isOldestEditor()) {
			// VS Code 1.106 can cancel a request before its provider has started. Then it doesn't notify the provider, and the reply
			// continues to its end.
			this.skip();
		}
		upstream.answer = { events: createMessagesReply(createTextBlock(0, 'One')).slice(0, 3), open: true };
		const cancel = new vscode.CancellationTokenSource();
		const asked = await (await getLargeModel()).sendRequest([User('Hi')], {}, cancel.token);
		for await (const text of asked.text) {
			assert.equal(text, 'One');
			cancel.cancel();
			break;
		}
		await upstream.letGo;
	});

	it("fail with an error code and the service's message", async () => {
		const createRefusal = (status: number, type: string) => {
			upstream.answer = { status, error: { type: 'error', error: { type, message: `played ${type}` } } };
		};
		createRefusal(401, 'authentication_error');
		assert.equal((await getRequestFailure()).code, 'NoPermissions');
		createRefusal(403, 'permission_error');
		assert.equal((await getRequestFailure()).code, 'NoPermissions');
		createRefusal(404, 'not_found_error');
		assert.equal((await getRequestFailure()).code, 'NotFound');
		createRefusal(400, 'invalid_request_error');
		const refused = await getRequestFailure();
		assert.notEqual(refused.code, 'NotFound');
		assert.match(refused.message, /'Played service': .*played invalid_request_error/);
		upstream.answer = { events: createMessagesReply(createTextBlock(0, 'No'), { stop: 'refusal' }) };
		assert.equal((await getRequestFailure()).code, 'Blocked');
		upstream.answer = { events: createMessagesReply(createTextBlock(0, 'On')).slice(0, 3) };
		assert.match((await getRequestFailure()).message, /ended|is incomplete/);
		upstream.answer = { events: createMessagesReply([], { stop: 'max_tokens' }) };
		assert.match((await getRequestFailure()).message, /token limit/);
	});

	it('count tokens without a request', async () => {
		const counted = await (await getLargeModel()).countTokens('word '.repeat(100));
		assert.ok(counted > 80 && counted < 250, `${counted}`);
		const message = await (await getLargeModel()).countTokens(User([vscode.LanguageModelDataPart.image(png, 'image/png')]));
		assert.ok(message > 1000);
		assert.deepEqual(upstream.requests, []);
	});

	it("include models of services with OpenAI's protocol", async () => {
		const called = { index: 0, id: 'c1', function: { name: 'read', arguments: '{"path":"a"}' } };
		upstream.answer = {
			events: [
				{ model: 'gpt', choices: [{ index: 0, delta: { role: 'assistant', content: 'I look.' }, finish_reason: null }] },
				{ model: 'gpt', choices: [{ index: 0, delta: { tool_calls: [called] }, finish_reason: 'stop' }] },
				{ model: 'gpt', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } },
			],
		};
		const open = await findModel('open/chatCompletions/gpt');
		const tools = [{ name: 'read', description: 'Reads' }];
		const parts = await readReply(await open.sendRequest([User('Look')], { tools, modelOptions: { temperature: 1.5 } }));
		assert.equal(joinTexts(parts), 'I look.');
		const call = parts.find(part => part instanceof vscode.LanguageModelToolCallPart);
		assert.deepEqual([call?.callId, call?.name, call?.input], ['c1', 'read', { path: 'a' }]);
		assert.equal(upstream.last.path, '/api/v1/chat/completions');
		assert.deepEqual(upstream.last.body, {
			model: 'gpt',
			temperature: 1.5,
			tools: [{ type: 'function', function: { name: 'read', description: 'Reads', parameters: { type: 'object', properties: {} } } }],
			messages: [{ role: 'user', content: 'Look' }],
			stream: true,
			stream_options: { include_usage: true },
		});
	});

	it('include the offline model of the built-in gateway if there is no other service', async () => {
		const offline = await findModel('built-in/messages/offline');
		const parts = await readReply(await offline.sendRequest([User('Say something')]));
		assert.match(joinTexts(parts), /offline/i);
	});

	it('include agents, which run as usual', async () => {
		const agent = await findModel('built-in/agent/summarize');
		const parts = await readReply(await agent.sendRequest([User('The quick brown fox jumps over the lazy dog.')]));
		assert.notEqual(joinTexts(parts), '');
	});
});
