import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { Chats } from '#editor/chat/transcripts/chats.ts';
import { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import { createTranscript } from '#pages/chat/transcript/transcript.ts';
import { words } from '../endpoints/words.ts';

describe('chats in a folder that temporarily refuses writes', () => {
	let folder: string;
	let chats: Chats;
	let windows: WindowPresence;
	let failures: unknown[];
	beforeEach(() => {
		folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'chats-')), 'chats');
		windows = new WindowPresence(path.dirname(folder));
		failures = [];
		chats = new Chats({
			store: new TranscriptStore(folder, words),
			claims: new WindowClaims(folder, windows),
			words,
			onTrouble: error => failures.push(error),
		});
	});
	afterEach(async () => {
		fs.rmSync(folder, { recursive: true, force: true });
		await chats.dispose();
		windows.dispose();
		fs.rmSync(path.dirname(folder), { recursive: true, force: true });
	});

	/** A file in place of the folder refuses every write, also of an administrator. */
	const refuseWrites = () => {
		fs.renameSync(folder, `${folder}.away`);
		fs.writeFileSync(folder, '');
	};
	const acceptWrites = () => {
		fs.rmSync(folder);
		fs.renameSync(`${folder}.away`, folder);
	};
	const createChatWithMessage = (text: string) => {
		const chat = chats.createChat();
		chat.addTurn('user', null, [{ kind: 'text', text }]);
		return chat;
	};
	const readSaved = (id: string) => fs.readFileSync(path.join(folder, `${id}.json`), 'utf8');

	it("keep a chat that couldn't be saved when another one is shown, list it, and save it later", async () => {
		const chat = chats.createChat();
		const { id } = chat.transcript;
		refuseWrites();
		chat.addTurn('user', null, [{ kind: 'text', text: 'my words' }]);
		await chats.releaseChat(chat);
		assert.equal(failures.length, 1);
		assert.deepEqual(
			(await chats.listChats()).map(summary => [summary.id, summary.title]),
			[[id, 'my words']],
		);
		acceptWrites();
		assert.deepEqual(
			(await chats.listChats()).map(summary => summary.id),
			[id],
		);
		assert.match(readSaved(id), /my words/);
		// the chat is free for other windows now
		assert.deepEqual(
			fs.readdirSync(folder).filter(name => name.endsWith('.owner')),
			[],
		);
		assert.match(JSON.stringify((await chats.holdChat(id))?.transcript.turns), /my words/);
	});

	it("keep saving a chat that couldn't be deleted", async () => {
		const chat = createChatWithMessage('first');
		const { id } = chat.transcript;
		await chat.saveChanges();
		refuseWrites();
		await assert.rejects(chats.delete(id));
		acceptWrites();
		chat.addTurn('user', chat.transcript.leaf, [{ kind: 'text', text: 'second' }]);
		await chat.saveChanges();
		assert.match(readSaved(id), /second/);
		await chats.delete(id);
		await chats.releaseChat(chat);
		assert.deepEqual(await chats.listChats(), []);
		assert.equal(await chats.holdChat(id), undefined);
	});
});

describe('an imported chat', () => {
	it('names no files to attach when its next message is sent, to open or to apply code to', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chats-'));
		const windows = new WindowPresence(folder);
		const store = new TranscriptStore(folder, words);
		const chats = new Chats({ store, claims: new WindowClaims(folder, windows), words, onTrouble: error => assert.fail(String(error)) });
		const part = { kind: 'file', name: 'notes.txt', language: '', text: 'hello' } as const;
		const placed = { ...part, uri: 'file:///home/ana/.bashrc' };
		const attachments = [{ id: 'a', part: placed, source: 'files:file:///home/ana/.ssh/id_ed25519' }];
		const turns = [{ id: 't', parent: null, role: 'user', parts: [placed, { kind: 'text', text: 'hi' }], at: 0 }] as const;
		const id = await chats.importChat({ ...createTranscript('given'), attachments, turns: structuredClone(turns) as never, leaf: 't' });
		const saved = await store.loadTranscript(id);
		assert.deepEqual(saved?.attachments, [{ id: 'a', part }]);
		assert.deepEqual(saved?.turns[0]?.parts, [part, { kind: 'text', text: 'hi' }]);
		await chats.dispose();
		windows.dispose();
		fs.rmSync(folder, { recursive: true });
	});
});

describe('a new chat', () => {
	let folder: string;
	let windows: WindowPresence;
	let chats: Chats;
	const openChats = () =>
		new Chats({
			store: new TranscriptStore(folder, words),
			claims: new WindowClaims(folder, windows),
			words,
			onTrouble: error => assert.fail(String(error)),
		});
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chats-'));
		windows = new WindowPresence(folder);
		chats = openChats();
	});
	afterEach(async () => {
		await chats.dispose();
		windows.dispose();
		fs.rmSync(folder, { recursive: true });
	});

	it('is saved if another panel shows it while it is being deleted, because no panel showed it', async () => {
		const chat = chats.createChat();
		const { id } = chat.transcript;
		const releasing = chats.releaseChat(chat);
		const held = await chats.holdChat(id);
		await releasing;
		const shown = held ?? chats.createChat();
		shown.addTurn('user', null, [{ kind: 'text', text: 'my words' }]);
		await shown.saveChanges();
		assert.match(fs.readFileSync(path.join(folder, `${shown.transcript.id}.json`), 'utf8'), /my words/);
	});

	it('is there again after its window was reloaded, with its target, so that the page finds its draft', async () => {
		const chat = chats.createChat({ ...createTranscript('before'), endpoint: 'agent', models: { agent: 'helper' } });
		const { id } = chat.transcript;
		await chats.dispose();
		chats = openChats();
		const again = await chats.holdChat(id);
		assert.deepEqual(again?.transcript, chat.transcript);
		assert.deepEqual(await chats.listChats(), []);
		await chats.releaseChat(again!);
		assert.deepEqual(
			fs.readdirSync(folder).filter(name => name.startsWith(id)),
			[],
		);
	});
});
