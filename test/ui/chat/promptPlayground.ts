import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { waitUntil } from '../../support/waitUntil.ts';
import { findAxeProblems } from '../driver/axe.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { UserActions } from '../driver/userActions.ts';
import { findInspector, getNodeRow, inspectLatestRun, runFileToEnd } from '../workflows/inspectorFrame.ts';
import { ChatPage } from './chatPage.ts';
import { type FakeService, streamReply } from './fakeService.ts';

const fakeAnswer = 'Am Donnerstag gibt es **kein** Wasser.';
const node = 'claude-sonnet-4-5';

/**
 * Defines the tests of the prompt playground, for a window with the connection "Fake" to the service. They reload the window once.
 * @param getService returns the service; called only while tests run
 */
export function testPromptPlayground(session: Session, getService: () => FakeService): void {
	before(async () => {
		const { workbench } = session;
		getService().setHandler(request => streamReply(request, fakeAnswer));
		await workbench.closeEditors();
		await workbench.page.setViewportSize({ width: 1440, height: 900 });
	});
	let frame: Frame;
	const getColumn = (model: string): Locator => frame.getByRole('article', { name: model });
	const readAgent = () => fs.readFileSync(path.join(session.workbench.folder, 'agents', 'translate.yml'), 'utf8');

	it('opens from a node in the text, with the values of the last run', async () => {
		const { workbench } = session;
		await runFileToEnd(workbench, 'translate-notice.run.json', 'translate');
		await workbench.openFile('translate.yml');
		await workbench.page.keyboard.press('Control+G');
		await workbench.quickInput.enterText(`:${readAgent().split('\n').indexOf('      - id: translate') + 1}`);
		await workbench.getCodeLens('Try prompt').click();
		frame = await workbench.findWebview('Translate');
		await frame.getByRole('textbox', { name: 'User message' }).and(frame.locator(':focus')).waitFor();
		await retryUntilPassing(async () =>
			assert.match(await frame.getByRole('textbox', { name: 'start.text' }).inputValue(), /^# Water is turned off/),
		);
		assert.match(await frame.getByRole('textbox', { name: 'brief.output' }).inputValue(), /into German/);
		await workbench.takeScreenshotsInThemes('prompt-opened');
	});

	it('shows the answers of two models side by side after four actions', async () => {
		const { workbench } = session;
		// the first action was the click on the lens
		const user = new UserActions();
		await user.performAction(() => frame.getByRole('button', { name: 'Add model…' }).click());
		await workbench.quickInput.getOption('fake-model').waitFor();
		await user.performAction(() => workbench.quickInput.getOption('fake-model').click());
		await getColumn('fake-model').waitFor();
		await user.performAction(() => frame.getByRole('button', { name: 'Run all' }).click());
		await getColumn('fake-model').getByText('Am Donnerstag gibt es kein Wasser.').waitFor();
		await getColumn('fake-model').locator('footer .facts').filter({ hasText: ' in / ' }).waitFor();
		await getColumn(node).locator('footer .facts').waitFor();
		assert.equal(user.count + 1, 4);
		assert.match(getService().received.at(-1)?.text ?? '', /^# Water is turned off/);
		await workbench.takeScreenshotsInThemes('prompt-answers');
		assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
	});

	it('compares two answers in a diff editor', async () => {
		const { workbench } = session;
		await getColumn('fake-model').getByRole('button', { name: 'Compare with another answer' }).click();
		await workbench.page.locator('.tab.active', { hasText: `${node} ↔ fake-model` }).waitFor();
		await workbench.page.locator('.monaco-diff-editor').waitFor();
		await workbench.page.keyboard.press('Control+w');
		frame = await workbench.findWebview('Translate');
	});

	it('is changed and run by keyboard, and can be run again after an error', async () => {
		const { workbench } = session;
		const { keyboard } = workbench.page;
		getService().setHandler(({ response }) => {
			response.writeHead(529, { 'content-type': 'application/json' }).end('{"error":{"type":"overloaded_error","message":"Too busy"}}');
		});
		await frame.getByRole('textbox', { name: 'User message' }).focus();
		await keyboard.press('Control+End');
		await keyboard.type(' Please.');
		await keyboard.press('Control+Enter');
		await getColumn('fake-model').getByText('Too busy').waitFor();
		assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		await workbench.takeScreenshotsInThemes('prompt-failed');
		getService().setHandler(request => streamReply(request, fakeAnswer));
		await getColumn('fake-model').getByRole('button', { name: 'Try again' }).press('Enter');
		await getColumn('fake-model').getByText('Am Donnerstag gibt es kein Wasser.').waitFor();
		assert.match(getService().received.at(-1)?.text ?? '', / Please\.$/);
	});

	it('keeps prompt, models and answers when the window is reloaded', async () => {
		const { workbench } = session;
		await workbench.reloadWindow();
		frame = await workbench.findWebview('Translate');
		await getColumn('fake-model').getByText('Am Donnerstag gibt es kein Wasser.').waitFor();
		await retryUntilPassing(async () =>
			assert.match(await frame.getByRole('textbox', { name: 'User message' }).inputValue(), / Please\.$/),
		);
	});

	it('writes prompt and model to the agent as one edit that can be undone', async () => {
		const { workbench } = session;
		const before = readAgent();
		await getColumn('fake-model').getByRole('button', { name: 'Apply to agent' }).click();
		await frame.getByRole('status').filter({ hasText: "Applied to 'Translate'" }).waitFor();
		await frame.getByRole('button', { name: 'Go to source' }).click();
		await workbench.page.locator('.tab.active', { hasText: 'translate.yml' }).waitFor();
		await workbench.runCommand('File: Save');
		const expected = before
			.replace('name: claude-sonnet-4-5', 'name: fake-model')
			.replace('"{{#start.text#}}"', '"{{#start.text#}} Please."');
		await waitUntil('the saved agent', () => readAgent() === expected);
		await workbench.page.keyboard.press('Control+z');
		await workbench.runCommand('File: Save');
		await waitUntil('the agent as it was', () => readAgent() === before);
	});

	it('adds an answer to a suite as a test case', async () => {
		const { workbench } = session;
		await workbench.page.locator('.tab', { hasText: /^Translate$/ }).click();
		frame = await workbench.findWebview('Translate');
		await getColumn('fake-model').getByRole('button', { name: 'Add to suite…' }).click();
		await workbench.quickInput.pickOption('New suite…');
		await workbench.quickInput.enterText('asks politely');
		const file = path.join(workbench.folder, 'suites', 'polite.suite.json');
		await workbench.quickInput.getOption('..').waitFor();
		await workbench.quickInput.enterText(file);
		const suite = await waitUntil('the suite', () => (fs.existsSync(file) && JSON.parse(fs.readFileSync(file, 'utf8'))) || undefined);
		assert.equal(suite.chat.messages[0].content, '{{text}} Please.');
		assert.equal(suite.cases[0].expect[1].similar.to, fakeAnswer);
		await workbench.closeEditors();
	});

	it('opens from a run in the inspector', async () => {
		const { workbench } = session;
		await inspectLatestRun(workbench, 'translate');
		const inspector = await findInspector(workbench, 'translate');
		await getNodeRow(inspector, 'Translate').click();
		await inspector.getByRole('tab', { name: 'Conversation' }).click();
		await inspector.getByRole('button', { name: 'Try prompt' }).click();
		frame = await workbench.findWebview('Translate');
		await getColumn(node).getByText('Not run yet.').waitFor();
		await workbench.closeEditors();
	});

	it('opens from the form of a node in the graph', async () => {
		const { workbench } = session;
		await workbench.openFile('translate.yml');
		await workbench.runCommand('Agent Workbench: Open Agent Graph');
		const graph = await workbench.findWebview('Graph of translate.yml');
		await graph.locator('.node[data-node="translate"]').click();
		await graph.getByRole('form', { name: "Fields of 'Translate'" }).waitFor();
		await workbench.takeScreenshot('prompt-graph');
		await graph.getByRole('button', { name: 'Try prompt' }).click();
		frame = await workbench.findWebview('Translate');
		await getColumn(node).waitFor();
		await workbench.closeEditors();
	});

	it('opens from a reply in the chat, whose answer is the first one', async () => {
		const { workbench } = session;
		const chat = await ChatPage.openChatInSideBar(workbench);
		await workbench.runCommand('Agent Workbench Chat: New Chat');
		await chat.waitForNewChat();
		await chat.selectTarget(workbench, 'Fake', 'fake-model');
		await chat.sendMessage('Is there water?');
		await chat.getReply('kein Wasser').waitFor();
		await chat.waitForIdleChat();
		await chat.clickButton(chat.getReply('kein Wasser'), 'Try prompt');
		frame = await workbench.findWebview('Is there water?');
		await getColumn('fake-model').getByText('Am Donnerstag gibt es kein Wasser.').waitFor();
		assert.equal(await frame.getByRole('textbox', { name: 'User message' }).inputValue(), 'Is there water?');
		assert.equal(await frame.getByRole('button', { name: 'Apply to agent' }).count(), 0);
		await workbench.page.setViewportSize({ width: 1000, height: 900 });
		await workbench.takeScreenshotsInThemes('prompt-narrow');
		await workbench.closeEditors();
	});

	it('says what to do if it is empty', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Open in Prompt Playground');
		frame = await workbench.findWebview('Prompt Playground');
		await frame.getByText('Add one to four models to see their answers').waitFor();
		await frame.getByRole('textbox', { name: 'User message' }).and(frame.locator(':focus')).waitFor();
		assert.deepEqual(await findAxeProblems(frame, 'editor-background'), []);
		await workbench.takeScreenshotsInThemes('prompt-empty');
	});
}
