import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { Replies } from '#editor/chat/replies/replies.ts';
import { Targets } from '#editor/chat/targets.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';
import { Chats } from '#editor/chat/transcripts/chats.ts';
import { findConversationToContinue } from '#editor/chat/transcripts/conversationTurns.ts';
import { exportToJson } from '#editor/chat/transcripts/transcriptExport.ts';
import { parseTranscript } from '#editor/chat/transcripts/transcriptSchema.ts';
import { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import type { Connection, Connections } from '#editor/connections/connectionTypes.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import { getActivePath } from '#pages/chat/transcript/turnTree.ts';
import { words } from '../endpoints/words.ts';

const ids = { task_id: 't', workflow_run_id: 'run-1', conversation_id: 'c1' };
const form = {
	form_id: 'f1',
	node_id: 'ask',
	node_title: 'Approve',
	form_content: 'Shall it go out?',
	inputs: [{ type: 'paragraph', output_variable_name: 'comment' }],
	actions: [{ id: 'yes', title: 'Yes, send it', button_style: 'primary' }],
	form_token: 'tok',
};
const createMessage = (answer: string, event = 'message') => ({ event, ...ids, answer });
const waiting = [
	{ event: 'workflow_started', ...ids, data: { id: 'run-1', workflow_id: 'w', created_at: 1 } },
	{ event: 'reasoning_chunk', ...ids, data: { reasoning: 'Hm', node_id: 'llm', is_final: false } },
	createMessage('Before. '),
	{ event: 'human_input_required', ...ids, data: form },
	{ event: 'workflow_paused', ...ids, data: { paused_nodes: ['ask'], reasons: [], outputs: {} } },
];
const filled = { event: 'human_input_form_filled', ...ids, data: { node_id: 'ask', action_id: 'yes', action_text: 'Yes, send it' } };
const end = { event: 'message_end', ...ids, metadata: {} };

describe('an agent that waits for a person in a chat', () => {
	let folder: string;
	let chats: Chats;
	let replies: Replies;
	let chat: Chat;
	let submitted: unknown[];
	let connection: Pick<Connection, 'id' | 'name' | 'kind' | 'user'>;
	let refusal: Error | undefined;
	let rest: object[];
	let prepared: Promise<void>;

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'forms-'));
		const store = new TranscriptStore(folder, words);
		const claims = new WindowClaims(folder, new WindowPresence(folder));
		chats = new Chats({ store, claims, words, onTrouble: error => assert.fail(String(error)) });
		connection = { id: 'c', name: 'Service', kind: 'gateway', user: 'ana' };
		const client = {
			streamChatMessage: async function* () {
				submitted.push('ask');
				yield* waiting;
			},
			submitForm: async (token: string, body: object) => {
				submitted.push([token, body]);
				if (refusal) {
					throw refusal;
				}
			},
			followChatMessage: async function* (...asked: unknown[]) {
				submitted.push(asked.slice(0, 2));
				yield* rest;
			},
		};
		const connections = {
			getDefault: () => connection,
			get: () => connection,
			list: () => [connection],
			listAgents: async () => [{ name: 'helper', mode: 'advanced-chat', variables: [] }],
			getKnownAgents: () => undefined,
			getClient: async () => client,
			toProblem: (_id: string, error: unknown) => error,
		} as unknown as Connections;
		replies = new Replies(
			connections,
			new Targets(connections, words),
			chats,
			words,
			async (_connection, agent) => {
				submitted.push(`prepare ${agent}`);
				await prepared;
			},
			async () => [],
			async () => '',
		);
		chat = chats.createChat();
		chat.updateFields({ endpoint: 'agent', models: { agent: 'helper' } });
		submitted = [];
		refusal = undefined;
		prepared = Promise.resolve();
		rest = [filled, createMessage('After.'), end];
	});
	afterEach(async () => {
		await chats.dispose();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const waitForEnd = () =>
		new Promise<void>(resolve => {
			const listening = chat.addChangeListener(change => {
				if (change.type === 'head' && !replies.isRunning(chat)) {
					listening.dispose();
					resolve();
				}
			});
		});
	const sendMessage = async () => {
		replies.send(chat, 'hi');
		await waitForEnd();
		return getActivePath(chat.transcript).at(-1) as Turn;
	};
	const describeParts = ({ parts }: Turn) => parts.map(part => ('text' in part ? `${part.kind}: ${part.text}` : part.kind));

	it('shows its form in the reply, and saves it with the chat', async () => {
		const turn = await sendMessage();
		assert.deepEqual(describeParts(turn), ['thinking: Hm', 'text: Before. ', 'form']);
		assert.deepEqual([turn.reply?.status, turn.reply?.finish?.reason, turn.reply?.runId], ['done', 'paused', 'run-1']);
		const read = parseTranscript(words, JSON.stringify(chat.transcript), 'the chat');
		assert.deepEqual(read.turns.at(-1)?.parts, turn.parts);
		assert.ok(!exportToJson(chat.transcript).includes('tok'), 'what answers it is for nobody else');
	});

	it('continues in the same reply after an answer', async () => {
		const turn = await sendMessage();
		const done = waitForEnd();
		assert.equal(await replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: { comment: 'fine' } }), undefined);
		await done;
		assert.deepEqual(
			submitted.filter(each => typeof each !== 'string'),
			[
				['tok', { model: 'helper', inputs: { comment: 'fine' }, action: 'yes', user: 'ana' }],
				['run-1', { model: 'helper', user: 'ana', include_state_snapshot: false }],
			],
		);
		assert.deepEqual(describeParts(turn), ['thinking: Hm', 'text: Before. ', 'form', 'text: After.']);
		assert.deepEqual([turn.parts[2]?.kind === 'form' && turn.parts[2].answer, turn.reply?.status], ['Yes, send it', 'done']);
		assert.equal(turn.reply?.finish?.reason, 'message_end');
	});

	it('continues, as its conversation does, after its connection was renamed', async () => {
		const turn = await sendMessage();
		connection = { ...connection, name: 'Renamed' };
		const done = waitForEnd();
		assert.equal(await replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} }), undefined);
		await done;
		assert.equal(describeParts(turn).at(-1), 'text: After.');
		const path = getActivePath(chat.transcript);
		assert.equal(findConversationToContinue(chat.transcript, path, connection, 'helper'), 'c1');
		assert.equal(findConversationToContinue(chat.transcript, path, { id: 'other', name: 'Service' }, 'helper'), undefined);
	});

	it('gets its secrets before a message and before an answer', async () => {
		const turn = await sendMessage();
		assert.deepEqual(submitted, ['prepare helper', 'ask']);
		const done = waitForEnd();
		await replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} });
		await done;
		assert.deepEqual(
			submitted.slice(2).map(what => (typeof what === 'string' ? what : 'sent')),
			['prepare helper', 'sent', 'sent'],
		);
	});

	it('gets no message if the user enters no secrets', async () => {
		prepared = Promise.reject(Object.assign(new Error('Canceled'), { name: 'Canceled' }));
		const turn = await sendMessage();
		assert.deepEqual(submitted, ['prepare helper']);
		assert.deepEqual(
			[turn.reply?.status, turn.reply?.problem?.message],
			['failed', "Your message wasn't sent: 'helper' needs its secrets. Send the message again to enter them."],
		);
	});

	it('keeps the earlier text if the rest arrives as one complete answer', async () => {
		const turn = await sendMessage();
		rest = [filled, createMessage('Before. After.', 'message_replace'), end];
		const done = waitForEnd();
		await replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} });
		await done;
		assert.deepEqual(describeParts(turn), ['thinking: Hm', 'text: Before. ', 'form', 'text: After.']);
	});

	it('keeps its form if the answer was refused, and continues if another client answered', async () => {
		const turn = await sendMessage();
		refusal = Object.assign(new Error('comment is too long.'), {
			name: 'ServiceError',
			reason: 'invalid-request',
			code: 'invalid_form_data',
		});
		const wrong = await replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} });
		assert.deepEqual(wrong, {
			problem: "Your answer wasn't accepted, but the form still contains it. comment is too long.",
			closed: false,
		});
		assert.deepEqual([turn.reply?.status, turn.parts[2]?.kind === 'form' && turn.parts[2].answer], ['done', undefined]);
		refusal = Object.assign(new Error('taken'), { name: 'ServiceError', reason: 'invalid-request', code: 'human_input_form_submitted' });
		const done = waitForEnd();
		const late = await replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} });
		assert.equal(late?.closed, true);
		await done;
		assert.deepEqual(describeParts(turn).at(-1), 'text: After.');
		assert.equal(turn.parts[2]?.kind === 'form' && turn.parts[2].answer, 'Yes, send it');
	});

	it('continues once if two panels answer at the same time, and sends no message meanwhile', async () => {
		const turn = await sendMessage();
		const done = waitForEnd();
		const answering = replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} });
		refusal = Object.assign(new Error('taken'), { name: 'ServiceError', reason: 'invalid-request', code: 'human_input_form_submitted' });
		const second = replies.answerForm(chat, turn.id, 'f1', { action: 'yes', values: {} });
		refusal = undefined;
		assert.ok(replies.isRunning(chat));
		replies.send(chat, 'another message');
		await Promise.all([answering, second]);
		await done;
		assert.deepEqual(describeParts(turn), ['thinking: Hm', 'text: Before. ', 'form', 'text: After.']);
		assert.deepEqual(getActivePath(chat.transcript).at(-1), turn);
	});
});
