import assert from 'node:assert/strict';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { useWorkbench } from '../driver/session.ts';
import { ChatPage } from './chatPage.ts';
import { type FakeService, startFakeService, startStream } from './fakeService.ts';
import { dropPng, png } from './pngFiles.ts';

describe('a chat in an editor tab', () => {
	let service: FakeService;
	const settings: Record<string, unknown> = { 'agentWorkbench.chat.sendOn': 'ctrlEnter' };
	before(async () => {
		service = await startFakeService();
		settings['agentWorkbench.connections'] = [{ id: 'fake', name: 'Fake', kind: 'anthropic-compatible', baseUrl: service.url }];
	});
	after(() => service?.close());
	const session = useWorkbench({ settings });
	let chat: ChatPage;

	it('sends with Ctrl+Enter if set, and Enter starts a new line', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench Chat: Open Chat in Editor');
		chat = await ChatPage.findChat(workbench, 'Chat');
		await chat.selectTarget(workbench, 'Fake', 'fake-model');
		await chat.box.fill('one');
		await chat.box.press('Enter');
		await chat.box.pressSequentially('two');
		assert.equal(await chat.messages.count(), 0);
		await chat.box.press('Control+Enter');
		await chat.getReply(/Echo: one\s+two/).waitFor();
		await chat.waitForIdleChat();
		assert.equal(service.received.at(-1)?.body.messages.at(-1).content, 'one\ntwo');
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

	it('is restored after a window reload during a reply, which can be continued', async () => {
		const { workbench } = session;
		service.setHandler(request => startStream(request).text('half of '));
		await chat.box.fill('a long one');
		await chat.box.press('Control+Enter');
		await chat.getReply('half of').waitFor();
		await workbench.reloadWindow();
		await workbench.page.locator('.tab.active', { hasText: 'one' }).waitFor();
		chat = await ChatPage.findChat(workbench, 'one');
		await chat.getReply(/half of.*Interrupted because the window was closed/s).waitFor();
		await workbench.takeScreenshot('chat-interrupted');
		service.setHandler(request => {
			const sender = startStream(request);
			sender.text('it, and the rest.');
			sender.end();
		});
		await chat.replies.last().getByRole('button', { name: 'Continue' }).click();
		await chat.getReply('half of it, and the rest.').waitFor();
	});
});
