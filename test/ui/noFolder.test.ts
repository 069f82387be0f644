import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { makeTempFolder, removeFolder } from '../../scripts/lib/tempFolder.ts';
import { ChatPage } from './chat/chatPage.ts';
import { retryUntilPassing } from './driver/eventually.ts';
import { useWorkbench } from './driver/session.ts';
import type { Workbench } from './driver/workbench.ts';

describe('windows without a folder', () => {
	const home = makeTempFolder();
	const session = useWorkbench({ workspace: null, server: { environment: { HOME: home } } });
	after(() => removeFolder(home));
	const getWelcome = ({ page }: Workbench) =>
		page.locator('.part.sidebar .welcome-view').filter({ hasText: 'Agents are files in a folder of your workspace.' });

	describe('one of them', () => {
		it('explains agents and how to start', async () => {
			const { workbench } = session;
			await workbench.showContainer('Agent Workbench');
			const welcome = getWelcome(workbench);
			await welcome.waitFor();
			assert.deepEqual(await welcome.getByRole('button').allInnerTexts(), [
				'Open Sample Workspace',
				'New Agent',
				'Open Folder',
				'Add Connection',
				'Get started',
			]);
			await workbench.takeScreenshotsInThemes('no-folder');
			await welcome.getByRole('button', { name: 'Add Connection' }).click();
			await workbench.quickInput.getOption('Gateway').waitFor();
			await workbench.quickInput.pressKey('Escape');
		});
	});

	describe('two of them', () => {
		let other: Workbench;

		it('each have a chat, and keep it', async () => {
			const { workbench } = session;
			const first = await ChatPage.openChatInSideBar(workbench);
			await first.sendMessage('Words of the first window');
			await first.getReply(/You wrote/).waitFor();
			other = await session.openSecondWindow();
			const second = await ChatPage.openChatInSideBar(other);
			assert.equal(await second.messages.count(), 0);
			await second.sendMessage('Words of the second window');
			await second.getReply(/You wrote/).waitFor();
			await workbench.reloadWindow();
			const again = await ChatPage.openChatInSideBar(workbench);
			await again.messages.filter({ hasText: 'Words of the first window' }).waitFor();
			await retryUntilPassing(async () => assert.equal(await again.messages.count(), 1));
		});

		it('lead to the walkthrough', async () => {
			// in the other window, because VS Code restores a walkthrough that was open before a folder in front of the files in the folder
			await other.showContainer('Agent Workbench');
			await getWelcome(other).getByRole('button', { name: 'Get started' }).click();
			await other.page.getByText('Meet the built-in gateway').first().waitFor();
		});
	});

	describe('one that opens the samples', () => {
		it('takes three actions to a first result: open, confirm the home folder, run', async () => {
			const { workbench } = session;
			await workbench.showContainer('Agent Workbench');
			await getWelcome(workbench).getByRole('button', { name: 'Open Sample Workspace' }).click();
			await retryUntilPassing(async () => assert.equal(await workbench.quickInput.box.inputValue(), `${home}/`));
			await workbench.quickInput.widget.getByRole('button', { name: 'Copy samples here' }).click();
			await workbench.getCodeLens('Run').first().click();
			await workbench.output.waitForText('Agent Runs', /■ succeeded/);
			await workbench.output.lines.filter({ hasText: '■ succeeded' }).waitFor();
			await workbench.getCodeLens(/Last run: succeeded .* · summary: /).waitFor();
			assert.ok(fs.existsSync(path.join(home, 'agent-workbench-samples', 'runs')));
			await workbench.getTree('Agents').getRow('summarize').waitFor();
			await workbench.takeScreenshotsInThemes('samples-opened');
		});
	});
});
