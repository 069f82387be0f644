import assert from 'node:assert/strict';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import v8 from 'node:v8';
import * as vscode from 'vscode';
import type { createChat } from '../../../src/chat/createChat.ts';
import { extensionUnderTest } from '../extensionUnderTest.ts';
import { until } from '../support/connectionsUnderTest.ts';
import { ChatUnderTest, PlayedWebview } from './chatUnderTest.ts';

/** The class that the extension itself makes its panels from: that of the chunk that it loaded, or will load. */
async function panelClass(window: ChatUnderTest): Promise<new () => object> {
	const chunk = fs.realpathSync(path.join(extensionUnderTest().extensionPath, 'dist', 'chat.cjs'));
	const shipped = createRequire(chunk)(chunk) as { createChat: typeof createChat };
	const { host } = shipped.createChat(window.options());
	const panel = await host.attach(new PlayedWebview() as unknown as vscode.Webview);
	await host.detach(panel);
	host.dispose();
	return panel.constructor as new () => object;
}

describe('panels of the chat', () => {
	it('leave nothing behind when they are closed', async function () {
		// each look through the heap collects garbage several times
		this.timeout(180_000);
		const window = new ChatUnderTest();
		try {
			const Panel = await panelClass(window);
			const alive = () => v8.queryObjects(Panel, { format: 'count' });
			const isChat = ({ input }: vscode.Tab) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('agentWorkbench.chat');
			const tabs = () => vscode.window.tabGroups.all.flatMap(group => group.tabs).filter(isChat);
			for (let round = 0; round < 5; round++) {
				await vscode.commands.executeCommand('agentWorkbench.chat.openInEditor');
				await until('the chat is in a tab', () => tabs().length === 1);
				if (round === 0) {
					assert.equal(alive(), 1);
				}
				await vscode.window.tabGroups.close(tabs());
				await until('the tab is closed', () => tabs().length === 0);
			}
			await until('no panel is left', () => alive() === 0, 120_000);
		} finally {
			await window.dispose();
		}
	});
});
