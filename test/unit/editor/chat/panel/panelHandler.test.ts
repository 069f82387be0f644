import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';
import type { ChatPanel } from '#editor/chat/panel/chatPanel.ts';
import { PanelHandler } from '#editor/chat/panel/panelHandler.ts';
import type { Replies } from '#editor/chat/replies/replies.ts';
import type { Chat } from '#editor/chat/transcripts/chat.ts';
import { Chats } from '#editor/chat/transcripts/chats.ts';
import { TranscriptStore } from '#editor/chat/transcripts/transcriptStore.ts';
import { words } from '../endpoints/words.ts';

describe('a chat message whose attachments are being checked', () => {
	let folder: string;
	let windows: WindowPresence;
	let chats: Chats;
	let finishCheck: () => void;
	let checked: Promise<void>;
	let sent: string[];
	let posted: unknown[];
	let handler: PanelHandler;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'panel-'));
		windows = new WindowPresence(folder);
		chats = new Chats({
			store: new TranscriptStore(folder, words),
			claims: new WindowClaims(folder, windows),
			words,
			onTrouble: error => assert.fail(String(error)),
		});
		checked = new Promise(resolve => {
			finishCheck = resolve;
		});
		[sent, posted] = [[], []];
		const replies = {
			checkAttachments: () => checked,
			isRunning: () => sent.length > 0,
			send: (chat: Chat, text: string) => {
				sent.push(text);
				chat.addTurn('user', chat.transcript.leaf, [{ kind: 'text', text }]);
			},
		} as unknown as Replies;
		const parts = {
			panels: { activatePanel: () => undefined },
			chats,
			replies,
			slashCommands: { expand: async () => undefined },
			context: { refreshAttachments: async () => undefined },
			log: { error: assert.fail },
		};
		handler = new PanelHandler(parts as unknown as ConstructorParameters<typeof PanelHandler>[0]);
	});
	afterEach(async () => {
		await chats.dispose();
		windows.dispose();
		fs.rmSync(folder, { recursive: true });
	});

	const createPanel = (chat: Chat) => ({ chat, post: (message: unknown) => posted.push(message) }) as unknown as ChatPanel;

	it('is sent and saved even if the panel shows another chat meanwhile', async () => {
		const chat = chats.createChat();
		chat.updateFields({ attachments: [{ id: 'a', part: { kind: 'file', name: 'a', language: '', text: 'a' } }] });
		const handled = handler.handleMessage(createPanel(chat), { type: 'send', text: 'hello' });
		// the panel shows another chat
		await chats.releaseChat(chat);
		finishCheck();
		await handled;
		assert.deepEqual([sent, posted], [['hello'], []]);
		const reopened = await chats.holdChat(chat.transcript.id);
		assert.match(JSON.stringify(reopened?.transcript.turns), /hello/);
	});

	it('is returned to the page if another message was sent meanwhile', async () => {
		const chat = chats.createChat();
		const panel = createPanel(chat);
		const handled = ['first', 'second'].map(text => handler.handleMessage(panel, { type: 'send', text }));
		finishCheck();
		await Promise.all(handled);
		assert.deepEqual(sent, ['first']);
		assert.deepEqual(posted, [
			{
				type: 'refused',
				chatId: chat.transcript.id,
				text: 'second',
				refusal: "Your message wasn't sent because a reply is being received.",
			},
		]);
	});
});
