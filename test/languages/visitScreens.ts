import fs from 'node:fs';
import path from 'node:path';
import { waitUntil } from '../support/waitUntil.ts';
import { findWidestPage, type Tour } from './tour.ts';

const comparison = {
	model: 'summarize',
	matrix: { agent: { now: 'current', before: '../agents/summarize.yml' } },
	cases: [{ name: 'a', inputs: { text: 'One. Two.', sentences: 1 }, expect: [{ output: 'summary', contains: 'One' }] }],
};

/** Visits the tree, the pages and the settings of the sample workspace. */
export async function visitScreens(tour: Tour): Promise<void> {
	const { workbench } = tour;
	const { page, quickInput, output } = workbench;
	const sideBar = page.locator('.part.sidebar');
	const rows = sideBar.locator('[role="tree"]').first().locator('.monaco-list-row');
	const agent = rows.filter({ hasText: 'translate' }).first();
	await tour.runTourStep('tree', async () => {
		await workbench.showContainer('Agent Workbench');
		await tour.expandRow(rows.first());
		await agent.waitFor({ timeout: 60_000 });
		await tour.expandRow(agent);
		await rows.nth(8).waitFor();
	});
	await tour.runTourStep('tree menu', async () => {
		await agent.click({ button: 'right' });
		await page.locator('.monaco-menu').first().waitFor();
	});
	await page.keyboard.press('Escape');
	await tour.runTourStep('run', async () => {
		await workbench.openFile('translate-notice.run.json');
		await page.locator('.codelens-decoration a').first().waitFor();
		await tour.runCommand('workflow.runFile');
		await output.waitForText('Agent Runs', /■/);
	});
	await tour.runTourStep('inspector', async () => {
		await tour.runCommand('run.inspect');
		await (await findWidestPage(workbench, '.nodeRow')).locator('.nodeRow').last().click();
	});
	await workbench.runCommand('View: Toggle Panel Visibility');
	await workbench.closeEditors();
	for (const [file, type] of [
		['translate.yml', 'start'],
		['translate.yml', 'llm'],
		['support.yml', 'if-else'],
		['support.yml', 'code'],
	] as const) {
		await tour.runTourStep(`graph, ${type}`, async () => {
			await workbench.openFile(file);
			await tour.runCommand('graph.open');
			const frame = await findWidestPage(workbench, '.cardHead');
			await frame.locator(`.node[data-type="${type}"] .cardHead`).first().click();
			await frame.locator('form.nodeForm').waitFor();
		});
		await workbench.closeEditors();
	}
	await tour.runTourStep('node types', async () => {
		await workbench.openFile('translate.yml');
		await tour.runCommand('graph.open');
		const frame = await findWidestPage(workbench, '.cardHead');
		await frame.locator('.node[data-type="llm"] .cardHead').click();
		await page.keyboard.press('a');
		await frame.locator('.popupItem').first().waitFor();
	});
	await workbench.closeEditors();
	await tour.runTourStep('chat', async () => {
		await tour.runCommand('chat.openInEditor');
		const frame = await waitUntil('the chat in the editor', async () => {
			const found = await findWidestPage(workbench, 'chat-composer textarea');
			return (await found.evaluate(() => innerWidth)) > 500 ? found : undefined;
		});
		await frame.locator('chat-composer textarea').fill('Hello');
		await frame.locator('chat-composer textarea').press('Enter');
		await frame.locator('chat-turn .assistant').first().waitFor();
	});
	await tour.runTourStep('chat settings', async () => {
		const frame = await findWidestPage(workbench, 'chat-composer textarea');
		await frame.locator('header.top .codicon-gear, header.top .codicon-settings-gear').first().click();
		await frame.locator('.settings').first().waitFor();
	});
	await workbench.closeEditors();
	await tour.runTourStep('logs', async () => {
		await tour.runCommand('logs.open');
		await tour.acceptFirstOption('translate');
		await (await findWidestPage(workbench, '.logRow')).locator('.logRow').last().click();
	});
	await workbench.closeEditors();
	await tour.runTourStep('results', async () => {
		await workbench.openFile('summarize.suite.json');
		await tour.runCommand('suite.run');
		await tour.runCommand('suite.results');
		await tour.acceptFirstOption();
		await (await findWidestPage(workbench, '.resultRow')).locator('.resultRow').last().click();
	});
	await tour.runTourStep('review', async () => {
		await tour.runCommand('suite.review');
		await findWidestPage(workbench, '.statusLine');
	});
	await workbench.closeEditors();
	await tour.runTourStep('comparison question', async () => {
		fs.writeFileSync(path.join(workbench.folder, 'suites', 'compared.suite.json'), JSON.stringify(comparison, undefined, '\t'));
		await workbench.openFile('compared.suite.json');
		await tour.runCommand('suite.compareVariants');
		await page.locator('.monaco-dialog-box').waitFor();
	});
	await page.keyboard.press('Enter');
	await tour.runTourStep('comparison', async () => {
		await (await findWidestPage(workbench, '[id^="cell-"]')).locator('[id^="cell-"]').last().click();
	});
	await tour.runTourStep('trend', async () => {
		const frame = await findWidestPage(workbench, 'header .ranges label');
		await frame.locator('header .ranges label').nth(1).click();
		await findWidestPage(workbench, 'main .empty, main .chart');
	});
	await workbench.closeEditors();
	await tour.runTourStep('usage', async () => {
		await tour.runCommand('usage.open');
		await findWidestPage(workbench, '[role="grid"]');
	});
	await tour.runTourStep('request log', async () => {
		await tour.runCommand('requestLog.open');
		await (await findWidestPage(workbench, '.callRow')).locator('.callRow').last().click();
	});
	await workbench.closeEditors();
	await tour.runTourStep('form', async () => {
		await workbench.openFile('approve-notice.yml');
		await tour.runCommand('agent.runForm');
		await tour.acceptFirstOption();
		await findWidestPage(workbench, '.runBar');
	});
	await tour.runTourStep('walkthrough', async () => {
		await tour.runCommand('walkthrough.open');
		await page.locator('.gettingStartedContainer .step-title').first().waitFor();
	});
	for (const command of ['connection.add', 'run.compare', 'chat.tools', 'mcp.copyConfiguration']) {
		await tour.runTourStep(`question ${command}`, async () => {
			await tour.runCommand(command);
			await quickInput.widget.waitFor();
		});
		await page.keyboard.press('Escape');
	}
	await workbench.closeEditors();
	await tour.runTourStep('narrow', async () => {
		await workbench.showContainer('Agent Workbench');
		const box = (await sideBar.boundingBox())!;
		await page.mouse.move(box.x + box.width, 400);
		await page.mouse.down();
		await page.mouse.move(box.x + 200, 400, { steps: 5 });
		await page.mouse.up();
	});
	await workbench.openFile('translate.yml');
	for (const [name, command, selector] of [
		['inspector', 'run.inspect', '.nodeRow'],
		['logs', 'logs.open', '.logRow'],
		['results', 'suite.results', '.resultRow'],
		['usage', 'usage.open', '[role="grid"]'],
		['chat', 'chat.openInEditor', 'chat-composer textarea'],
	] as const) {
		await page.setViewportSize({ width: 950, height: 800 });
		await tour.runTourStep(`700 px, ${name}`, async () => {
			await tour.runCommand(command);
			await tour.acceptFirstOption(command === 'logs.open' ? 'translate' : '');
			await findWidestPage(workbench, selector);
		});
		await workbench.closeEditors();
	}
	await page.setViewportSize({ width: 1280, height: 800 });
	// last, because it covers the window
	await tour.runTourStep('settings', async () => {
		await workbench.runCommand('Preferences: Open Settings (UI)');
		await page.locator('.settings-editor .monaco-editor').first().waitFor();
		await page.keyboard.type('@ext:agent-workbench.agent-workbench');
		await page.locator('.setting-item-description').first().waitFor();
	});
}

/** Visits a window without a folder: welcome views and questions that need no folder. */
export async function visitEmptyWindow(tour: Tour): Promise<void> {
	const { workbench } = tour;
	await tour.runTourStep('no folder', async () => {
		await workbench.showContainer('Agent Workbench');
		await workbench.page.locator('.part.sidebar .welcome-view-content').first().waitFor();
	});
	await tour.runTourStep('no folder, run', async () => {
		await tour.runCommand('agent.create');
		await workbench.page.locator('.notification-toast, .quick-input-widget:visible').first().waitFor();
	});
}
