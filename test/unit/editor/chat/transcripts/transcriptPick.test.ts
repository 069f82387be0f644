import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ChatHost } from '#editor/chat/chatHost.ts';
import { pickTranscript } from '#editor/chat/transcripts/transcriptPick.ts';
import { createTranscript, summarizeTranscript } from '#pages/chat/transcript/transcript.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

type Listener = (event: { button: unknown; item: vscode.QuickPickItem } | string) => unknown;

describe('the list of chats', () => {
	const { createQuickPick } = vscode.window;
	afterEach(() => void Object.assign(vscode.window, { createQuickPick }));

	it("says why a chat couldn't be deleted, and stays open", async () => {
		const listeners = new Map<string, Listener>();
		const listen = (name: string) => (listener: Listener) => listeners.set(name, listener);
		const pick = {
			value: '',
			items: [] as vscode.QuickPickItem[],
			shows: 0,
			show: () => pick.shows++,
			dispose: () => undefined,
			...Object.fromEntries(['onDidChangeValue', 'onDidTriggerItemButton', 'onDidAccept', 'onDidHide'].map(name => [name, listen(name)])),
		};
		const current = createTranscript('current');
		const summary = { ...summarizeTranscript(createTranscript('other')), title: '$(trash) Other\u202e', turns: 1 };
		const host = {
			chats: { listChats: async () => [summary] },
			targets: { getConnectionName: () => 'Service' },
			listConversations: async () => [],
			delete: async () => {
				throw new Error('This chat is open in another window.');
			},
		} as unknown as ChatHost;
		const { errors } = await answerDialogs({ button: 'Delete' }, async () => {
			Object.assign(vscode.window, { createQuickPick: () => pick });
			const picked = pickTranscript(host, current);
			await waitUntil('the list is shown', () => pick.items.length > 0);
			const [item] = pick.items;
			await listeners.get('onDidTriggerItemButton')?.({ button: item?.buttons?.[1], item: item! });
			assert.equal(item?.label, '\\$(trash) Other');
			assert.equal(pick.shows, 2);
			listeners.get('onDidHide')?.('');
			listeners.get('onDidHide')?.('');
			assert.equal(await picked, undefined);
		});
		assert.deepEqual(errors, ['This chat is open in another window.']);
	});
});
