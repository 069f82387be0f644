import fs from 'node:fs';
import path from 'node:path';
import { findWidestPage, type Tour } from './tour.ts';

/** An agent file with problems of several kinds. */
const brokenAgent = `app: { mode: workflow, name: broken }
workflow:
  graph:
    nodes:
      - { id: start, data: { type: start, title: Start, variables: [{ variable: text, type: paragraph }] } }
      - { id: ask, data: { type: llm, title: Ask, model: { name: offline }, prompt_template: [{ role: user, text: "{{#start.txt#}}" }] } }
      - { id: fly, data: { type: flying, title: Fly } }
      - { id: pick, data: { type: if-else, title: Pick, cases: [] } }
    edges:
      - { source: start, target: ask }
      - { source: ask, target: nowhere }
`;
const brokenRun = '{ "model": "nobody", "inputs": [], "response_mode": "slow", "mocks": { "a": 1 } }\n';
const brokenSuite =
	'{ "model": "support", "cases": [{ "inputs": { "no": 1 }, "expect": [{ "output": "x", "matches": "(" }, { "kind": "y" }] }] }\n';

/** Visits questions, dialogs, failures, problems and the debugger in the sample workspace. */
export async function visitFailures(tour: Tour): Promise<void> {
	const { workbench } = tour;
	const { page, quickInput, output } = workbench;
	const tree = page.locator('.part.sidebar [role="tree"]').first();
	const rows = tree.locator('.monaco-list-row');
	const notification = page.locator('.notification-toast').first();
	const dialog = page.locator('.monaco-dialog-box');
	const findLine = (file: string, text: string) =>
		fs
			.readFileSync(path.join(workbench.folder, file), 'utf8')
			.split('\n')
			.findIndex(line => line.includes(text)) + 1;
	const goToLine = async (line: number, column: number) => {
		await page.keyboard.press('Control+g');
		await quickInput.enterText(`:${line}:${column}`);
		await quickInput.widget.waitFor({ state: 'hidden' });
	};
	const closeMessages = async () => {
		if (await dialog.isVisible()) {
			await page.keyboard.press('Escape');
			await dialog.waitFor({ state: 'hidden' });
		}
		await page.keyboard.press('Escape');
		await workbench.runCommand('Notifications: Clear All Notifications');
	};
	await tour.runTourStep('tree, unreachable', async () => {
		await workbench.showContainer('Agent Workbench');
		await tour.expandRow(rows.filter({ hasText: 'Faraway' }));
		await tour.expandRow(rows.first());
		await rows.filter({ hasText: 'support' }).first().waitFor({ timeout: 60_000 });
	});
	await tour.runTourStep('tree, hover', async () => {
		await rows.filter({ hasText: 'support' }).first().hover();
		await page.locator('.monaco-hover').filter({ hasNotText: 'Loading' }).first().waitFor();
	});
	await tour.runTourStep('tree, connection menu', async () => {
		await rows.first().click({ button: 'right' });
		await page.locator('.monaco-menu').first().waitFor();
	});
	await page.keyboard.press('Escape');
	await tour.runTourStep('connection test', async () => {
		await tour.runCommand('connection.test');
		await tour.acceptFirstOption('Faraway');
		await notification.waitFor();
	});
	await closeMessages();
	await tour.runTourStep('run, failed', async () => {
		await workbench.openFile('fails-on-purpose.run.json');
		await page.locator('.codelens-decoration a').first().waitFor();
		await tour.runCommand('workflow.runFile');
		await output.waitForText('Agent Runs', /■/);
		await notification.waitFor();
	});
	await tour.runTourStep('inspector, failed', async () => {
		await tour.runCommand('run.inspect');
		const frame = await findWidestPage(workbench, '.nodeRow');
		await frame.locator('.nodeRow').last().click();
	});
	await closeMessages();
	await workbench.closeEditors();
	await tour.runTourStep('run, waiting', async () => {
		await workbench.openFile('approve-notice.run.json');
		await page.locator('.codelens-decoration a').first().waitFor();
		await tour.runCommand('workflow.runFile');
		await notification.waitFor();
	});
	await tour.runTourStep('inspector, waiting', async () => {
		await tour.runCommand('run.inspect');
		await tour.acceptFirstOption('approve-notice');
		await findWidestPage(workbench, 'form');
	});
	await tour.runTourStep('run, stopped', async () => {
		await tour.runCommand('run.stop');
		await tour.acceptFirstOption('approve-notice');
	});
	await closeMessages();
	await workbench.runCommand('View: Toggle Panel Visibility');
	await workbench.closeEditors();
	await tour.runTourStep('results, failed', async () => {
		await workbench.openFile('fails-on-purpose.suite.json');
		await tour.runCommand('suite.run');
		await tour.runCommand('suite.results');
		await tour.acceptFirstOption();
		await (await findWidestPage(workbench, '.resultRow:nth-child(2)')).locator('.resultRow').last().click();
	});
	await tour.runTourStep('test explorer', async () => {
		await workbench.showContainer('Testing');
		await page.locator('.test-explorer .monaco-list-row').nth(2).waitFor();
		await page.locator('.test-explorer .monaco-list-row').filter({ hasText: 'fails-on-purpose' }).first().click({ button: 'right' });
	});
	await page.keyboard.press('Escape');
	await workbench.closeEditors();
	await workbench.showContainer('Agent Workbench');
	await tour.runTourStep('chat, failed', async () => {
		await tour.runCommand('chat.openInEditor');
		await findWidestPage(workbench, 'chat-composer textarea');
		await rows.filter({ hasText: 'fails-on-purpose' }).first().click({ button: 'right' });
		await page.getByRole('menuitem', { name: tour.getCommandTitle('chat.withAgent') }).click();
		const frame = await findWidestPage(workbench, 'chat-composer textarea');
		await frame.locator('chat-composer textarea').fill('about 1.4');
		await frame.locator('chat-composer textarea').press('Enter');
		await frame.locator('chat-turn vscode-button').first().waitFor();
	});
	await closeMessages();
	await workbench.closeEditors();
	for (const [name, command, option] of [
		['agent', 'agent.create', ''],
		['default connection', 'connection.selectDefault', ''],
		['use connection', 'connection.useIn', ''],
		['chats', 'chat.list', ''],
		['models for chat', 'assistant.chooseModels', ''],
		['key', 'gateway.setUpstreamKey', ''],
		['knowledge', 'knowledge.reindex', ''],
		['samples', 'samples.open', ''],
		['add Anthropic', 'connection.add', 'Anthropic'],
		['add Dify', 'connection.add', 'Dify'],
		['remove connection', 'connection.remove', 'Faraway'],
		['set key', 'connection.setKey', 'Faraway'],
		['add agents', 'connection.addAgents', 'Faraway'],
		['clear history', 'run.clearHistory', ''],
		['clear cache', 'modelCache.clear', ''],
		['delete chat', 'chat.delete', ''],
		['export chat', 'chat.export', ''],
		['pull', 'difyApp.pull', ''],
		['form', 'run.answer', ''],
		['new suite', 'suite.newFromRun', ''],
	] as const) {
		await tour.runTourStep(`question, ${name}`, async () => {
			await tour.runCommand(command);
			if (option) {
				await tour.acceptFirstOption(option);
			}
			await page.locator('.quick-input-widget:visible, .monaco-dialog-box, .notification-toast').first().waitFor({ timeout: 5000 });
		});
		await closeMessages();
	}
	await workbench.openFile('support.yml');
	for (const [name, command] of [
		['run node', 'node.run'],
		['secrets', 'agentFile.setSecrets'],
		['debug case', 'suite.debug'],
		['connection of the file', 'runFile.chooseConnection'],
	] as const) {
		await tour.runTourStep(`file question, ${name}`, async () => {
			await workbench.openFile(
				name.includes('file') ? 'support-question.run.json' : name.includes('case') ? 'support.suite.json' : 'support.yml',
			);
			await goToLine(findLine('agents/support.yml', 'id: is_urgent'), 9);
			await tour.runCommand(command);
			await page.locator('.quick-input-widget:visible, .monaco-dialog-box, .notification-toast').first().waitFor({ timeout: 5000 });
		});
		await closeMessages();
	}
	await tour.runTourStep('hover of a field', async () => {
		await workbench.openFile('support.yml');
		await goToLine(findLine('agents/support.yml', 'reasoning_mode'), 12);
		await workbench.runCommand('Show or Focus Hover');
		await page.locator('.monaco-hover:visible').first().waitFor();
	});
	await tour.runTourStep('completion', async () => {
		await page.keyboard.press('Escape');
		await page.keyboard.press('Control+End');
		await goToLine(findLine('agents/support.yml', 'reasoning_mode'), 1);
		await page.keyboard.press('End');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Control+Space');
		await page.locator('.suggest-widget.visible .monaco-list-row').first().waitFor();
		await page.keyboard.press('Control+Space');
	});
	await page.keyboard.press('Escape');
	await workbench.closeEditors();
	await tour.runTourStep('node search', async () => {
		await workbench.openFile('support.yml');
		await tour.runCommand('graph.open');
		const frame = await findWidestPage(workbench, '.cardHead');
		const title = await frame.locator('.node[data-type="template-transform"] .cardHead').first().innerText();
		await frame.locator('.toolbar input').fill(title.split('\n').at(-1) ?? '');
		await frame.locator('.node.found').first().waitFor();
	});
	await workbench.closeEditors();
	await tour.runTourStep('problems', async () => {
		for (const [file, text] of [
			['agents/broken.yml', brokenAgent],
			['runs/broken.run.json', brokenRun],
			['suites/broken.suite.json', brokenSuite],
		] as const) {
			fs.writeFileSync(path.join(workbench.folder, file), text);
			await workbench.openFile(path.basename(file));
		}
		await workbench.runCommand('Problems: Focus on Problems View');
		await page.locator('.markers-panel .monaco-list-row').nth(5).waitFor();
	});
	await tour.runTourStep('run, broken', async () => {
		await workbench.openFile('broken.yml');
		await tour.runCommand('agentFile.runDraft');
		await quickInput.enterText('Hello');
		await dialog.waitFor();
	});
	await closeMessages();
	await workbench.runCommand('View: Toggle Panel Visibility');
	await workbench.closeEditors();
	await tour.runTourStep('debugger', async () => {
		await workbench.openFile('support.yml');
		await goToLine(findLine('agents/support.yml', 'title: The reply'), 1);
		await page.keyboard.press('F9');
		await workbench.openFile('support-fault.run.json');
		await page.locator('.codelens-decoration a').first().waitFor();
		await page.keyboard.press('F5');
		await page.locator('.debug-call-stack .stack-frame').first().waitFor();
		await page.locator('.debug-variables .monaco-list-row').nth(2).waitFor();
	});
	await tour.runTourStep('debugger, graph', async () => {
		await workbench.openFile('support.yml');
		await tour.runCommand('graph.open');
		await (await findWidestPage(workbench, '.cardHead')).locator('.node.pausedHere').first().waitFor();
	});
}
