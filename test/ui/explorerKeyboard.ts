import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { getRepeatDelay, waitUntil } from '../support/waitUntil.ts';
import { retryUntilPassing } from './driver/eventually.ts';
import { moveFocus, moveFocusTo } from './driver/keyboard.ts';
import type { Session } from './driver/session.ts';
import { findInspector } from './workflows/inspectorFrame.ts';

/** Defines the first steps by keyboard, for a window in which nothing has run yet. They leave the built-in gateway's agents expanded. */
export function testExplorerByKeyboard(session: Session): void {
	/** Presses keys one after the other. */
	const pressKeys = async (...keys: string[]) => {
		for (const key of keys) {
			await session.workbench.page.keyboard.press(key);
		}
	};
	/** Moves down to a row with the arrow keys only. */
	const moveToRow = (label: string) => moveFocusTo(session.workbench.page, 'ArrowDown', label);

	it('expand the tree, run a file from its context menu, and open its log entry', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Focus on Agents View');
		const agents = workbench.getTree('Agents');
		await agents.getRow('Built-in gateway').waitFor();
		await agents.getRow('summarize').waitFor();
		assert.deepEqual(
			(await agents.readRows()).slice(0, 2).map(({ label, description }) => [label, description]),
			[
				['Built-in gateway', '10 agents'],
				['approve-notice', ''],
			],
			'agents of files are listed before the gateway starts',
		);
		// VS Code doesn't focus an empty tree, and ours is empty until the extension is activated
		await workbench.runCommand('Agent Workbench: Focus on Agents View');
		await moveToRow('Built-in gateway');
		await pressKeys('ArrowRight');
		await agents.getRow('summarize').waitFor();
		await moveToRow('summarize');
		await pressKeys('ArrowRight');
		await agents.getRow('Run files').waitFor();
		await moveToRow('Run files');
		await pressKeys('ArrowRight');
		await agents.getRow('annual-report.run.json').waitFor();
		await moveToRow('annual-report.run.json');
		await pressKeys('Shift+F10');
		const run = workbench.page.getByRole('menuitem', { name: 'Run' }).first();
		await run.waitFor();
		await pressKeys('ArrowDown');
		for (let n = 0; n < 10 && !(await isElementFocused(workbench.page, 'Run')); n++) {
			await pressKeys('ArrowDown');
		}
		await pressKeys('Enter');
		await workbench.output.waitForText('Agent Workbench', /POST \/v1\/agent\/workflows\/run 200/);
		await workbench.runCommand('Agent Workbench: Focus on Agents View');
		const entry = agents.root
			.locator('.monaco-list-row[aria-level="4"]')
			.filter({ hasText: /\d:\d\d/ })
			.first();
		// a refresh after the run can collapse the list again
		await waitUntil('an entry in the log', async tries => {
			await agents.expandWithGesture('Logs', async () => {
				await pressKeys('Home');
				await moveToRow('Logs');
				await pressKeys('ArrowRight');
			});
			return entry.waitFor({ timeout: getRepeatDelay(tries) }).then(
				() => true,
				() => false,
			);
		});
		await moveToRow('Logs');
		await moveFocus(workbench.page, 'ArrowDown');
		await pressKeys('Enter');
		await (await findInspector(workbench, 'summarize')).getByText('succeeded').first().waitFor();
	});

	it('give every row a label for screen readers', async () => {
		const rows = session.workbench.page.locator('.part.sidebar .monaco-list-row');
		for (const row of await rows.all()) {
			assert.notEqual(await row.getAttribute('aria-label'), '');
		}
		const log = session.workbench
			.getTree('Agents')
			.root.locator('.monaco-list-row[aria-level="4"]')
			.filter({ hasText: /\d:\d\d/ })
			.first();
		await retryUntilPassing(async () => assert.match((await log.getAttribute('aria-label')) ?? '', /succeeded/));
	});

	it('add a connection and remove it', async () => {
		const { workbench } = session;
		await workbench.runCommand('Agent Workbench: Add Connection…');
		const { quickInput } = workbench;
		await quickInput.widget.getByText('Anthropic-compatible server').waitFor();
		await quickInput.box.pressSequentially('Anthropic-compatible');
		await quickInput.pressKey('Enter');
		await quickInput.widget.getByText('http://localhost:11434').waitFor();
		await quickInput.pressKey('Enter');
		await quickInput.widget.getByText('Name of the connection').waitFor();
		await quickInput.pressKey('Enter');
		const agents = workbench.getTree('Agents');
		await agents.getRow('Ollama').waitFor();
		await workbench.page.locator('.part.statusbar').getByRole('button', { name: 'Default connection: Built-in gateway' }).waitFor();
		await workbench.runCommand('Agent Workbench: Remove Connection');
		await quickInput.getOption('Ollama').waitFor();
		await quickInput.pressKey('Enter');
		await workbench.getDialog("Remove the connection 'Ollama' and its key?").waitFor();
		await pressKeys('Enter');
		await agents.getRow('Ollama').waitFor({ state: 'detached' });
	});
}

function isElementFocused(page: Page, name: string): Promise<boolean> {
	return page.evaluate(
		text => document.activeElement?.textContent?.trim() === text || document.activeElement?.getAttribute('aria-label') === text,
		name,
	);
}
