import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { getHistory } from '#gateway/chat/conversationHistory.ts';
import { createConversationName } from '#gateway/chat/conversationName.ts';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';

describe('chats with very long texts', () => {
	let folder: string;
	let store: Store;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chat-test-'));
		store = new Store(folder, 0, new Log('json', () => {}));
	});
	afterEach(async () => {
		await store.close();
		fs.rmSync(folder, { recursive: true });
	});

	const createConversation = (id: string, inputs: string) =>
		store.conversations.createConversation({
			...{ id, agent: store.agents.ensureAgent('a').id, user: 'ana', name: id, introduction: '', variables: '{}', inputs },
			...{ created_at: 1, updated_at: 1 },
		});

	it('pass and list only as many turns and conversations as fit into the memory, and say that there are more', () => {
		const { conversations } = store;
		const long = 'x'.repeat(12_000_000);
		const conversation = createConversation('c1', JSON.stringify({ long }));
		for (let i = 1; i <= 5; i++) {
			const turn = { id: `m${i}`, run_id: `r${i}`, created_at: i, inputs: '{}', files: '[]', query: `${i}${long}` };
			conversations.startMessage(conversation.seq, turn);
			conversations.finishMessage(turn.id, { status: 'normal', error: null, metadata: '{}', answer: 'yes', variables: undefined }, i);
		}
		const { history, dialogueCount } = getHistory(store.conversations, conversation);
		assert.deepEqual(
			history.map(({ text }) => text.slice(0, 2)),
			['3x', 'ye', '4x', 'ye', '5x', 'ye'],
		);
		assert.equal(dialogueCount, 6);
		const page = conversations.listMessages(conversation.seq, undefined, 100);
		assert.deepEqual([page.rows.map(({ id }) => id), page.more], [['m5', 'm4', 'm3'], true]);
		const rest = conversations.listMessages(conversation.seq, page.rows.at(-1)?.seq, 100);
		assert.deepEqual([rest.rows.map(({ id }) => id), rest.more], [['m2', 'm1'], false]);
		for (const id of ['c2', 'c3', 'c4']) {
			createConversation(id, JSON.stringify({ long }));
		}
		const listed = conversations.listConversations(conversation.agent, 'ana', 'created_at', undefined, 100);
		assert.deepEqual([listed.rows.map(({ id }) => id), listed.more], [['c1', 'c2', 'c3'], true]);
	});

	it('name a conversation after the start of a query, without reading megabytes of it', () => {
		const started = performance.now();
		for (const text of ['a '.repeat(10_000_000), 'a'.repeat(10_000_000)]) {
			assert.match(createConversationName(text), /^a[a ]{20,48}…$/);
		}
		assert.equal(createConversationName(`${'\n'.repeat(10_000_000)} The  first\tline \n The second`), 'The first line');
		assert.equal(createConversationName(` ${'\n'.repeat(10_000_000)}`), 'New conversation');
		assert.ok(performance.now() - started < 2_000, `${Math.round(performance.now() - started)} ms`);
	});
});
