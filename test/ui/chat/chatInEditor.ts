import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Session } from '../driver/session.ts';
import { ChatPage } from './chatPage.ts';
import { type FakeService, streamReply } from './fakeService.ts';
import { dropPng, png } from './pngFiles.ts';

/**
 * Defines the tests of a chat in an editor tab, for a window without editors that has the connection "Fake" to the service and an empty chat
 * in its side bar. They hide the side bar's chat, and leave a tab with the title "one" open.
 */
export function testChatInEditor(session: Session, services: { readonly service: FakeService }): void {
	let service: FakeService;
	let chat: ChatPage;
	before(() => {
		({ service } = services);
		service.setHandler(request => streamReply(request, `Echo: ${request.text}`));
	});

	it('sends with Ctrl+Enter if set, and Enter starts a new line', async () => {
		const { workbench } = session;
		const settings = path.join(workbench.folder, '.vscode/settings.json');
		const before = fs.readFileSync(settings, 'utf8');
		fs.writeFileSync(settings, JSON.stringify({ ...JSON.parse(before), 'agentWorkbench.chat.sendOn': 'ctrlEnter' }));
		await workbench.showContainer('Explorer');
		await workbench.runCommand('Agent Workbench Chat: Open Chat in Editor');
		chat = await ChatPage.findChat(workbench, 'Chat');
		await chat.selectTarget(workbench, 'Fake', 'fake-model');
		await chat.frame.locator('.send[title="Send (Ctrl+Enter)"]').waitFor();
		await chat.box.fill('one');
		await chat.box.press('Enter');
		await chat.box.pressSequentially('two');
		assert.equal(await chat.messages.count(), 0);
		await chat.box.press('Control+Enter');
		await chat.getReply(/Echo: one\s+two/).waitFor();
		await chat.waitForIdleChat();
		assert.equal(service.received.at(-1)?.body.messages.at(-1).content, 'one\ntwo');
		fs.writeFileSync(settings, before);
		await chat.frame.locator('.send[title="Send (Enter)"]').waitFor();
	});

	it('attaches an image dropped anywhere on it', async () => {
		await dropPng(chat.frame.locator('.turns'), 'dropped.png');
		await chat.frame.locator('.attachments').getByText('dropped.png').waitFor();
		await chat.box.press('Control+Enter');
		await chat.messages.last().getByRole('img', { name: 'Image dropped.png' }).waitFor();
		await chat.waitForIdleChat();
		const { content } = service.received.at(-1)!.body.messages.at(-1);
		assert.deepEqual(content, [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }]);
	});

	it('attaches files and folders dragged from the Explorer, with their sizes', async () => {
		const dropExplorerFile = (file: string) =>
			chat.frame.locator('.composer').evaluate((element, uri) => {
				const transfer = new DataTransfer();
				transfer.setData('application/vnd.code.uri-list', uri);
				element.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
			}, pathToFileURL(file).toString());
		await dropExplorerFile(path.join(session.workbench.folder, 'agents'));
		await chat.frame.locator('.attachments .chip', { hasText: /^agents\/\s*[\d.]+ KB/ }).waitFor();
		await dropExplorerFile(path.join(session.workbench.folder, 'agents/summarize.yml'));
		await chat.frame.locator('.attachments .chip', { hasText: /agents\/summarize\.yml\s*[\d.]+ KB/ }).waitFor();
		for (const name of ['agents/', 'agents/summarize.yml']) {
			await chat.frame.getByRole('button', { name: `Remove '${name}'` }).click();
		}
	});
}
