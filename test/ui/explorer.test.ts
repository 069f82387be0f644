import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { getRepeatDelay, waitUntil } from '../support/waitUntil.ts';
import { retryUntilPassing } from './driver/eventually.ts';
import { type Session, useWorkbench } from './driver/session.ts';
import { testExplorerByKeyboard } from './explorerKeyboard.ts';
import { testManyRuns } from './explorerManyRuns.ts';
import { findInspector } from './workflows/inspectorFrame.ts';

describe('the first steps of a new user', () => {
	// tall, because the tree has no rows that are out of view
	const session = useWorkbench({ viewport: { width: 1280, height: 1000 } });

	describe('by keyboard', () => testExplorerByKeyboard(session));
	describe('by mouse', () => testExplorerByMouse(session));
	describe('with a long log', () => {
		before(async () => {
			await session.workbench.page.setViewportSize({ width: 1280, height: 800 });
			const agents = session.workbench.getTree('Agents');
			await agents.collapseRow('Built-in gateway');
			await agents.collapseRow('Production');
		});
		testManyRuns(session);
	});
});

/** Defines the first steps by mouse, for a window with the agents view. They add the connection "Production", and delete all agent files. */
function testExplorerByMouse(session: Session): void {
	it('lead from the tree to a run, to its log entry and its document', async () => {
		const { workbench } = session;
		await workbench.showContainer('Agent Workbench');
		const agents = workbench.getTree('Agents');
		await agents.getRow('Built-in gateway').waitFor();
		await agents.expandRows('Built-in gateway', 'summarize', 'Run files');
		await agents.expandRows('Runs');
		await agents.runAction('release-notes.run.json', 'Run');
		await agents.getRow('release-notes').waitFor();
		await workbench.page.keyboard.press('Control+J');
		await workbench.takeScreenshot('explorer-run');
		const entry = agents.root
			.locator('.monaco-list-row[aria-level="4"]')
			.filter({ hasText: /\d:\d\d/ })
			.last();
		await waitUntil('the run in the logs', async tries => {
			// VS Code collapses the row again if the end of the run refreshes its parent while it loads
			await agents.expandRows('Logs');
			return entry.waitFor({ timeout: getRepeatDelay(tries) }).then(
				() => true,
				() => false,
			);
		});
		await entry.click();
		await (await findInspector(workbench, 'summarize')).getByText('succeeded').first().waitFor();
		await entry.click({ button: 'right' });
		// VS Code ignores a click at the moment the menu appears, as if it were the click that opened the menu
		await workbench.page.getByRole('menuitem', { name: 'Open Run Record' }).hover();
		await workbench.page.keyboard.press('Enter');
		await retryUntilPassing(async () => assert.match(await workbench.readEditorText(), /"status": "succeeded"/));
		await workbench.takeScreenshotsInThemes('explorer-log');
	});

	it('lead to a filter that matches nothing, and clear it', async () => {
		const { workbench } = session;
		const agents = workbench.getTree('Agents');
		await agents.runAction('Logs', 'Filter Logs…');
		await workbench.quickInput.pickOption('failed');
		await workbench.quickInput.pickOption('Last 24 hours');
		await workbench.quickInput.widget.getByText('Search inputs, outputs').waitFor();
		await workbench.quickInput.enterText('nothing like it');
		await agents.getRow('No matching runs').waitFor();
		await workbench.takeScreenshot('explorer-filter');
		await agents.getRow('No matching runs').click();
		await agents.getRow('No matching runs').waitFor({ state: 'detached' });
	});

	it('show a remedy for a refused connection', async () => {
		const { workbench } = session;
		const { quickInput } = workbench;
		const agents = workbench.getTree('Agents');
		await workbench.runCommand('Agent Workbench: Add Connection…');
		await quickInput.pickOption('Gateway');
		await quickInput.widget.getByText('Base URL of the service').waitFor();
		await quickInput.enterText('http://127.0.0.1:9');
		await quickInput.widget.getByText('Name of the connection').waitFor();
		await quickInput.enterText('Production');
		await quickInput.pickOption('Same key for all');
		await quickInput.widget.getByText('Saved in the system keyring.').waitFor();
		await workbench.takeScreenshot('explorer-key');
		await quickInput.enterText('some key');
		await quickInput.getMessage('Press Enter again to save the key unchecked.').waitFor();
		await workbench.takeScreenshot('explorer-key-unchecked');
		await workbench.page.keyboard.press('Enter');
		await workbench.getNotification('Production').waitFor();
		await workbench.takeScreenshot('explorer-connection-refused');
		// the connection has no row while it is out of view, below the agents of the gateway
		await agents.collapseRow('Built-in gateway');
		await agents.expandRows('Production');
		await agents.root.locator('.monaco-list-row').filter({ hasText: 'ECONNREFUSED' }).waitFor();
		await workbench.takeScreenshotsInThemes('explorer-connections');
	});

	it('lead to the walkthrough', async () => {
		const { workbench } = session;
		await workbench.runCommand('View: Close All Editors');
		await workbench.runCommand('Agent Workbench: Get Started');
		await workbench.page.getByText('Meet the built-in gateway').first().waitFor();
		await workbench.takeScreenshotsInThemes('explorer-walkthrough');
		await workbench.page
			.getByRole('button', { name: /Connect a model or service/ })
			.first()
			.click();
		await workbench.takeScreenshot('explorer-walkthrough-connect');
	});

	it('leave no key in the settings', () => {
		const settings = fs.globSync('**/settings.json', { cwd: path.dirname(session.workbench.folder) });
		assert.ok(
			!settings.some(file => fs.readFileSync(path.join(path.dirname(session.workbench.folder), file), 'utf8').includes('some key')),
		);
	});

	it('show how to start without any agent file', async () => {
		const { workbench } = session;
		await workbench.getTree('Agents').expandRows('Built-in gateway');
		fs.rmSync(path.join(workbench.folder, 'agents'), { recursive: true, force: true });
		await workbench.getTree('Agents').getRow('No agents yet').waitFor();
		await workbench.takeScreenshotsInThemes('explorer-no-agents');
	});
}
