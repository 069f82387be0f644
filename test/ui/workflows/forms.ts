import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { ChatPage } from '../chat/chatPage.ts';
import { expectNoSeriousFindings } from '../driver/accessible.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { approver, asker } from './formAgents.ts';
import { findInspector } from './inspectorFrame.ts';

const channel = 'Agent Runs';

/** Defines the tests of forms of paused runs. They reload the window once, and leave one of their agents selected in the chat. */
export function testForms(session: Session): void {
	before(() => {
		const { folder } = session.workbench;
		fs.writeFileSync(path.join(folder, 'agents', 'approve.yml'), approver);
		fs.writeFileSync(path.join(folder, 'agents', 'asker.yml'), asker);
		fs.writeFileSync(
			path.join(folder, 'runs', 'approve.run.json'),
			'{\n\t"model": "approve",\n\t"inputs": { "audience": "the team" }\n}\n',
		);
	});

	it('notifies the user, and opens with the focus in its first field', async () => {
		const { workbench } = session;
		await workbench.openFile('approve.run.json');
		await workbench.getCodeLens('Run').first().click();
		await workbench.output.waitForText(channel, /▷ approve [\s\S]*waiting for input: Send it \| Ask for changes[\s\S]*‖ paused/);
		const notice = workbench.page.locator('.notification-list-item', { hasText: "'approve' is waiting for input: Approve the notice" });
		await notice.getByRole('button', { name: 'Answer' }).click();
		const frame = await findInspector(workbench, 'approve');
		await frame.getByRole('form', { name: 'Form: Approve the notice' }).waitFor();
		await frame.locator('textarea:focus').waitFor();
		await frame.locator('.runForm strong', { hasText: 'the team' }).waitFor();
		await frame.locator('.status', { hasText: 'waiting for input' }).waitFor();
	});

	it('has no serious axe finding in any theme', async () => {
		const { workbench } = session;
		await expectNoSeriousFindings(workbench, 'form', () => findInspector(workbench, 'approve'), 'editor-background');
	});

	it('is filled in by keyboard, and keeps its values after a reload', async () => {
		const { workbench } = session;
		const frame = await findInspector(workbench, 'approve');
		await frame.getByRole('textbox', { name: 'comment' }).focus();
		// VS Code handles Ctrl+A itself for a moment
		await workbench.page.keyboard.press('End');
		await workbench.page.keyboard.press('Shift+Home');
		await workbench.page.keyboard.type('Ship it');
		await workbench.page.keyboard.press('Tab');
		await frame.locator('select:focus').waitFor();
		await workbench.page.keyboard.type('h');
		await frame.getByRole('button', { name: 'Send it' }).focus();
		await workbench.page.keyboard.press('Enter');
		await frame.getByRole('alert').filter({ hasText: "'proof' is required." }).waitFor();
		await frame.locator('button:focus', { hasText: 'Select file…' }).waitFor();
		await workbench.reloadWindow();
		const again = await findInspector(workbench, 'approve');
		await again.getByRole('form').waitFor();
		await retryUntilPassing(async () => assert.equal(await again.getByRole('textbox', { name: 'comment' }).inputValue(), 'Ship it'));
		await retryUntilPassing(async () => assert.equal(await again.getByRole('combobox', { name: 'level' }).inputValue(), 'high'));
	});

	it('continues with an uploaded file, in the same inspector', async () => {
		const { workbench } = session;
		const frame = await findInspector(workbench, 'approve');
		await frame.getByRole('button', { name: 'Select file…' }).click();
		// VS Code's simple dialog fills in its start folder first, and then lists matching files
		await workbench.quickInput.getOption('..').waitFor();
		await workbench.quickInput.box.fill(path.join(workbench.folder, 'runs', path.sep));
		await workbench.quickInput.pickExactOption('release-notes.md');
		await frame.locator('.formFiles', { hasText: 'release-notes.md' }).waitFor();
		await frame.getByRole('button', { name: 'Send it' }).press('Enter');
		await frame.locator('.status', { hasText: 'succeeded' }).waitFor();
		await frame.getByRole('form').waitFor({ state: 'detached' });
		await frame.locator('.outputs', { hasText: 'Ship it' }).waitFor();
	});

	it('appears in the chat, whose reply continues after the answer', async () => {
		const { workbench } = session;
		const chat = await ChatPage.openChatInSideBar(workbench);
		await chat.selectTarget(workbench, 'Built-in gateway', 'asker');
		await chat.sendMessage('is it?');
		const form = chat.frame.getByRole('form', { name: 'Form: Is it right' });
		await form.getByRole('textbox', { name: 'note' }).fill('quite');
		await workbench.takeScreenshot('form-chat');
		await form.getByRole('button', { name: 'It is' }).press('Enter');
		await chat.getReply(/Let me ask\.[\s\S]*Is it right: It is[\s\S]*You said: quite\./).waitFor();
		await chat.waitForIdleChat();
	});
}
