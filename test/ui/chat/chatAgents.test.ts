import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/paths.ts';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import { useWorkbench } from '../driver/session.ts';
import type { Workbench } from '../driver/workbench.ts';
import { testForms } from '../workflows/forms.ts';
import { asksMuch } from '../workflows/inputsForm.ts';
import { ChatPage } from './chatPage.ts';
import { type FakeService, startFakeService } from './fakeService.ts';
import { pastePng } from './pngFiles.ts';
import { testPromptPlayground } from './promptPlayground.ts';

/** A chatflow that repeats the question. */
const chatFlow = path.join(root, 'test/fixtures/dsl/j01-assign-query.yml');

/** Runs a function while the side bar has its minimum width, and restores the width. */
async function runInNarrowSideBar({ page }: Workbench, act: () => Promise<void>): Promise<void> {
	const bar = await page.locator('.part.sidebar').boundingBox();
	assert.ok(bar);
	const [edge, middle] = [bar.x + bar.width, bar.y + bar.height / 2];
	const dragSash = async (from: number, to: number) => {
		await page.mouse.move(from, middle);
		await page.mouse.down();
		await page.mouse.move(to, middle, { steps: 4 });
		await page.mouse.up();
	};
	await dragSash(edge, bar.x + 180);
	await act();
	await dragSash(bar.x + 180, edge);
}

describe('a chat with the built-in gateway', () => {
	let service: FakeService;
	const settings: Record<string, unknown> = {};
	before(async () => {
		service = await startFakeService();
		settings['agentWorkbench.connections'] = [{ id: 'fake', name: 'Fake', kind: 'anthropic-compatible', baseUrl: service.url }];
	});
	after(() => service?.close());
	const session = useWorkbench({ settings });
	let chat: ChatPage;

	describe('chat transcripts', () => {
		/** Enters a path in the editor's simple file dialog, after it has filled in its start folder. */
		async function chooseFile(file: string): Promise<void> {
			const { quickInput, page } = session.workbench;
			await quickInput.getOption('..').waitFor();
			await quickInput.box.fill(file);
			await quickInput.getOption(path.basename(file)).or(quickInput.getOption('..')).first().waitFor();
			await page.keyboard.press('Enter');
		}

		it('are exported as Markdown and JSON', async () => {
			const { workbench } = session;
			chat = await ChatPage.openChatInSideBar(workbench);
			await chat.sendMessage('What is a transcript');
			await chat.getReply(/You wrote/).waitFor();
			await chat.waitForIdleChat();
			for (const [name, holds] of [
				['talk.md', '## You\n\nWhat is a transcript'],
				['talk.json', '"version": 1'],
			] as const) {
				const file = path.join(workbench.folder, name);
				await workbench.runCommand('Agent Workbench Chat: Export Chat…');
				await chooseFile(file);
				const text = await waitUntil(name, () => (fs.existsSync(file) && fs.readFileSync(file, 'utf8')) || undefined);
				assert.ok(text.includes(holds), text);
				// the file opens in an editor, which gets the focus
				await workbench.page.locator('.tab.active', { hasText: name }).waitFor();
				await workbench.page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
			}
		});

		it('are deleted after a confirmation, and imported again', async () => {
			const { workbench } = session;
			await workbench.runCommand('Agent Workbench Chat: Delete Chat');
			await workbench.getDialog("Delete 'What is a transcript'?").getByRole('button', { name: 'Delete' }).click();
			await chat.frame.locator('.turnList > .empty').waitFor();
			await workbench.runCommand('Agent Workbench Chat: Import Chat…');
			await chooseFile(path.join(workbench.folder, 'talk.json'));
			await chat.getReply(/You wrote/).waitFor();
		});

		it('can be renamed', async () => {
			const { workbench } = session;
			await workbench.runCommand('Agent Workbench Chat: Rename Chat…');
			await workbench.quickInput.enterText('About transcripts');
			await workbench.runCommand('Agent Workbench Chat: Show Chats…');
			await retryUntilPassing(async () => assert.ok((await workbench.quickInput.readOptions()).includes('About transcripts')));
			await workbench.page.keyboard.press('Escape');
		});

		it('attach a selection', async () => {
			const { workbench } = session;
			await workbench.openFile('summarize.yml');
			await workbench.page.keyboard.press('Control+Home');
			await workbench.page.keyboard.press('Shift+ArrowDown');
			await workbench.page.locator('.part.statusbar', { hasText: /Ln 2, Col 1 \(\d+ selected\)/ }).waitFor();
			await workbench.runCommand('Agent Workbench Chat: Ask About Selection');
			await chat.frame.locator('.attachments', { hasText: 'agents/summarize.yml:1-2' }).waitFor();
			await chat.box.and(chat.frame.locator(':focus')).waitFor();
			await workbench.runCommand('Agent Workbench Chat: Ask About File');
			await chat.frame.locator('.attachments li').nth(1).waitFor();
		});
	});

	describe('chatting with agents', () => {
		before(async () => {
			await session.workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
		});

		const pickAgent = (name: string) => chat.selectTarget(session.workbench, 'Built-in gateway', name);

		it('attaches a run from the tree', async () => {
			const { workbench } = session;
			await workbench.showContainer('Agent Workbench');
			const agents = workbench.getTree('Agents');
			await agents.expandRows('Built-in gateway', 'summarize', 'Run files');
			await agents.expandRows('Runs');
			await agents.runAction('annual-report.run.json', 'Run');
			// the row of the agent is rendered again when the run ends, and a menu opened before would refer to a removed row
			await agents.root
				.locator('.monaco-list-row', { hasText: 'annual-report.run.json' })
				.filter({ hasText: /just now|ago/ })
				.waitFor();
			await agents.getRow('annual-report').first().waitFor();
			await agents.getRow('annual-report').first().click({ button: 'right' });
			// VS Code ignores a click right after the menu opens, as if it were the end of the click that opened the menu
			await workbench.page.getByRole('menuitem', { name: 'Ask About Run' }).hover();
			await workbench.page.keyboard.press('Enter');
			chat = await ChatPage.findChat(workbench, 'Chat');
			await chat.frame.locator('.attachments', { hasText: "Run of 'summarize'" }).waitFor();
			await chat.sendMessage('why');
			await chat.getReply(/offline model/).waitFor();
			await chat.messages.last().getByText("Run of 'summarize'").waitFor();
		});

		it('keeps a conversation with a chatflow at its service, and continues it', async () => {
			const { workbench } = session;
			const { quickInput } = workbench;
			fs.copyFileSync(chatFlow, path.join(workbench.folder, 'agents/answers.yml'));
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			await pickAgent('answers');
			await chat.sendMessage('first question');
			await chat.getReply(/first question.*Finished/s).waitFor();
			await workbench.takeScreenshot('chat-agent');
			await chat.sendMessage('second question');
			await chat.getReply('second question').waitFor();
			await chat.waitForIdleChat();
			await workbench.runCommand('Agent Workbench Chat: Delete Chat');
			await workbench.getDialog('Delete').getByRole('button', { name: 'Delete' }).click();
			await chat.frame.locator('.turnList > .empty').waitFor();
			await workbench.runCommand('Agent Workbench Chat: Show Chats…');
			await quickInput.widget.getByText("Conversations with 'answers'").waitFor();
			const options = await quickInput.readOptions();
			await quickInput.pickOption(options.at(-1)!);
			await chat.getReply('second question').waitFor();
			await retryUntilPassing(async () => assert.equal(await chat.replies.count(), 2));
			await chat.sendMessage('third question');
			await chat.getReply('third question').waitFor();
		});

		it("warns that the agent accepts no images, and doesn't send the message", async () => {
			const { workbench } = session;
			const sent = await chat.messages.count();
			await pastePng(chat.box, 'dot.png');
			await chat.frame.locator('.composer .note', { hasText: "'answers' doesn't accept images." }).waitFor();
			await workbench.takeScreenshot('chat-agent-refuses-image');
			await chat.sendMessage('what is this');
			await chat.frame.locator('.notice', { hasText: "'answers' doesn't accept images." }).waitFor();
			await retryUntilPassing(async () => assert.equal(await chat.box.inputValue(), 'what is this'));
			await retryUntilPassing(async () => assert.equal(await chat.messages.count(), sent));
		});

		it('sends an image to an agent that accepts images', async () => {
			const { workbench } = session;
			const flow = fs.readFileSync(chatFlow, 'utf8');
			const takesImages = 'file_upload:\n      allowed_file_types: [image]\n      number_limits: 2\n      enabled: true';
			const shows = flow
				.replace(/file_upload:\n\s+enabled: false/, takesImages)
				.replace("'{{#conversation.str#}}'", "'{{#conversation.str#}}, with {{#sys.files#}}'");
			fs.writeFileSync(path.join(workbench.folder, 'agents/sees.yml'), shows);
			await workbench.getTree('Agents').getRow('sees').waitFor();
			await pickAgent('sees');
			await chat.frame.locator('.composer .note').waitFor({ state: 'detached' });
			await chat.box.press('Enter');
			await chat.getReply(/what is this, with .*dot\.png/s).waitFor();
			await chat.messages.last().getByRole('img', { name: 'Image dot.png' }).waitFor();
		});

		it("shows the agent's inputs above the message, and doesn't send a message while a required one is empty", async () => {
			const { workbench } = session;
			const { keyboard } = workbench.page;
			fs.writeFileSync(path.join(workbench.folder, 'agents/badges.yml'), asksMuch);
			await workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
			await pickAgent('badges');
			const inputs = chat.frame.locator('details.inputs');
			await chat.frame.getByPlaceholder("Guest for 'badges'").waitFor();
			await inputs.locator('select').waitFor();
			assert.equal(await inputs.getByRole('textbox', { name: 'Guest' }).count(), 0, 'a field that the message fills');
			await chat.box.fill('Ada');
			await chat.box.press('Enter');
			await inputs.getByRole('alert').filter({ hasText: "'Tone' is required." }).waitFor();
			await inputs.locator('select:focus').waitFor();
			await retryUntilPassing(async () => assert.equal(await chat.box.inputValue(), 'Ada'));
			assert.equal(await chat.messages.count(), 0);
			await workbench.takeScreenshotsInThemes('chat-inputs');
			assert.deepEqual(await findAxeProblems(chat.frame, 'sideBar-background'), []);
			await runInNarrowSideBar(workbench, async () => {
				await workbench.takeScreenshot('chat-inputs-narrow');
			});
			await inputs.locator('select').focus();
			await keyboard.type('f');
			await inputs.getByRole('textbox', { name: 'Copies' }).fill('3');
			await chat.box.press('Enter');
			await chat.getReply(/Ada, formal, 3/).waitFor();
			await chat.waitForIdleChat();
			const line = inputs.locator('summary').filter({ hasText: 'Tone: formal · Copies: 3' });
			await line.waitFor();
			assert.equal(await inputs.locator('select').isVisible(), false);
			await workbench.takeScreenshot('chat-inputs-folded');
			await line.click();
			await retryUntilPassing(async () => assert.equal(await inputs.getByRole('combobox', { name: 'Tone' }).inputValue(), 'formal'));
		});
	});

	describe('a form of a paused run', () => {
		before(async () => {
			await session.workbench.runCommand('Agent Workbench Chat: New Chat');
			await chat.waitForNewChat();
		});
		testForms(session);
	});

	describe('the prompt playground', () => testPromptPlayground(session, () => service));
});
