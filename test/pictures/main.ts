// Takes the pictures of README.md and docs/ from the real editor: `npm run pictures [NAME…]`, by default all. Look at the pictures before
// you commit them.
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { launchBrowser } from '../../scripts/lib/browser.ts';
import { root } from '../../scripts/lib/paths.ts';
import { startDifyDeployment } from '../support/services/dify/difyDeployment.ts';
import { createWorkflowFile } from '../support/services/dify/sampleApps.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { ChatPage } from '../ui/chat/chatPage.ts';
import { startFakeService, streamReply } from '../ui/chat/fakeService.ts';
import { openWorkbench, type SessionOptions } from '../ui/driver/session.ts';
import type { Workbench } from '../ui/driver/workbench.ts';
import { inspectLatestRun, runFileToEnd } from '../ui/workflows/inspectorFrame.ts';
import { Film } from './film.ts';
import { WebpEncoder } from './webp.ts';

/** Largest animation, in bytes. */
const mostBytes = 2_000_000;

const browser = await launchBrowser();
const encoder = await WebpEncoder.open(browser);

/** Takes one picture in a separate window. */
const pictures: Readonly<Record<string, () => Promise<Buffer>>> = {
	// a graph below its text is wide enough to read
	run: () =>
		runInWindow({ settings: { 'workbench.editor.openSideBySideDirection': 'down', 'agentWorkbench.runs.reveal': 'never' } }, recordRunFilm),
	'first-run': () =>
		runInWindow({}, async workbench => {
			await showAgents(workbench);
			await runFileToEnd(workbench, 'annual-report.run.json', 'summarize');
			await hideNotifications(workbench);
			return takePicture(workbench);
		}),
	graph: () =>
		runInWindow({}, async workbench => {
			const frame = await openGraph(workbench, 'support.yml');
			await frame.getByRole('button', { name: 'Show the whole graph' }).click();
			await frame.locator('.node[data-node="is_urgent"] .cardHead').click();
			await frame.locator('form.nodeForm').waitFor();
			for (let step = 0; step < 3; step++) {
				await frame.getByRole('button', { name: 'Zoom in' }).click();
			}
			return takePicture(workbench);
		}),
	inspector: () =>
		runInWindow({}, async workbench => {
			await showAgents(workbench);
			await runFileToEnd(workbench, 'support-question.run.json', 'support');
			const frame = await inspectLatestRun(workbench, 'support');
			await hideNotifications(workbench);
			await workbench.runCommand('View: Toggle Panel Visibility');
			await frame.locator('.nodeRow').filter({ hasText: 'Answer the question' }).first().click();
			return takePicture(workbench);
		}),
	debugging: () => runInWindow({}, takeDebuggingPicture),
	'suite-results': () =>
		runInWindow({}, async workbench => {
			const inputs = { text: 'The pier is open. Boats leave at nine.', sentences: 1 };
			const cases = [
				{ name: 'finishes', inputs, expect: [{ status: 'succeeded' }] },
				{ name: 'keeps one sentence', inputs, expect: [{ output: 'summary', contains: 'The pier is open.' }] },
				{ name: 'counts the words', inputs, expect: [{ status: 'succeeded' }, { output: 'words', equals: 9 }] },
			];
			fs.writeFileSync(
				path.join(workbench.folder, 'suites/harbour.suite.json'),
				JSON.stringify({ model: 'summarize', cases }, undefined, '\t'),
			);
			await workbench.openFile('harbour.suite.json');
			await workbench.showContainer('Testing');
			await workbench.runCommand('Agent Workbench: Run Suite');
			await workbench.runCommand('Agent Workbench: Open Suite Results');
			const frame = await workbench.findWebview('Results of harbour');
			await frame.getByText('2 passed, 1 failed').waitFor();
			await frame.locator('.resultRow').filter({ hasText: 'counts the words' }).click();
			await frame.getByRole('button', { name: 'Show difference' }).waitFor();
			await hideNotifications(workbench);
			return takePicture(workbench);
		}),
	'dify-round-trip': takeDifyPicture,
	chat: takeChatPicture,
};

async function runInWindow<T>(options: SessionOptions, take: (workbench: Workbench) => Promise<T>): Promise<T> {
	const session = await openWorkbench(options);
	try {
		return await take(session.workbench);
	} finally {
		await session.close();
	}
}

async function takePicture({ page }: Workbench): Promise<Buffer> {
	await page.mouse.move(640, 795);
	// tooltips need time to disappear, and a new page needs time for its icons and colors
	await page.waitForTimeout(1500);
	return encoder.encodePng(await page.screenshot({ animations: 'disabled', caret: 'hide' }));
}

async function hideNotifications(workbench: Workbench): Promise<void> {
	await workbench.runCommand('Notifications: Clear All Notifications');
}

/** Shows the agents of the built-in gateway in the side bar. */
async function showAgents(workbench: Workbench): Promise<void> {
	await workbench.showContainer('Agent Workbench');
	await workbench.getTree('Agents').expandRows('Built-in gateway');
	await workbench.getTree('Agents').getRow('summarize').waitFor();
}

/** Opens the graph of an agent without its text. */
async function openGraph(workbench: Workbench, file: string): Promise<Frame> {
	await workbench.openFile(file);
	await workbench.runCommand('Agent Workbench: Open Agent Graph');
	const title = `Graph of ${file}`;
	await (await workbench.findWebview(title)).locator('.cardHead').first().waitFor();
	await workbench.page.locator('.editor-group-container').first().locator('.tab').first().click();
	await workbench.runCommand('View: Close Editor');
	await workbench.showSideBar(false);
	return workbench.findWebview(title);
}

/** Opens a run file, runs it next to the graph of its agent, and inspects the run. */
async function recordRunFilm(workbench: Workbench): Promise<Buffer> {
	const { page } = workbench;
	const agent = path.join(workbench.folder, 'agents/summarize.yml');
	// slow the agent down, because its programs would finish before the first screenshot
	const slow = fs
		.readFileSync(agent, 'utf8')
		.replaceAll(/^( +)function main\(.*\{$/gm, '$&\n$1  for (const end = Date.now() + 1200; Date.now() < end; );');
	fs.writeFileSync(agent, slow);
	await workbench.openFile('summarize.yml');
	await workbench.showSideBar(false);
	await workbench.runCommand('Agent Workbench: Open Agent Graph');
	const graph = await workbench.findWebview('Graph of summarize.yml');
	await graph.locator('.cardHead').first().waitFor();
	await page.locator('.editor-group-container').first().locator('.tab').first().click();
	await workbench.openFile('annual-report.run.json');
	await workbench.getCodeLens('Run').first().waitFor();
	await graph.getByRole('button', { name: 'Show the whole graph' }).click();
	const film = new Film(page);
	await film.takeScreenshot(1200);
	// the active editor group is that of the graph, so code lenses are searched in the first group
	const findCodeLens = (text: string) =>
		page.locator('.editor-group-container').first().locator('.codelens-decoration a').filter({ hasText: text }).first();
	await film.clickElement(findCodeLens('Run'));
	await film.takeScreenshotsUntil(findCodeLens('Last run: succeeded').waitFor(), 150);
	await film.takeScreenshot(1500);
	await film.clickElement(findCodeLens('Last run'));
	const opened = page.locator('.tab.active').filter({ hasText: /^summarize · \w{8}/ });
	await film.takeScreenshotsUntil(
		opened.waitFor().then(async () => {
			const frame = await workbench.findWebview(/^summarize · \w{8}/);
			await frame.locator('.nodeRow').last().waitFor();
			await page.waitForTimeout(1000);
		}),
		150,
	);
	await film.takeScreenshot(4000);
	const webp = await encoder.encodeAnimation(film.shots);
	if (webp.length > mostBytes) {
		throw new Error(`The animation has ${webp.length} bytes, more than ${mostBytes}`);
	}
	return webp;
}

/** Pauses the support agent at a breakpoint, with a watched value. */
async function takeDebuggingPicture(workbench: Workbench): Promise<Buffer> {
	const { page, quickInput } = workbench;
	const lines = fs.readFileSync(path.join(workbench.folder, 'agents/support.yml'), 'utf8').split('\n');
	const goToText = async (text: string, column: number) => {
		await page.keyboard.press('Control+g');
		await quickInput.box.fill(`:${lines.findIndex(line => line.includes(text)) + 1}:${column}`);
		await page.keyboard.press('Enter');
		await quickInput.widget.waitFor({ state: 'hidden' });
	};
	const getStackFrame = (title: string) => page.locator('.debug-call-stack .stack-frame').filter({ hasText: title }).first();
	await workbench.openFile('support.yml');
	await workbench.getCodeLens('Debug').waitFor();
	await goToText('title: The reply', 1);
	await page.keyboard.press('F9');
	await page.locator('.editor-group-container.active .codicon-debug-breakpoint').waitFor();
	await workbench.openFile('support-fault.run.json');
	await workbench.getCodeLens('Debug').waitFor();
	await page.keyboard.press('F5');
	await getStackFrame('The reply').waitFor({ timeout: 90_000 });
	await page.locator('.editor-group-container.active .debug-top-stack-frame-line').waitFor();
	await page.keyboard.press('F10');
	await getStackFrame('Fill in the card').waitFor();
	await page.locator('.editor-group-container.active .debug-top-stack-frame-line').waitFor();
	await goToText('{ variable: urgent, value_selector: [facts, urgent] }', 60);
	await workbench.runCommand('Debug: Add to Watch');
	await page.locator('.debug-watch .expression').filter({ hasText: 'facts.urgent' }).waitFor();
	await hideNotifications(workbench);
	return takePicture(workbench);
}

/** Pulls an app of a Dify server, changes it and compares it. */
async function takeDifyPicture(): Promise<Buffer> {
	const dify = await startDifyDeployment({ release: '1.18.0', deviceInterval: 0, plugins: ['langgenius/openai'] });
	try {
		dify.addApp(createWorkflowFile({ name: 'Greeter' }));
		dify.addApp(createWorkflowFile({ name: 'Weekly summary' }));
		dify.addApp(createWorkflowFile({ name: 'Support desk' }));
		const team = { id: 'team', name: 'Team', kind: 'dify', baseUrl: `${dify.origin}/v1` };
		return await runInWindow({ settings: { 'agentWorkbench.connections': [team] } }, async workbench => {
			const { page, quickInput } = workbench;
			const agents = workbench.getTree('Agents');
			await workbench.showContainer('Agent Workbench');
			await agents.expandRows('Team');
			await agents.chooseInContextMenu('Team', 'Sign In…');
			await quickInput.pickOption('Browser');
			const [login] = await waitUntil('a login that waits', () => (dify.sessions.logins.length > 0 ? dify.sessions.logins : undefined));
			const dialog = workbench.getDialog(login!.userCode);
			await dialog.getByRole('button', { name: 'Copy code', exact: true }).click();
			dify.sessions.approveLogin(login!);
			await agents.getRow('Weekly summary').waitFor();
			// the built-in gateway also lists the app's file
			await agents.collapseRow('Built-in gateway');
			await agents.chooseInContextMenu('Greeter', 'Pull App…');
			await quickInput.widget.getByText('Name of the agent').waitFor();
			await quickInput.enterText('Greeter');
			await page.locator('.editor-group-container.active .monaco-editor[data-uri$="/Greeter.yml"]').waitFor();
			const file = path.join(workbench.folder, 'agents/Greeter.yml');
			fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('temperature: 1.0', 'temperature: 0.3'));
			await waitUntil('the difference', async () =>
				(await agents.readRows()).some(({ label, description }) => label === 'Greeter' && /differs/.test(description ?? '')),
			);
			await agents.collapseRow('Built-in gateway');
			await agents.chooseInContextMenu('Greeter', 'Compare with Dify');
			await page.locator('.monaco-diff-editor').waitFor();
			await hideNotifications(workbench);
			return takePicture(workbench);
		});
	} finally {
		await dify.stop();
	}
}

const code = [
	'def total(items):',
	'    sum = 0',
	'    for item in items:',
	'        sum = sum + item["price"] * item["count"]',
	'    return sum',
	'',
].join('\n');
const reply = [
	'`total` adds the prices in a loop. A generator says the same in one line, and `round` returns cents:',
	'```python\ndef total(items):\n    prices = (item["price"] * item["count"] for item in items)\n    return round(sum(prices), 2)\n```',
	'The name `sum` is free again, because no variable hides the function.',
].join('\n\n');

/** Asks a model about a file next to it. */
async function takeChatPicture(): Promise<Buffer> {
	const service = await startFakeService({ model: 'qwen3-coder' });
	service.setHandler(request => streamReply(request, reply));
	try {
		const local = { id: 'local', name: 'Local models', kind: 'anthropic-compatible', baseUrl: service.url };
		return await runInWindow({ settings: { 'agentWorkbench.connections': [local] } }, async workbench => {
			fs.writeFileSync(path.join(workbench.folder, 'total.py'), code);
			await workbench.openFile('total.py');
			const { page } = workbench;
			const chat = await ChatPage.openChatInSideBar(workbench);
			await page.locator('.pane-header', { hasText: 'Agents' }).click();
			await page.locator('.pane-header[aria-expanded="false"]', { hasText: 'Agents' }).waitFor();
			const side = (await page.locator('.part.sidebar').boundingBox())!;
			await page.mouse.move(side.x + side.width, 400);
			await page.mouse.down();
			await page.mouse.move(640, 400, { steps: 5 });
			await page.mouse.up();
			await chat.selectTarget(workbench, 'Local models', 'qwen3-coder');
			await chat.sendMessage('How can I make total() shorter? It should round to cents.');
			await chat.getReply('is free again').waitFor();
			return takePicture(workbench);
		});
	} finally {
		await service.close();
	}
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(pictures);
try {
	for (const name of names) {
		const take = pictures[name];
		if (!take) {
			throw new Error(`There is no picture '${name}'. Expected one of ${Object.keys(pictures).join(', ')}.`);
		}
		const file = path.join(root, 'docs', `${name}.webp`);
		fs.writeFileSync(file, await take());
		console.log(`${path.relative(root, file)}: ${fs.statSync(file).size} bytes`);
	}
} finally {
	await browser.close();
}
