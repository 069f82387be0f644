import assert from 'node:assert/strict';
import { waitUntil } from '../../support/waitUntil.ts';
import { expectNoSeriousFindings } from '../driver/accessible.ts';
import { retryUntilPassing } from '../driver/eventually.ts';
import type { Session } from '../driver/session.ts';
import { UserActions } from '../driver/userActions.ts';
import type { Workbench } from '../driver/workbench.ts';
import { findInspector } from './inspectorFrame.ts';

const channel = 'Agent Runs';

const countEndedRuns = (workbench: Workbench, agent: string, status: string): number =>
	workbench.output.readChannel(channel).match(new RegExp(`▷ ${agent} [^▷]*■ ${status}`, 'g'))?.length ?? 0;

/** Returns the decorations after lines of the active editor. */
const readLineDecorations = ({ page }: Workbench): Promise<string[]> =>
	page
		.locator('.editor-group-container.active .monaco-editor .view-line span')
		.evaluateAll(spans =>
			spans.map(span => getComputedStyle(span, '::after').content).filter(content => content !== 'none' && content !== 'normal'),
		);

/**
 * Defines the tests of daily tasks, which count each user action, with the editor's default settings. They leave a failed run of
 * fails-on-purpose.
 */
export function testDailyLoop(session: Session): void {
	it('runs a sample in three actions, and repeats the inputs in one', async () => {
		const { workbench } = session;
		await workbench.showContainer('Explorer');
		const files = workbench.getTree('Files Explorer');
		const user = new UserActions();
		if ((await files.getRow('runs').getAttribute('aria-expanded')) !== 'true') {
			await user.performAction(() => files.getRow('runs').click());
		}
		await user.performAction(() => files.getRow('release-notes.run.json').click());
		await user.performAction(() => workbench.getCodeLens('Run').first().click());
		await waitUntil('the end of the run', () => countEndedRuns(workbench, 'summarize', 'succeeded') > 0);
		assert.ok(user.count <= 3, `${user.count} actions`);
		const before = countEndedRuns(workbench, 'summarize', 'succeeded');
		const again = new UserActions();
		await again.performAction(() => workbench.getCodeLens('Run').first().click());
		await waitUntil('the end of the next run', () => countEndedRuns(workbench, 'summarize', 'succeeded') > before);
		assert.equal(again.count, 1);
	});

	it('leads from a failing run to the source of its node in one action, and in two from the inspector', async () => {
		const { workbench } = session;
		await workbench.openFile('fails-on-purpose.run.json');
		await workbench.getCodeLens('Run').first().click();
		await waitUntil('the end of the run', () => countEndedRuns(workbench, 'fails-on-purpose', 'failed') > 0);
		const waitForSource = () =>
			workbench.page.locator('.editor-group-container.active .monaco-editor[data-uri$="/fails-on-purpose.yml"]').waitFor();
		const notification = workbench.getNotification("'fails-on-purpose' failed").first();
		await notification.getByRole('button', { name: 'Go to source' }).click();
		await waitForSource();
		const user = new UserActions();
		await user.performAction(() => workbench.page.locator('.statusbar-item.has-command', { hasText: 'fails-on-purpose' }).click());
		const frame = await findInspector(workbench, 'fails-on-purpose');
		await user.performAction(() => frame.getByRole('button', { name: 'Go to source' }).click());
		await waitForSource();
		assert.equal(user.count, 2);
	});

	it('shows at the node why it failed, and the values of its references', async () => {
		const { workbench } = session;
		const { page } = workbench;
		const mark = await waitUntil('the mark of the node', async () =>
			(await readLineDecorations(workbench)).find(text => text.includes('failed')),
		);
		assert.match(mark, /failed just now: Error: Line 3 of the levels/);
		await workbench.takeScreenshotsInThemes('agent-file-failed');
		const hover = page.locator('.monaco-hover:visible');
		// the mark is at the line of the program that failed
		await page.locator('.view-line').filter({ hasText: 'throw new Error' }).locator('span', { hasText: 'throw' }).last().hover();
		await hover.filter({ hasText: 'This node failed' }).waitFor();
		await retryUntilPassing(async () =>
			assert.deepEqual(await hover.getByRole('link').or(hover.locator('a[data-href^="command:"]')).allInnerTexts(), [
				'Fork from here…',
				'Ask about this run',
				'Inspect run',
			]),
		);
		await workbench.takeScreenshot('agent-file-failed-hover');
		await page
			.locator('.view-line')
			.filter({ hasText: 'value_selector: [start, levels]' })
			.locator('span', { hasText: 'levels' })
			.last()
			.hover();
		await hover.filter({ hasText: /Value in the last run \(just now\):[\s\S]*1\.\d/ }).waitFor();
		await workbench.takeScreenshot('agent-file-last-value');
	});

	it('shows a failed run without a serious axe finding, in every theme', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench Run: Inspect Run');
		await expectNoSeriousFindings(workbench, 'inspector-failed', () => findInspector(workbench, 'fails-on-purpose'), 'editor-background');
		await workbench.closeEditors();
	});
}

/** Defines the tests of the failed run that testDailyLoop leaves, for a window that was reloaded since. */
export function testFailedRun(session: Session): void {
	it('marks the node after a reload too, until the node is edited', async () => {
		const { workbench } = session;
		await workbench.openFile('fails-on-purpose.yml');
		await workbench.page.keyboard.press('Control+G');
		await workbench.quickInput.enterText(':49');
		await waitUntil('the mark of the node', async () => (await readLineDecorations(workbench)).some(mark => mark.includes('failed')));
		await workbench.page.locator('.view-line').filter({ hasText: 'return value;' }).click();
		await workbench.page.keyboard.press('End');
		await workbench.page.keyboard.type(' again');
		await waitUntil('no mark', async () => !(await readLineDecorations(workbench)).some(mark => mark.includes('failed')));
		await workbench.page.keyboard.press('Control+Z');
		await waitUntil('the mark of the node', async () => (await readLineDecorations(workbench)).some(mark => mark.includes('failed')));
		await workbench.runCommand('File: Save');
	});

	it('leads from a failed run to the fixed one in at most five actions: source, fix, run from there', async () => {
		const { workbench } = session;
		const { keyboard } = workbench.page;
		await workbench.openFile('fails-on-purpose.run.json');
		await workbench.getCodeLens('Run').first().click();
		const notification = workbench.getNotification("'fails-on-purpose' failed").first();
		await notification.waitFor();
		const before = countEndedRuns(workbench, 'fails-on-purpose', 'succeeded');
		const user = new UserActions();
		await user.performAction(() => notification.getByRole('button', { name: 'Go to source' }).click());
		await workbench.page.locator('.part.statusbar').getByText('Ln 49, Col 1').waitFor();
		await user.performAction(async () => {
			for (const key of ['ArrowUp', 'ArrowUp', 'End', 'ArrowLeft', 'ArrowLeft']) {
				await keyboard.press(key);
			}
			await keyboard.type(".replace('about ', '')");
		});
		await user.performAction(() => workbench.getCodeLens('Fork from here').click());
		await workbench.quickInput.widget
			.getByRole('option', { name: /^Run fork/ })
			.first()
			.waitFor();
		await user.performAction(() => workbench.quickInput.pressKey('Enter'));
		await waitUntil('the end of the fixed run', () => countEndedRuns(workbench, 'fails-on-purpose', 'succeeded') > before);
		assert.ok(user.count <= 5, `${user.count} actions`);
		await workbench.closeEditors();
	});
}
