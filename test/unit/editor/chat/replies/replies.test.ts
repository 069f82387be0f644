import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import type { PriceRule } from '#contract/text/modelPrices.ts';
import type { TokenPrice } from '#contract/text/tokenPrice.ts';
import { Replies } from '#editor/chat/replies/replies.ts';
import { Targets } from '#editor/chat/targets.ts';
import { Chats } from '#editor/chat/transcripts/chats.ts';
import { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import type { ChatChange } from '#pages/chat/transcript/chatChanges.ts';
import { getTurnText, type RetryWait } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import { words } from '../endpoints/words.ts';

interface AgentBody {
	readonly query: string;
	readonly conversation_id?: string;
}
type Stream = (body: { messages: { content: string }[] }, signal: AbortSignal) => AsyncIterable<unknown>;

const start = [{ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }];
const createText = (value: string) => ({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: value } });
const end = [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }];
async function* iterateEvents(...all: unknown[]): AsyncIterable<unknown> {
	yield* all;
}

describe('replies', () => {
	let folder: string;
	let chats: Chats;
	let replies: Replies;
	let stream: Stream;
	let prices: readonly TokenPrice[];
	let instructions: string;
	let conversation: (body: AgentBody) => AsyncIterable<unknown>;
	let models: () => Promise<readonly string[]>;
	let listed: number;
	let rules: PriceRule[];
	let agents: { readonly name: string; readonly mode: string; readonly error: null }[];
	beforeEach(() => {
		agents = [];
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'replies-'));
		chats = new Chats({
			store: new TranscriptStore(folder, words),
			claims: new WindowClaims(folder, new WindowPresence(folder)),
			words,
			onTrouble: error => assert.fail(String(error)),
		});
		prices = [];
		models = async () => [];
		listed = 0;
		rules = [];
		instructions = '';
		stream = body => iterateEvents(...start, createText(`Echo: ${body.messages.at(-1)?.content}`), ...end);
		const connection = { id: 'c', name: 'Service', kind: 'anthropic-compatible', user: 'ana', baseUrl: 'https://service.example/v1' };
		const client = {
			streamMessage: (body: never, { signal, priced }: { signal: AbortSignal; priced(price: TokenPrice): void }) => {
				for (const price of prices) {
					priced(price);
				}
				return stream(body, signal);
			},
			streamChatMessage: (body: AgentBody) => conversation(body),
			listMessagesModels: async () => {
				listed++;
				return (await models()).map(id => ({ id, display_name: id, max_tokens: 64_000 }));
			},
		};
		const connections = {
			getDefault: () => connection,
			get: () => connection,
			getClient: async () => client,
			listAgents: async () => agents,
			toProblem: (_id: string, error: unknown) => error,
		} as unknown as Connections;
		replies = new Replies(
			connections,
			new Targets(connections, words, () => rules),
			chats,
			words,
			async () => {},
			async () => [],
			async () => instructions,
		);
	});
	afterEach(async () => {
		await chats.dispose();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const openNewChat = () => {
		const chat = chats.createChat();
		chat.updateFields({ models: { messages: 'm' } });
		return chat;
	};
	type Chat = ReturnType<typeof openNewChat>;
	const waitForEnd = (chat: Chat) =>
		new Promise<void>(resolve => {
			const listening = chat.addChangeListener(change => {
				if (change.type === 'head' && !replies.isRunning(chat)) {
					listening.dispose();
					resolve();
				}
			});
		});
	const sendMessage = async (chat: Chat, message: string) => {
		replies.send(chat, message);
		await waitForEnd(chat);
	};
	const getShown = (chat: Chat) => getActivePath(chat.transcript).map(turn => getTurnText(turn));
	const getLastTurn = (chat: Chat) => getActivePath(chat.transcript).at(-1)!;

	it('shows the cost if the service sends a token price or the user has set one, and ignores invalid prices', async () => {
		const setReportedUsage = (usage: object) => {
			stream = () => iterateEvents({ type: 'message_start', message: { usage } }, ...start, createText('Hi'), ...end);
		};
		const measureCost = async () => {
			const chat = openNewChat();
			await sendMessage(chat, 'Hello');
			return getActivePath(chat.transcript).at(-1)?.reply?.cost;
		};
		setReportedUsage({ input_tokens: 1000, cache_read_input_tokens: 9000, output_tokens: 200 });
		assert.equal(await measureCost(), undefined);
		prices = [{ input: 3, cached: 0.3, output: 15, currency: 'EUR' }];
		assert.deepEqual(await measureCost(), { amount: 0.0087, currency: 'EUR' });
		rules = [{ model: 'm', input: 100, output: 100, currency: 'USD' }];
		assert.deepEqual(await measureCost(), { amount: 0.0087, currency: 'EUR' });
		prices = [];
		assert.deepEqual(await measureCost(), { amount: 1.02, currency: 'USD' });
		setReportedUsage({ input_tokens: -7, output_tokens: Number.POSITIVE_INFINITY });
		assert.equal(await measureCost(), undefined);
	});

	it('retries with another model beside the first reply, and the chat keeps its own', async () => {
		const asked: unknown[] = [];
		stream = body => {
			asked.push((body as { model?: unknown }).model);
			return iterateEvents(...start, createText('Hi'), ...end);
		};
		const chat = openNewChat();
		await sendMessage(chat, 'one');
		const first = getLastTurn(chat);
		replies.retryReply(chat, first.id, { connectionId: 'c', endpoint: 'messages', model: 'other' });
		await waitForEnd(chat);
		const second = getLastTurn(chat);
		assert.deepEqual([first.reply?.model, second.reply?.model, second.parent], ['m', 'other', first.parent]);
		assert.deepEqual(chat.getShownTurns().at(-1)?.branch, { index: 1, count: 2 });
		await sendMessage(chat, 'two');
		assert.deepEqual(asked, ['m', 'other', 'm']);
		assert.deepEqual(chat.transcript.models, { messages: 'm' });
	});

	it('sends the instructions of the workspace before the system prompt', async () => {
		const systems: unknown[] = [];
		stream = body => {
			systems.push((body as { system?: unknown }).system);
			return iterateEvents(...start, createText('Hi'), ...end);
		};
		const chat = openNewChat();
		await sendMessage(chat, 'one');
		instructions = 'Use tabs.';
		await sendMessage(chat, 'two');
		chat.updateFields({ system: 'Be brief.' });
		await sendMessage(chat, 'three');
		assert.deepEqual(systems, [undefined, 'Use tabs.', 'Use tabs.\n\nBe brief.']);
	});

	it('ignores invalid token counts', async () => {
		const usage = { input_tokens: -7, output_tokens: Number.POSITIVE_INFINITY, cache_read_input_tokens: 3 };
		stream = () => iterateEvents({ type: 'message_start', message: { usage } }, ...start, createText('Hi'), ...end);
		const chat = openNewChat();
		await sendMessage(chat, 'Hello');
		assert.deepEqual(getActivePath(chat.transcript).at(-1)?.reply?.usage, { cached: 3 });
	});

	it('continues in a new conversation with the earlier messages after the old one was deleted', async () => {
		const sent: AgentBody[] = [];
		let deleted: string | undefined;
		conversation = async function* (body) {
			sent.push(body);
			if (body.conversation_id !== undefined && body.conversation_id === deleted) {
				throw Object.assign(new Error('no such conversation'), { reason: 'not-found' });
			}
			const id = body.conversation_id ?? `c${sent.length}`;
			yield { event: 'message', answer: `Echo: ${body.query}`, conversation_id: id };
			yield { event: 'message_end', conversation_id: id };
		};
		const chat = chats.createChat();
		chat.updateFields({ endpoint: 'agent', models: { agent: 'helper' } });
		const sendMessage = async (text: string) => {
			replies.send(chat, text);
			await waitForEnd(chat);
		};
		await sendMessage('one');
		deleted = 'c1';
		await sendMessage('two');
		const failed = chat.getTurn(chat.transcript.leaf ?? '')!;
		assert.deepEqual(failed.reply?.problem, {
			reason: 'conversation-gone',
			message: "This conversation was deleted on 'Service'.",
			actions: ['newConversation', 'retry'],
		});
		replies.startConversation(chat, failed.id);
		await waitForEnd(chat);
		assert.deepEqual([sent.at(-1)?.conversation_id, sent.at(-1)?.query], [undefined, 'User: one\n\nAssistant: Echo: one\n\nUser: two']);
		await sendMessage('three');
		assert.deepEqual([sent.at(-1)?.conversation_id, sent.at(-1)?.query], ['c3', 'three']);
	});

	it('adds the reply to the chat, and titles the chat by its first message', async () => {
		const chat = openNewChat();
		await sendMessage(chat, 'hello\nthere');
		assert.deepEqual(getShown(chat), ['hello\nthere', 'Echo: hello\nthere']);
		assert.equal(chat.transcript.title, 'hello');
		assert.equal(getLastTurn(chat).reply?.status, 'done');
		assert.equal(chat.transcript.user, 'ana');
	});

	it('keeps the old branches after a retry and an edit', async () => {
		const chat = openNewChat();
		await sendMessage(chat, 'one');
		const [question, answer] = getActivePath(chat.transcript);
		replies.retryReply(chat, answer!.id);
		await waitForEnd(chat);
		replies.editMessage(chat, question!.id, 'two');
		await waitForEnd(chat);
		assert.deepEqual(getShown(chat), ['two', 'Echo: two']);
		assert.equal(chat.transcript.turns.length, 5);
		chat.selectSibling(getActivePath(chat.transcript)[0]!.id, -1);
		assert.deepEqual(getShown(chat), ['one', 'Echo: one']);
		assert.deepEqual(chat.getShownTurns()[1]?.branch, { index: 1, count: 2 });
	});

	it('keeps the received text when stopped', async () => {
		const chat = openNewChat();
		stream = async function* (_body, signal) {
			yield* [...start, createText('half')];
			if (!signal.aborted) {
				await new Promise(resolve => signal.addEventListener('abort', resolve));
			}
			signal.throwIfAborted();
		};
		chat.addChangeListener(change => change.type === 'textAdded' && replies.stop(chat));
		await sendMessage(chat, 'go');
		assert.equal(getTurnText(getLastTurn(chat)), 'half');
		assert.equal(getLastTurn(chat).reply?.status, 'stopped');
		assert.equal(getLastTurn(chat).reply?.problem, undefined);
	});

	it('reports a stream that ended before its last event', async () => {
		const chat = openNewChat();
		stream = () => iterateEvents(...start, createText('half'));
		await sendMessage(chat, 'go');
		assert.equal(getTurnText(getLastTurn(chat)), 'half');
		assert.equal(getLastTurn(chat).reply?.problem?.reason, 'cut');
	});

	it('shows a refusal with the request ID and actions to fix it', async () => {
		const chat = openNewChat();
		stream = async function* () {
			yield* [];
			throw Object.assign(new Error('The key was refused (401).'), { name: 'ServiceError', reason: 'auth', requestId: 'req_1' });
		};
		await sendMessage(chat, 'go');
		assert.deepEqual(getLastTurn(chat).reply?.problem, {
			reason: 'auth',
			message: 'The key was refused (401). (request ID: req_1)',
			actions: ['replaceKey', 'retry'],
		});
	});

	describe('of a chat without a model', () => {
		const sendWithModels = async (listed: () => Promise<readonly string[]>) => {
			models = listed;
			const chat = chats.createChat();
			await sendMessage(chat, 'hi');
			return { reply: getLastTurn(chat).reply, model: chat.transcript.models.messages };
		};

		it('uses the only model of the service', async () => {
			const { reply, model } = await sendWithModels(async () => ['only']);
			assert.deepEqual([reply?.status, model], ['done', 'only']);
		});

		it('continues the conversation that the first message to the only agent started', async () => {
			agents = [{ name: 'helper', mode: 'advanced-chat', error: null }];
			const sent: AgentBody[] = [];
			conversation = async function* (body) {
				sent.push(body);
				yield { event: 'message', answer: 'Hello', conversation_id: 'c1' };
				yield { event: 'message_end', conversation_id: 'c1' };
			};
			const chat = chats.createChat();
			chat.updateFields({ endpoint: 'agent' });
			await sendMessage(chat, 'hi');
			await sendMessage(chat, 'more');
			assert.equal(getLastTurn(chat).reply?.model, 'helper');
			assert.deepEqual(
				sent.map(({ query, conversation_id }) => [query, conversation_id]),
				[
					['hi', undefined],
					['more', 'c1'],
				],
			);
		});

		for (const [what, listed] of Object.entries({
			'several models are listed': async () => ['a', 'b'],
			'none is listed': async () => [],
			'the service has no list': () => Promise.reject(Object.assign(new Error('404'), { reason: 'not-found' })),
		})) {
			it(`asks for a model if ${what}`, async () => {
				const { reply } = await sendWithModels(listed);
				assert.deepEqual([reply?.problem?.reason, reply?.problem?.actions], ['model-missing', ['pickModel']]);
			});
		}

		it('reports why the models could not be listed', async () => {
			const { reply } = await sendWithModels(() => Promise.reject(Object.assign(new Error('refused'), { reason: 'auth' })));
			assert.equal(reply?.problem?.reason, 'auth');
		});
	});

	it('sends nothing if a setting is out of range', async () => {
		const chat = openNewChat();
		stream = () => assert.fail('it was sent');
		chat.updateFields({ settings: { messages: { temperature: 3 } } });
		await sendMessage(chat, 'go');
		assert.match(getLastTurn(chat).reply?.problem?.message ?? '', /'temperature' isn't valid\. Enter a number from 0 to 1\./);
	});

	it('sends nothing if the endpoint does not accept an image, and says so before', async () => {
		const chat = openNewChat();
		const image = { id: 'i', part: { kind: 'image', name: 'dot.png', mimeType: 'image/png', data: 'AAAA' } } as const;
		chat.updateFields({ attachments: [image] });
		assert.equal(await replies.checkAttachments(chat), undefined);
		chat.updateFields({ endpoint: 'completions' });
		const sentence = 'Text completion only supports text. Remove the image or select a chat model.';
		assert.equal(await replies.checkAttachments(chat), sentence);
		chat.updateFields({ models: { completions: 'm' } });
		await sendMessage(chat, 'go');
		assert.equal(getLastTurn(chat).reply?.problem?.message, sentence);
	});

	it('saves the received text when the window closes', async () => {
		const chat = openNewChat();
		stream = async function* () {
			yield* [...start, createText('half of it')];
			await new Promise(() => undefined);
		};
		const came = new Promise<void>(resolve => chat.addChangeListener(change => change.type === 'textAdded' && resolve()));
		replies.send(chat, 'go');
		await came;
		void chats.dispose();
		const kept = await new TranscriptStore(folder, words).loadTranscript(chat.transcript.id);
		assert.deepEqual(
			kept?.turns.map(turn => getTurnText(turn)),
			['go', 'half of it'],
		);
		assert.equal(kept?.turns.at(-1)?.reply?.status, 'interrupted');
	});

	it("request as many tokens as the service lists for the model, and don't fail if it lists none", async () => {
		const limits: unknown[] = [];
		stream = body => {
			limits.push((body as { max_tokens?: number }).max_tokens);
			return iterateEvents(...start, createText('Hi'), ...end);
		};
		models = async () => Promise.reject(new Error('No list.'));
		const chat = openNewChat();
		await sendMessage(chat, 'Hello');
		models = async () => ['m'];
		await sendMessage(chat, 'Hello');
		await sendMessage(chat, 'Hello');
		assert.deepEqual(limits, [4096, 64_000, 64_000]);
		assert.equal(listed, 2);
	});

	describe('of a long chat', () => {
		let sent: { role: string; content: string }[];
		async function createLongChat(): Promise<Chat> {
			stream = body => {
				sent = body.messages as typeof sent;
				return iterateEvents(...start, createText(`Reply to ${body.messages.at(-1)?.content.slice(0, 20)}`), ...end);
			};
			const chat = openNewChat();
			for (const text of ['one', 'two', 'three']) {
				await sendMessage(chat, text);
			}
			return chat;
		}
		const summarize = (chat: Chat) => replies.summarizeOlderTurns(chat, new AbortController().signal);

		it('send a summary instead of older messages, which stay visible, until that is undone', async () => {
			const chat = await createLongChat();
			assert.ok(replies.canSummarize(chat));
			await summarize(chat);
			assert.deepEqual(
				sent.map(({ content }) => content.slice(0, 12)),
				['one', 'Reply to one', 'two', 'Reply to two', 'Summarize th'],
			);
			assert.deepEqual(getShown(chat).length, 6);
			const summarized = getActivePath(chat.transcript)[3]!;
			assert.equal(summarized.summary, 'Reply to Summarize the conver');
			assert.equal(replies.canSummarize(chat), false);
			await sendMessage(chat, 'four');
			assert.deepEqual(
				sent.map(({ content }) =>
					typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('\n\n'),
				),
				['Summary of the conversation so far:\n\nReply to Summarize the conver\n\nthree', 'Reply to three', 'four'],
			);
			await summarize(chat);
			assert.equal(getActivePath(chat.transcript)[5]?.summary, 'Reply to Summarize the conver');
			chat.setSummary(getActivePath(chat.transcript)[5]!, undefined);
			chat.setSummary(summarized, undefined);
			await sendMessage(chat, 'five');
			assert.equal(sent.length, 9);
		});

		it('stay as they are if there is nothing to summarize, or if the summary fails', async () => {
			const chat = openNewChat();
			await sendMessage(chat, 'one');
			assert.equal(replies.canSummarize(chat), false);
			await assert.rejects(summarize(chat), { reason: 'no-older-turns' });
			const long = await createLongChat();
			stream = async function* () {
				yield* start;
				throw new Error('No.');
			};
			await assert.rejects(summarize(long), /No\./);
			assert.ok(getActivePath(long.transcript).every(({ summary }) => summary === undefined));
		});
	});

	describe('of a busy service', () => {
		const createBusyError = (details: object) =>
			Object.assign(new Error('Slow down.'), { name: 'ServiceError', reason: 'rate-limited', status: 429, ...details });
		/** Fails with each of the errors, then replies. Returns the number of requests. */
		function failWith(...errors: Error[]): () => number {
			let requests = 0;
			stream = async function* () {
				const error = errors[requests++];
				if (error) {
					throw error;
				}
				yield* [...start, createText('Hi'), ...end];
			};
			return () => requests;
		}
		const waitForRetry = (chat: Chat) =>
			new Promise<void>(resolve =>
				chat.addChangeListener(change => change.type === 'replyChanged' && change.reply.retry && setImmediate(resolve)),
			);

		it('are requested again after the time that the service names, and show how long they wait', async () => {
			const countRequests = failWith(
				createBusyError({ retryAfterMs: 20 }),
				createBusyError({ retryAfterMs: 10, reason: 'overloaded', status: 529 }),
			);
			const chat = openNewChat();
			const waits: RetryWait[] = [];
			chat.addChangeListener(change => change.type === 'replyChanged' && change.reply.retry && waits.push(change.reply.retry));
			await sendMessage(chat, 'Hello');
			assert.deepEqual(getShown(chat), ['Hello', 'Hi']);
			assert.equal(countRequests(), 3);
			assert.deepEqual(
				waits.map(({ at: _, ...wait }) => wait),
				[
					{ reason: 'rate-limited', retry: 1, of: 3 },
					{ reason: 'overloaded', retry: 2, of: 3 },
				],
			);
			assert.equal(getLastTurn(chat).reply?.retry, undefined);
		});

		it('fail after three retries', async () => {
			const countRequests = failWith(...Array.from({ length: 9 }, () => createBusyError({ retryAfterMs: 5 })));
			const chat = openNewChat();
			await sendMessage(chat, 'Hello');
			assert.equal(countRequests(), 4);
			assert.deepEqual(getLastTurn(chat).reply?.problem?.actions, ['retry']);
		});

		for (const [what, details] of [
			['an overloaded service names no time', { reason: 'overloaded', status: 503 }],
			['the wait would be long', { retryAfterMs: 3_600_000 }],
			['the account has no credit', { code: 'insufficient_quota' }],
			['the message is refused', { reason: 'invalid-request', status: 400 }],
		] as const) {
			it(`aren't requested again if ${what}`, async () => {
				const countRequests = failWith(createBusyError(details));
				const chat = openNewChat();
				await sendMessage(chat, 'Hello');
				assert.equal(countRequests(), 1);
				assert.equal(getLastTurn(chat).reply?.status, 'failed');
			});
		}

		it("aren't requested again once text has arrived", async () => {
			let requests = 0;
			stream = async function* () {
				requests++;
				yield* [...start, createText('Half')];
				throw createBusyError({ retryAfterMs: 5 });
			};
			const chat = openNewChat();
			await sendMessage(chat, 'Hello');
			assert.equal(requests, 1);
			assert.deepEqual(getShown(chat), ['Hello', 'Half']);
		});

		it('are requested at once if the user wants that, and stop while they wait', async () => {
			const countRequests = failWith(createBusyError({}), createBusyError({}));
			const chat = openNewChat();
			replies.send(chat, 'Hello');
			await waitForRetry(chat);
			const waitsAgain = waitForRetry(chat);
			replies.retryNow(chat);
			await waitsAgain;
			assert.equal(countRequests(), 2);
			const ended = waitForEnd(chat);
			replies.stop(chat);
			await ended;
			assert.equal(countRequests(), 2);
			assert.deepEqual([getLastTurn(chat).reply?.status, getLastTurn(chat).reply?.retry], ['stopped', undefined]);
		});
	});

	for (const [message, details, reason, actions] of [
		['prompt is too long: 201000 tokens > 200000 maximum', { status: 400 }, 'too-long', ['newChat', 'summarize', 'pickModel']],
		[
			'The input token count (9) exceeds the maximum',
			{ status: 400, code: 'INVALID_ARGUMENT' },
			'too-long',
			['newChat', 'summarize', 'pickModel'],
		],
		['No.', { status: 400, code: 'context_length_exceeded' }, 'too-long', ['newChat', 'summarize', 'pickModel']],
		['Your credit balance is too low to access the API.', { status: 400 }, 'no-credit', ['pickModel']],
		['No.', { status: 402, reason: 'auth' }, 'no-credit', ['pickModel']],
		['temperature: too large', { status: 400 }, 'invalid-request', ['openSettings', 'retry']],
	] as const) {
		it(`offer only what helps after '${message}' (${details.status})`, async () => {
			stream = async function* () {
				yield* [];
				throw Object.assign(new Error(message), { name: 'ServiceError', reason: 'invalid-request', ...details });
			};
			const chat = openNewChat();
			await sendMessage(chat, 'Hello');
			const { problem } = getLastTurn(chat).reply!;
			assert.deepEqual([problem?.reason, problem?.actions], [reason, actions]);
		});
	}

	describe('that were cut off', () => {
		const cut = [{ type: 'message_delta', delta: { stop_reason: 'max_tokens' } }];
		async function createCutReply(): Promise<Chat> {
			const chat = openNewChat();
			stream = () => iterateEvents(...start, createText('The first half, '), ...cut);
			await sendMessage(chat, 'go');
			return chat;
		}
		async function continueReply(chat: Chat): Promise<void> {
			replies.continueReply(chat, getLastTurn(chat).id);
			await waitForEnd(chat);
		}

		it('continues the received text in a new branch', async () => {
			const chat = await createCutReply();
			let sent: unknown;
			stream = body => {
				sent = body.messages;
				return iterateEvents(...start, createText(' and the second.'), ...end);
			};
			await continueReply(chat);
			assert.deepEqual(sent, [
				{ role: 'user', content: 'go' },
				{ role: 'assistant', content: 'The first half,' },
			]);
			assert.deepEqual(getShown(chat), ['go', 'The first half, and the second.']);
			assert.equal(getLastTurn(chat).parts.length, 1);
			assert.deepEqual(chat.getShownTurns()[1]?.branch, { index: 1, count: 2 });
		});

		it('keeps the space between both halves if the model sends none', async () => {
			const chat = await createCutReply();
			stream = () => iterateEvents(...start, createText('then'), createText(' more'), ...end);
			await continueReply(chat);
			assert.deepEqual(getShown(chat), ['go', 'The first half, then more']);
		});

		it('reports a model that does not accept a prefill, and then continues by a message', async () => {
			const chat = await createCutReply();
			stream = async function* () {
				yield* [];
				throw Object.assign(new Error('No prefill.'), { name: 'ServiceError', reason: 'invalid-request' });
			};
			await continueReply(chat);
			const { problem } = getLastTurn(chat).reply!;
			assert.equal(problem?.message, "The service can't continue a partial reply: No prefill.");
			assert.deepEqual(getShown(chat), ['go', 'The first half, ']);
			stream = body => iterateEvents(...start, createText(`${body.messages.length}: ${body.messages.at(-1)?.content}`), ...end);
			await continueReply(chat);
			assert.deepEqual(getShown(chat), ['go', 'The first half, ', 'Continue', '3: Continue']);
		});

		it('does nothing while a reply is streaming or if it was not cut off', async () => {
			const chat = openNewChat();
			await sendMessage(chat, 'go');
			replies.continueReply(chat, getLastTurn(chat).id);
			assert.equal(replies.isRunning(chat), false);
			assert.equal(chat.transcript.turns.length, 2);
		});
	});

	it('emits changes from which a copy of the chat can be rebuilt', async () => {
		const chat = openNewChat();
		const copy: { id: string; text: string }[] = [];
		const applyChange = (change: ChatChange) => {
			if (change.type === 'turnAdded') {
				copy.push({ id: change.turn.id, text: getTurnText(change.turn) });
			} else if (change.type === 'textAdded') {
				copy.find(turn => turn.id === change.turn)!.text += change.text;
			}
		};
		chat.addChangeListener(applyChange);
		await sendMessage(chat, 'a');
		await sendMessage(chat, 'b');
		assert.deepEqual(
			copy.map(turn => turn.text),
			getShown(chat),
		);
	});

	it('continues without a panel, and saves the reply', async () => {
		const chat = openNewChat();
		let releaseReply = () => {};
		stream = async function* () {
			yield* [...start, createText('slow')];
			await new Promise<void>(resolve => {
				releaseReply = resolve;
			});
			yield* end;
		};
		replies.send(chat, 'go');
		await new Promise(resolve => setImmediate(resolve));
		await chats.releaseChat(chat);
		const done = waitForEnd(chat);
		releaseReply();
		await done;
		const { id } = chat.transcript;
		assert.deepEqual(
			(await chats.listChats()).map(summary => summary.id),
			[id],
		);
		const again = await chats.holdChat(id);
		assert.deepEqual(getShown(again!), ['go', 'slow']);
	});

	it('stops at once while its request is still being prepared, and lets a new one start', async () => {
		const chat = openNewChat();
		chat.updateFields({ models: {} });
		let listModels = () => {};
		models = () =>
			new Promise(resolve => {
				listModels = () => resolve(['m']);
			});
		replies.send(chat, 'one');
		await new Promise(resolve => setImmediate(resolve));
		const stopped = waitForEnd(chat);
		replies.stop(chat);
		await stopped;
		assert.equal(getLastTurn(chat).reply?.status, 'stopped');
		const { id } = getLastTurn(chat);
		models = async () => [];
		chat.updateFields({ models: { messages: 'chosen' } });
		replies.retryReply(chat, id);
		listModels();
		await waitForEnd(chat);
		assert.deepEqual([chat.getTurn(id)?.reply?.status, ...getShown(chat)], ['stopped', 'one', 'Echo: one']);
		assert.deepEqual(chat.transcript.models, { messages: 'chosen' });
	});
});
