import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { ChatHost, type ChatHostOptions } from '#editor/chat/chatHost.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { RecordedLog } from '../../../support/editor/connectionsUnderTest.ts';
import { MemoryState } from '../../../support/editor/memoryState.ts';

describe('panels of chats', () => {
	let folder: string;
	let windows: WindowPresence;
	let host: ChatHost;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'chat-host-'));
		windows = new WindowPresence(folder);
		const options = {
			extensionUri: vscode.Uri.file(folder),
			folder: path.join(folder, 'chats'),
			windows,
			connections: {
				onDidChange: new vscode.EventEmitter().event,
				onDidChangeAgents: new vscode.EventEmitter().event,
			} as unknown as Connections,
			memory: new MemoryState(),
			log: new RecordedLog().channel,
		} as unknown as ChatHostOptions;
		host = new ChatHost(options);
	});
	afterEach(async () => {
		host.dispose();
		await host.chats.dispose();
		windows.dispose();
		fs.rmSync(folder, { recursive: true });
	});

	const openPanel = (chatId?: string) =>
		host.attachWebview(
			{
				onDidReceiveMessage: new vscode.EventEmitter().event,
				asWebviewUri: (uri: vscode.Uri) => uri,
				postMessage: async () => true,
			} as unknown as vscode.Webview,
			chatId,
		);

	it('show no chat once they are closed, for example while a conversation is fetched, and leave the chat of the others alone', async () => {
		const open = await openPanel();
		const { id } = open.chat.transcript;
		open.chat.addTurn('user', null, [{ kind: 'text', text: 'first' }]);
		const closed = await openPanel(id);
		closed.setReveal(() => assert.fail('Webview is disposed'));
		await host.detachPanel(closed);
		const other = host.chats.createChat();
		other.addTurn('user', null, [{ kind: 'text', text: 'fetched' }]);
		await host.showChat(closed, other);
		closed.focusBox();
		assert.equal(host.activePanel, open);
		open.chat.addTurn('user', open.chat.transcript.leaf, [{ kind: 'text', text: 'second' }]);
		await open.chat.saveChanges();
		assert.match(fs.readFileSync(path.join(folder, 'chats', `${id}.json`), 'utf8'), /second/);
		// other windows can open the chat that was fetched
		assert.deepEqual(
			fs.readdirSync(path.join(folder, 'chats')).filter(name => name.endsWith('.owner')),
			[`${id}.owner`],
		);
	});
});
