import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import * as vscode from 'vscode';
import type { createChat } from '#editor/chat/createChat.ts';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { Instances } from '../support/instances.ts';
import { ChatUnderTest, PlayedWebview } from './chatUnderTest.ts';

/** Loads the class of the installed extension's panels, from the chunk that the extension itself uses. */
async function loadPanelClass(window: ChatUnderTest): Promise<new () => object> {
	const chunk = fs.realpathSync(path.join(getExtensionUnderTest().extensionPath, 'dist', 'chat.cjs'));
	const shipped = createRequire(chunk)(chunk) as { createChat: typeof createChat };
	const { host } = shipped.createChat(window.createHostOptions());
	const panel = await host.attachWebview(new PlayedWebview() as unknown as vscode.Webview);
	await host.detachPanel(panel);
	host.dispose();
	return panel.constructor as new () => object;
}

describe('chat panels', () => {
	it('are garbage-collected after they are closed', async function () {
		this.timeout(180_000);
		const window = new ChatUnderTest();
		const panels = new Instances(await loadPanelClass(window), 'register');
		try {
			const isChatTab = ({ input }: vscode.Tab) =>
				input instanceof vscode.TabInputWebview && input.viewType.endsWith('agentWorkbench.chat');
			const findChatTabs = () => vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(isChatTab);
			for (let round = 0; round < 5; round++) {
				await vscode.commands.executeCommand('agentWorkbench.chat.openInEditor');
				await waitUntil('the chat is in a tab', () => findChatTabs().length === 1);
				if (round === 0) {
					assert.equal(panels.countReachable(), 1);
				}
				await vscode.window.tabGroups.close(findChatTabs());
				await waitUntil('the tab is closed', () => findChatTabs().length === 0);
			}
			assert.equal(panels.made, 5);
			await waitUntil('no panel is left', () => panels.countReachable() === 0, 120_000);
		} finally {
			panels.dispose();
			await window.dispose();
		}
	});
});
