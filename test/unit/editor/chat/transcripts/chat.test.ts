import assert from 'node:assert/strict';
import type { ChatMessage } from '#contract/chat.ts';
import { Chat } from '#editor/chat/transcripts/chat.ts';
import { convertMessages } from '#editor/chat/transcripts/conversationTurns.ts';
import { parseTranscript } from '#editor/chat/transcripts/transcriptSchema.ts';
import type { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import { getTargetConversations } from '#editor/explorer/conversations/targetConversations.ts';
import { createTranscript } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

describe('a chat in memory', () => {
	function createRecordedChat(save: () => Promise<void> = async () => undefined) {
		const saves: string[] = [];
		const failures: unknown[] = [];
		const store = {
			saveTranscript: async (transcript: { title: string }) => {
				saves.push(transcript.title);
				await save();
			},
			saveTranscriptSync: (transcript: { title: string }) => saves.push(`${transcript.title} at once`),
		} as unknown as TranscriptStore;
		return { chat: new Chat(store, createTranscript('a', undefined, 1), error => failures.push(error)), saves, failures };
	}

	it('notifies listeners on refresh without saving or changing its date', async () => {
		const { chat, saves } = createRecordedChat();
		const reported: string[] = [];
		chat.addChangeListener(({ type }) => reported.push(type));
		const { updatedAt } = chat.transcript;
		chat.refreshViews();
		chat.updateFields({});
		chat.updateFields({ title: '', attachments: [], models: { ...chat.transcript.models } });
		await chat.saveChanges();
		assert.deepEqual([reported, saves, chat.transcript.updatedAt], [['head'], [], updatedAt]);
	});

	it('saves each change once', async () => {
		const { chat, saves } = createRecordedChat();
		chat.updateFields({ title: 'b' });
		await chat.saveChanges();
		await chat.saveChanges();
		assert.deepEqual(saves, ['b']);
	});

	it('saves immediately if the window closes during a save, and not again', async () => {
		const { chat, saves } = createRecordedChat(() => new Promise(() => {}));
		chat.updateFields({ title: 'b' });
		void chat.saveChanges();
		await Promise.resolve();
		chat.dispose();
		assert.deepEqual(saves, ['b', 'b at once']);
	});

	it('drops the pending save after saving on close', async () => {
		const { chat, saves } = createRecordedChat();
		chat.updateFields({ title: 'b' });
		const flushed = chat.saveChanges();
		chat.dispose();
		await flushed;
		assert.deepEqual(saves, ['b at once']);
	});

	it('reports a failing save once until saving works again', async () => {
		let full = true;
		const { chat, failures } = createRecordedChat(async () => {
			if (full) {
				throw new Error('no space');
			}
		});
		const changeTitle = async (title: string) => {
			chat.updateFields({ title });
			await chat.saveChanges();
		};
		await changeTitle('b');
		await changeTitle('c');
		assert.equal(failures.length, 1);
		full = false;
		await chat.saveChanges();
		full = true;
		await changeTitle('d');
		assert.equal(failures.length, 2);
	});
});

describe('a conversation imported into the chat', () => {
	const createMessage = (query: string, created_at: unknown) =>
		({ query, answer: `to ${query}`, created_at, conversation_id: 'c' }) as unknown as ChatMessage;
	const listMessageOrder = (messages: readonly ChatMessage[]) =>
		convertMessages(messages, 'Gateway', 'support').flatMap(({ role, parts: [part] }) =>
			role === 'user' && part?.kind === 'text' ? [part.text] : [],
		);

	it('keeps the order of messages with the same time', () => {
		assert.deepEqual(listMessageOrder([createMessage('third', 5), createMessage('second', 5), createMessage('first', 4)]), [
			'first',
			'second',
			'third',
		]);
		assert.deepEqual(listMessageOrder([createMessage('second', 5), createMessage('first', 5)]), ['first', 'second']);
		assert.deepEqual(listMessageOrder([createMessage('first', 4), createMessage('second', 5), createMessage('third', 5)]), [
			'first',
			'second',
			'third',
		]);
	});

	it('accepts times that are strings or missing, and can be opened again', () => {
		const reported = [
			createMessage('second', 'Thu, 18 Jul 2024 03:17:41 -0000'),
			createMessage('first', 'Thu, 18 Jul 2024 03:17:40 -0000'),
			createMessage('before', null),
		];
		assert.deepEqual(listMessageOrder(reported), ['before', 'first', 'second']);
		const turns = convertMessages(reported, 'Gateway', 'support');
		assert.equal(turns[2]?.at, Date.UTC(2024, 6, 18, 3, 17, 40));
		const kept = { ...createTranscript('a', undefined, 1), turns, leaf: turns.at(-1)?.id ?? null };
		assert.deepEqual(parseTranscript(words, JSON.stringify(kept), 'a.json').turns, turns);
	});

	it('includes ratings, sources, steps and file names', () => {
		const reported = {
			...createMessage('first', 1),
			id: 'm1',
			feedback: { rating: 'like' },
			retriever_resources: [{ document_name: 'leave.md', content: '28 days', score: 0.9 }],
			agent_thoughts: [
				{ id: 's1', thought: 'to first', tool: 'search', tool_input: '{}', observation: 'x' },
				{ id: 's2', thought: 'to first' },
				null,
			],
			message_files: [
				{ filename: 'a.pdf', upload_file_id: 'f1', url: '/files/a', transfer_method: 'local_file', belongs_to: 'user' },
				{ filename: 'b.png', belongs_to: 'assistant' },
				{ filename: 'c.png', id: 'c', url: '/files/c', type: 'image', transfer_method: 'tool_file', belongs_to: 'assistant' },
				{},
			],
		};
		const turns = convertMessages([reported], 'Dify', 'support');
		assert.deepEqual(
			turns.map(({ parts }) => parts),
			[
				[
					{ kind: 'stored', name: 'a.pdf', id: 'f1' },
					{ kind: 'text', text: 'first' },
				],
				[
					{ kind: 'step', id: 's1', tool: 'search', text: '', input: '{}', output: 'x' },
					{ kind: 'text', text: 'to first', citations: [{ title: 'leave.md', score: 0.9, quote: '28 days' }] },
					{ kind: 'stored', name: 'b.png' },
					{ kind: 'stored', name: 'c.png', id: 'c', url: '/files/c', type: 'image' },
				],
			],
		);
		const { messageId, feedback } = turns[1]?.reply ?? {};
		assert.deepEqual([messageId, feedback], ['m1', { rating: 'like' }]);
		const kept = { ...createTranscript('a', undefined, 1), turns, leaf: turns.at(-1)?.id ?? null };
		assert.deepEqual(parseTranscript(words, JSON.stringify(kept), 'a.json').turns, turns);
		const odd = {
			...createMessage('odd', 2),
			feedback: { rating: 'meh' },
			message_files: 'none',
			agent_thoughts: {},
			retriever_resources: 7,
		};
		assert.equal(convertMessages([odd], 'Dify', 'support')[1]?.reply?.feedback, undefined);
	});

	it('opens even if it was saved without times', () => {
		const turns = convertMessages([createMessage('a', 1)], 'Gateway', 'support').map(turn => ({ ...turn, at: Number.NaN }));
		const kept = { ...createTranscript('a', undefined, 1), turns, leaf: turns.at(-1)?.id ?? null };
		assert.equal(parseTranscript(words, JSON.stringify(kept), 'a.json').turns.length, 2);
	});
});

describe('the conversations to delete', () => {
	const createConversation = (conversationId: string) => ({ connectionId: 'a', agentName: 'b', conversationId, name: conversationId });

	it('includes only the conversations of a mixed selection', () => {
		const [first, second, folder] = [createConversation('1'), createConversation('2'), { id: 'folder', connectionId: 'a' }];
		assert.deepEqual(getTargetConversations(first, [first, folder, second]), [first, second]);
	});

	it('is only the clicked one if it is not part of the selection', () => {
		const [first, second] = [createConversation('1'), createConversation('2')];
		assert.deepEqual(getTargetConversations(first, [second]), [first]);
		assert.deepEqual(getTargetConversations(first, undefined), [first]);
		assert.deepEqual(getTargetConversations({ id: 'folder' }, undefined), []);
	});
});
