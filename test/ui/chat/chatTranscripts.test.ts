import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { useWorkbench } from '../driver/session.ts';
import { waitUntil } from '../driver/waitUntil.ts';
import { ChatPage } from './chatPage.ts';

describe('transcripts of the chat', () => {
	const session = useWorkbench();
	let chat: ChatPage;

	/** Names a file in the editor's own dialog, once that has put the folder that it begins with into its box. */
	async function chooseFile(file: string): Promise<void> {
		const { quickInput, page } = session.workbench;
		await quickInput.option('..').waitFor();
		await quickInput.box.fill(file);
		await quickInput.option(path.basename(file)).or(quickInput.option('..')).first().waitFor();
		await page.keyboard.press('Enter');
	}

	it('are exported as Markdown and as JSON', async () => {
		const { workbench } = session;
		chat = await ChatPage.inView(workbench);
		await chat.say('What is a transcript');
		await chat.reply(/You wrote/).waitFor();
		await chat.idle();
		for (const [name, holds] of [
			['talk.md', '## You\n\nWhat is a transcript'],
			['talk.json', '"version": 1'],
		] as const) {
			const file = path.join(workbench.folder, name);
			await workbench.runCommand('Agent Workbench: Export Chat…');
			await chooseFile(file);
			const text = await waitUntil(name, () => (fs.existsSync(file) && fs.readFileSync(file, 'utf8')) || undefined);
			assert.ok(text.includes(holds), text);
			// the file opens in an editor, which takes the focus
			await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
			await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
		}
	});

	it('are deleted after a question, and imported back', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Delete Chat…');
		await workbench.dialog('Delete "What is a transcript"?').getByRole('button', { name: 'Delete' }).click();
		await chat.frame.locator('.turnList > .empty').waitFor();
		await workbench.runCommand('Agent Workbench: Import Chat…');
		await chooseFile(path.join(workbench.folder, 'talk.json'));
		await chat.reply(/You wrote/).waitFor();
	});

	it('get a name', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Rename Chat…');
		await workbench.quickInput.answer('About transcripts');
		await workbench.runCommand('Agent Workbench: Show Chats…');
		assert.ok((await workbench.quickInput.options()).includes('About transcripts'));
		await workbench.page.keyboard.press('Escape');
	});

	it('take a selection along', async () => {
		const { workbench } = session;
		await workbench.openFile('summarize.yml');
		await workbench.page.keyboard.press('Control+Home');
		await workbench.page.keyboard.press('Shift+ArrowDown');
		await workbench.runCommand('Agent Workbench: Ask About Selection');
		await chat.frame.locator('.attachments', { hasText: 'agents/summarize.yml:1-2' }).waitFor();
		await chat.box.and(chat.frame.locator(':focus')).waitFor();
		await workbench.runCommand('Agent Workbench: Add File to Chat');
		await chat.frame.locator('.attachments li').nth(1).waitFor();
	});
});
