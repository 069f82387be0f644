import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { Replies } from '#editor/chat/replies/replies.ts';
import { mostOutput, mostRounds } from '#editor/chat/replies/toolRounds.ts';
import { Targets } from '#editor/chat/targets.ts';
import type { ChatTool, ToolOutcome } from '#editor/chat/tools/chatTool.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';
import { Chats } from '#editor/chat/transcripts/chats.ts';
import { parseTranscript } from '#editor/chat/transcripts/transcriptSchema.ts';
import { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import type { ChatPart, ToolRun } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

interface Body {
	// biome-ignore lint/suspicious/noExplicitAny: bodies of three endpoints
	readonly [field: string]: any;
}

const createCalls = (...names: string[]) => [
	...names.flatMap((name, index) => [
		{ type: 'content_block_start', index, content_block: { type: 'tool_use', id: `id-${index}`, name, input: {} } },
		{ type: 'content_block_delta', index, delta: { type: 'input_json_delta', partial_json: '{"city":"Oslo"}' } },
	]),
	{ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { input_tokens: 10, output_tokens: 3 } },
];
const createTextEvents = (text: string) => [
	{ type: 'content_block_start', index: 0, content_block: { type: 'text', text } },
	{ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { input_tokens: 20, output_tokens: 4 } },
];

describe('tools of a chat', () => {
	let folder: string;
	let chats: Chats;
	let replies: Replies;
	let chat: Chat;
	let kind: 'anthropic-compatible' | 'openai' | 'gemini';
	let sent: Body[];
	/** Responses of the service in order. The last one is repeated. */
	let answers: unknown[][];
	let run: (input: object, signal: AbortSignal) => Promise<ToolOutcome>;
	let ran: object[];
	let names: string[];

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'tools-'));
		chats = new Chats({
			store: new TranscriptStore(folder, words),
			claims: new WindowClaims(folder, new WindowPresence(folder)),
			words,
			onTrouble: error => assert.fail(String(error)),
		});
		kind = 'anthropic-compatible';
		sent = [];
		ran = [];
		names = ['weather'];
		run = async () => ({ text: 'rain', isError: false });
		const streamResponse = async function* (body: Body) {
			sent.push(structuredClone(body));
			yield* answers[Math.min(sent.length, answers.length) - 1] ?? [];
		};
		const connection = { id: 'c', name: 'Service', user: 'ana' };
		const client = {
			streamMessage: streamResponse,
			streamChatCompletion: streamResponse,
			streamGenerateContent: (_model: string, body: Body) => streamResponse(body),
		};
		const connections = {
			getDefault: () => ({ ...connection, kind }),
			getClient: async () => client,
			toProblem: (_id: string, error: unknown) => error,
		} as unknown as Connections;
		replies = new Replies(
			connections,
			new Targets(connections, words),
			chats,
			words,
			async () => {},
			async () => names.map(createTool),
			async () => '',
		);
		chat = openNewChat();
	});
	afterEach(async () => {
		await chats.dispose();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const createTool = (name: string): ChatTool => ({
		chosen: { kind: 'editor', name },
		title: name,
		where: 'VS Code',
		description: `Tells the ${name}.`,
		inputSchema: { type: 'object', properties: { city: { type: 'string' } } },
		run: (input, signal) => {
			ran.push({ name, input });
			return run(input, signal);
		},
	});
	const openNewChat = () => {
		const made = chats.createChat();
		made.updateFields({ models: { messages: 'm', chatCompletions: 'm', content: 'm' }, tools: [{ kind: 'editor', name: 'weather' }] });
		return made;
	};
	const waitUntil = (is: () => boolean) =>
		new Promise<void>(resolve => {
			const checkCondition = () => {
				if (is()) {
					listening.dispose();
					resolve();
				}
			};
			const listening = chat.addChangeListener(checkCondition);
			checkCondition();
		});
	const getLastTurn = () => chat.getShownTurns().at(-1);
	const listParts = (): readonly ChatPart[] => getLastTurn()?.parts ?? [];
	const listRuns = () => listParts().flatMap(part => (part.kind === 'toolCall' && part.run ? [part.run] : []));
	const listStatuses = (): ToolRun['status'][] => listRuns().map(({ status }) => status);
	const waitUntilAsked = () => waitUntil(() => listStatuses().includes('asked'));
	const waitForEnd = () => waitUntil(() => chat.transcript.turns.length > 0 && !replies.isRunning(chat));
	const decideCall = (decision: 'once' | 'always' | 'deny') => {
		const index = listParts().findIndex(part => part.kind === 'toolCall' && part.run?.status === 'asked');
		replies.decideToolCall(chat, getLastTurn()?.id ?? '', index, decision);
	};
	const listResults = () => listParts().flatMap(part => (part.kind === 'toolResult' ? [[part.output, part.isError]] : []));

	it('declares tools, asks the user, runs them and sends the results within one reply', async () => {
		answers = [createCalls('weather'), createTextEvents('It rains.')];
		replies.send(chat, 'Weather?');
		await waitUntilAsked();
		assert.deepEqual(ran, []);
		assert.deepEqual(sent[0]?.['tools'], [
			{ name: 'weather', description: 'Tells the weather.', input_schema: { type: 'object', properties: { city: { type: 'string' } } } },
		]);
		decideCall('once');
		await waitForEnd();
		assert.deepEqual(ran, [{ name: 'weather', input: { city: 'Oslo' } }]);
		assert.deepEqual(
			listParts().map(part => part.kind),
			['toolCall', 'toolResult', 'text'],
		);
		assert.deepEqual(listStatuses(), ['done']);
		assert.equal(typeof listRuns()[0]?.ms, 'number');
		assert.deepEqual(sent[1]?.['messages'].slice(1), [
			{ role: 'assistant', content: [{ type: 'tool_use', id: 'id-0', name: 'weather', input: { city: 'Oslo' } }] },
			{ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'id-0', content: 'rain' }] },
		]);
		assert.equal(getLastTurn()?.reply?.status, 'done');
		assert.deepEqual(getLastTurn()?.reply?.usage, { input: 30, output: 7 });
		assert.deepEqual(getLastTurn()?.reply?.lastUsage, { input: 20, output: 4 });
	});

	it('asks again after "once", but not after "always"', async () => {
		answers = [createCalls('weather'), createCalls('weather'), createCalls('weather'), createTextEvents('Done.')];
		replies.send(chat, 'Weather?');
		await waitUntilAsked();
		decideCall('once');
		await waitUntil(() => listStatuses().join() === 'done,asked');
		decideCall('always');
		await waitForEnd();
		assert.deepEqual(listStatuses(), ['done', 'done', 'done']);
		assert.deepEqual(chat.transcript.tools, [{ kind: 'editor', name: 'weather', allowed: true }]);
		const asksAnew = await chats.importChat(chat.transcript);
		assert.deepEqual((await chats.holdChat(asksAnew))?.transcript.tools, []);
	});

	it('reports a denied call to the model', async () => {
		answers = [createCalls('weather'), createTextEvents('Then not.')];
		replies.send(chat, 'Weather?');
		await waitUntilAsked();
		decideCall('deny');
		await waitForEnd();
		assert.deepEqual(ran, []);
		assert.deepEqual(listStatuses(), ['denied']);
		assert.deepEqual(sent[1]?.['messages'].at(-1).content[0], {
			type: 'tool_result',
			tool_use_id: 'id-0',
			content: 'The user did not allow this call.',
			is_error: true,
		});
	});

	it('reports failed and unknown tools to the model', async () => {
		chat.updateFields({ tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		run = async () => {
			throw new Error('No network.');
		};
		answers = [createCalls('weather', 'other'), createTextEvents('Sorry.')];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		assert.deepEqual(listStatuses(), ['failed', 'failed']);
		assert.deepEqual(listResults(), [
			['No network.', true],
			['There is no tool with this name.', true],
		]);
		assert.equal(getLastTurn()?.reply?.status, 'done');
	});

	it('stops the running tool with the reply, and adds results for unfinished calls to the next message', async () => {
		chat.updateFields({ tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		run = (_input, signal) =>
			new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true }));
		answers = [createCalls('weather', 'weather')];
		replies.send(chat, 'Weather?');
		await waitUntil(() => listStatuses().includes('running'));
		replies.stop(chat);
		await waitForEnd();
		assert.equal(getLastTurn()?.reply?.status, 'stopped');
		assert.deepEqual(listStatuses(), ['stopped', 'stopped']);
		assert.equal(sent.length, 1);
		answers = [createTextEvents('On.')];
		replies.send(chat, 'Go on');
		await waitForEnd();
		assert.deepEqual(
			sent[1]?.['messages'].at(-1).content.map(({ type }: Body) => type),
			['tool_result', 'tool_result', 'text'],
		);
	});

	it('stops while a call waits for the user', async () => {
		answers = [createCalls('weather')];
		replies.send(chat, 'Weather?');
		await waitUntilAsked();
		replies.stop(chat);
		await waitForEnd();
		assert.equal(getLastTurn()?.reply?.status, 'stopped');
		assert.deepEqual(listStatuses(), ['stopped']);
		assert.deepEqual(ran, []);
	});

	it('stops after the maximum number of rounds with a message', async () => {
		chat.updateFields({ tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		answers = [createCalls('weather')];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		assert.equal(ran.length, mostRounds);
		assert.equal(sent.length, mostRounds + 1);
		assert.equal(listStatuses().at(-1), 'stopped');
		assert.equal(getLastTurn()?.reply?.finish?.notable, true);
	});

	it('cuts long results', async () => {
		chat.updateFields({ tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		run = async () => ({ text: 'x'.repeat(mostOutput * 3), isError: false });
		answers = [createCalls('weather'), createTextEvents('Long.')];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		const [output] = listResults()[0] ?? [];
		assert.ok(String(output).length < mostOutput + 200);
		assert.match(String(output), /cut: the first/);
	});

	it('does not run tools that the user declared', async () => {
		chat.updateFields({ settings: { messages: { tools: [{ name: 'weather', input_schema: {} }] } } });
		answers = [createCalls('weather')];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		assert.deepEqual(
			sent[0]?.['tools'].map(({ name }: Body) => name),
			['weather', 'weather_2'],
		);
		assert.deepEqual(listRuns(), []);
		assert.equal(getLastTurn()?.reply?.status, 'done');
	});

	it('does not resend earlier tool calls on a retry', async () => {
		chat.updateFields({ tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		answers = [createCalls('weather'), createTextEvents('It rains.')];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		answers = [...answers, createTextEvents('Again.')];
		replies.retryReply(chat, getLastTurn()?.id ?? '');
		await waitForEnd();
		assert.deepEqual(sent[2]?.['messages'], [{ role: 'user', content: 'Weather?' }]);
	});

	it('runs the tools of a chat completion', async () => {
		kind = 'openai';
		chat.updateFields({ endpoint: 'chatCompletions', tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		const call = { index: 0, id: 'c1', function: { name: 'weather', arguments: '{"city":"Oslo"}' } };
		answers = [
			[{ choices: [{ index: 0, delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }] }],
			[{ choices: [{ index: 0, delta: { content: 'It rains.' }, finish_reason: 'stop' }] }],
		];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		assert.equal(sent[0]?.['tools'][0].function.name, 'weather');
		assert.deepEqual(sent[1]?.['messages'].slice(1), [
			{
				role: 'assistant',
				content: null,
				tool_calls: [{ id: 'c1', type: 'function', function: { name: 'weather', arguments: '{"city":"Oslo"}' } }],
			},
			{ role: 'tool', tool_call_id: 'c1', content: 'rain' },
		]);
	});

	it('runs the tools of a generateContent reply', async () => {
		kind = 'gemini';
		chat.updateFields({ endpoint: 'content', tools: [{ kind: 'editor', name: 'weather', allowed: true }] });
		const createContentEvents = (part: object) => [{ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }];
		answers = [
			createContentEvents({ functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 's' }),
			createContentEvents({ text: 'It rains.' }),
		];
		replies.send(chat, 'Weather?');
		await waitForEnd();
		assert.equal(sent[0]?.['tools'][0].functionDeclarations[0].name, 'weather');
		assert.deepEqual(sent[1]?.['contents'].slice(1), [
			{ role: 'model', parts: [{ functionCall: { name: 'weather', args: { city: 'Oslo' } }, thoughtSignature: 's' }] },
			{ role: 'user', parts: [{ functionResponse: { name: 'weather', response: { result: 'rain' } } }] },
		]);
	});

	it('restores tool calls when a chat is opened again', async () => {
		chat.updateFields({ models: { messages: 'm', chatCompletions: 'm' } });
		answers = [createCalls('weather')];
		replies.send(chat, 'Weather?');
		await waitUntilAsked();
		const opened = parseTranscript(words, JSON.stringify(chat.transcript), 'the chat');
		const last = opened.turns.at(-1);
		assert.equal(last?.reply?.status, 'interrupted');
		assert.deepEqual(last?.parts[0]?.kind === 'toolCall' && last.parts[0].run, { title: 'weather', where: 'VS Code', status: 'stopped' });
		assert.deepEqual(opened.tools, chat.transcript.tools);
		assert.deepEqual(opened.models, { messages: 'm', chatCompletions: 'm' });
		replies.stop(chat);
		await waitForEnd();
	});
});
