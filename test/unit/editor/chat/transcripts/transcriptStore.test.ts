import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { TranscriptStore, transcriptByteLimit } from '#editor/chat/transcripts/transcriptStore.ts';
import { createTranscript, type Transcript } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

describe('chats on disk', () => {
	let folder: string;
	let store: TranscriptStore;
	beforeEach(() => {
		folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'chats-')), 'chats');
		store = new TranscriptStore(folder, words);
	});
	afterEach(() => fs.rmSync(path.dirname(folder), { recursive: true, force: true }));

	const createChat = (id: string, text: string, updatedAt = 1): Transcript => ({
		...createTranscript(id, undefined, 1),
		title: `Title of ${id}`,
		updatedAt,
		turns: [{ id: 't', parent: null, role: 'user', parts: [{ kind: 'text', text }], at: 1 }],
		leaf: 't',
	});

	it('load as they were saved', async () => {
		const written = createChat('a', 'hi');
		await store.saveTranscript(written);
		assert.deepEqual(await store.loadTranscript('a'), written);
	});

	it('are saved before the window closes, and a pending save does not overwrite that', async () => {
		const slow = store.saveTranscript(createChat('a', 'old'));
		store.saveTranscriptSync(createChat('a', 'new'));
		await slow;
		assert.deepEqual(await store.loadTranscript('a'), createChat('a', 'new'));
		await store.saveTranscript(createChat('a', 'newer'));
		assert.deepEqual(await store.loadTranscript('a'), createChat('a', 'newer'));
	});

	it('are listed most recently changed first, or as an empty list if the folder is missing', async () => {
		assert.deepEqual(await store.listSummaries(), []);
		await store.saveTranscript(createChat('a', 'x', 1));
		await store.saveTranscript(createChat('b', 'x', 2));
		assert.deepEqual(
			(await store.listSummaries()).map(({ id, turns }) => [id, turns]),
			[
				['b', 1],
				['a', 1],
			],
		);
	});

	it('are all listed although a system allows few open files', async () => {
		for (let n = 0; n < 100; n++) {
			store.saveTranscriptSync(createChat(`c${n}`, 'x'));
		}
		const { readFile } = fs.promises;
		let open = 0;
		const readFew = async (...args: Parameters<typeof readFile>) => {
			if (open >= 50) {
				throw Object.assign(new Error('too many open files'), { code: 'EMFILE' });
			}
			open++;
			return readFile(...args).finally(() => open--);
		};
		fs.promises.readFile = readFew as typeof readFile;
		try {
			assert.equal((await store.listSummaries()).length, 100);
		} finally {
			fs.promises.readFile = readFile;
		}
	});

	it('are listed even if a summary is missing or a chat is broken', async () => {
		await store.saveTranscript(createChat('a', 'x'));
		fs.rmSync(path.join(folder, 'a.head.json'));
		fs.writeFileSync(path.join(folder, 'broken.json'), '{');
		assert.deepEqual(
			(await store.listSummaries()).map(({ id }) => id),
			['a'],
		);
		await assert.rejects(store.loadTranscript('broken'), /broken\.json' isn't a valid chat file: it isn't valid JSON/);
	});

	it('are found by title and text, ignoring case', async () => {
		await store.saveTranscript(createChat('a', 'The Quick fox'));
		await store.saveTranscript(createChat('b', 'nothing'));
		assert.deepEqual([...(await store.searchTranscripts('quick'))], ['a']);
		assert.deepEqual([...(await store.searchTranscripts('TITLE OF B'))], ['b']);
	});

	it('are deleted even during a write', async () => {
		const saving = store.saveTranscript(createChat('a', 'x'));
		await store.delete('a');
		await saving;
		assert.deepEqual(await store.listSummaries(), []);
		assert.deepEqual(fs.readdirSync(folder), []);
	});

	it('are all written when waitForWrites resolves', async () => {
		void store.saveTranscript(createChat('a', 'x'));
		store.saveTranscriptSync(createChat('a', 'y'));
		void store.saveTranscript(createChat('b', 'x'));
		await store.waitForWrites();
		assert.deepEqual(fs.readdirSync(folder).sort(), ['a.head.json', 'a.json', 'b.head.json', 'b.json']);
	});

	it('are written in order', async () => {
		await Promise.all([1, 2, 3].map(n => store.saveTranscript(createChat('a', `text ${n}`, n))));
		assert.equal((await store.loadTranscript('a'))?.updatedAt, 3);
		assert.deepEqual(fs.readdirSync(folder).sort(), ['a.head.json', 'a.json']);
	});

	it('are refused above the size limit, and the last saved state stays', async () => {
		await store.saveTranscript(createChat('a', 'small'));
		await assert.rejects(store.saveTranscript(createChat('a', 'x'.repeat(transcriptByteLimit))), /is larger than 24 MB/);
		assert.equal((await store.loadTranscript('a'))?.turns[0]?.parts[0]?.kind, 'text');
	});

	it('cannot be loaded from outside their folder', async () => {
		assert.equal(await store.loadTranscript('../../etc/passwd'), undefined);
	});

	it('mark a reply as interrupted if it was streaming when the window closed', async () => {
		const reply = { status: 'streaming', endpoint: 'messages', connection: 'c', model: 'm' } as const;
		await store.saveTranscript({ ...createChat('a', 'x'), turns: [{ id: 't', parent: null, role: 'assistant', parts: [], at: 1, reply }] });
		assert.equal((await store.loadTranscript('a'))?.turns[0]?.reply?.status, 'interrupted');
	});
});
