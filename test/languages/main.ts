// Opens the sample workspace in each language, visits the tree, menus and pages, and saves screenshots to
// .vscode-test/out/languages/LANGUAGE. Prints texts that are still English and texts that don't fit. Usage, after `npm run build`: `node
// test/languages/main.ts [LANGUAGE…]`, by default zh-cn, ja and the pseudo-language qps-ploc. A person has to look at the pictures, because
// no program notices an ugly line break.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type { Frame } from 'playwright-core';
import { outFolder, root } from '../../scripts/lib/paths.ts';
import { waitUntil } from '../support/waitUntil.ts';
import { openWorkbench } from '../ui/driver/session.ts';
import type { Workbench } from '../ui/driver/workbench.ts';
import { type Finding, findTextProblems } from './findings.ts';

const folder = path.join(outFolder, 'languages');

class Tour {
	readonly findings: Finding[] = [];
	readonly #workbench: Workbench;
	readonly #language: string;
	readonly #strings: Readonly<Record<string, string>>;
	#pictures = 0;

	constructor(workbench: Workbench, language: string) {
		this.#workbench = workbench;
		this.#language = language;
		const readJsonFile = (file: string) =>
			fs.existsSync(path.join(root, file)) ? JSON.parse(fs.readFileSync(path.join(root, file), 'utf8')) : {};
		this.#strings = { ...readJsonFile('package.nls.json'), ...readJsonFile(`package.nls.${language}.json`) };
	}

	/** Runs a step; a failure is reported, and the tour continues. */
	async runTourStep(name: string, act: () => Promise<void>): Promise<void> {
		try {
			await act();
		} catch (error) {
			console.error(`${this.#language}, ${name}: ${String(error).slice(0, 300)}`);
		}
		const { page } = this.#workbench;
		// a page that was just opened is blank for a moment
		await page.waitForTimeout(500);
		await this.#takePicture(name);
		this.findings.push(...(await findTextProblems(`${name}, side bar`, page.locator('.part.sidebar'))));
		for (const frame of await findVisiblePages(this.#workbench)) {
			this.findings.push(...(await findTextProblems(name, frame)));
		}
		for (const place of [
			'.context-view .monaco-menu',
			'.quick-input-widget:visible',
			'.notification-toast',
			'.gettingStartedDetailsContent',
			'.setting-item-description',
		]) {
			if (await page.locator(place).first().isVisible()) {
				this.findings.push(...(await findTextProblems(`${name}, ${place}`, page.locator(place).first())));
			}
		}
	}

	/** Runs a command of the extension by its ID. */
	async runCommand(command: string): Promise<void> {
		const { commands } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).contributes;
		const { title, category } = commands.find((each: { command: string }) => each.command === `agentWorkbench.${command}`);
		await this.#workbench.runCommand([category, title].map(text => this.#translateText(text)).join(': '));
	}

	/** Accepts the first option that contains a text, if the command opened a quick pick. */
	async acceptFirstOption(text = ''): Promise<void> {
		const { quickInput, page } = this.#workbench;
		const isAsked = await quickInput
			.getOption('')
			.first()
			.waitFor({ timeout: 3000 })
			.then(
				() => true,
				() => false,
			);
		if (isAsked) {
			await quickInput.box.fill(text);
			await quickInput.getOption(text).first().waitFor();
			await page.keyboard.press('Enter');
		}
	}

	#translateText(text: string): string {
		return text.replace(/^%(.+)%$/, (_all, key: string) => this.#strings[key] ?? key);
	}

	async #takePicture(name: string): Promise<void> {
		this.#pictures++;
		const file = `${String(this.#pictures).padStart(2, '0')}-${name.replace(/\W+/g, '-')}.png`;
		await this.#workbench.page.screenshot({ path: path.join(folder, this.#language, file), animations: 'disabled' });
	}
}

/** Returns the documents inside visible webviews. */
async function findVisiblePages({ page }: Workbench): Promise<Frame[]> {
	const frames: Frame[] = [];
	for (const frame of page.frames()) {
		const element = frame.parentFrame()?.parentFrame() === page.mainFrame() ? await frame.frameElement().catch(() => undefined) : undefined;
		if (element && (await element.getAttribute('id')) === 'active-frame' && (await element.isVisible())) {
			frames.push(frame);
		}
	}
	return frames;
}

async function visitWindow(tour: Tour, workbench: Workbench): Promise<void> {
	const { page, quickInput, output } = workbench;
	const sideBar = page.locator('.part.sidebar');
	const rows = sideBar.locator('[role="tree"]').first().locator('.monaco-list-row');
	const agent = rows.filter({ hasText: 'translate' }).first();
	/** Returns the widest page that shows such an element. */
	const findWidestPage = (selector: string) =>
		waitUntil(`a page with ${selector}`, async () => {
			const pages = await Promise.all(
				(await findVisiblePages(workbench)).map(async frame => {
					const isShown = await frame.locator(selector).first().isVisible();
					return { frame, width: isShown ? await frame.evaluate(() => innerWidth) : 0 };
				}),
			);
			const widest = pages.toSorted((a, b) => b.width - a.width)[0];
			return widest?.width ? widest.frame : undefined;
		});
	await tour.runTourStep('tree', async () => {
		await workbench.showContainer('Agent Workbench');
		await rows.first().locator('.monaco-tl-twistie').click();
		await agent.waitFor({ timeout: 60_000 });
		await agent.locator('.monaco-tl-twistie').click();
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
		await (await findWidestPage('.nodeRow')).locator('.nodeRow').last().click();
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
			const frame = await findWidestPage('.cardHead');
			await frame.locator(`.node[data-type="${type}"] .cardHead`).first().click();
			await frame.locator('form').first().waitFor();
		});
		await workbench.closeEditors();
	}
	await tour.runTourStep('node types', async () => {
		await workbench.openFile('translate.yml');
		await tour.runCommand('graph.open');
		const frame = await findWidestPage('.cardHead');
		await frame.locator('.node[data-type="llm"] .cardHead').click();
		await page.keyboard.press('a');
		await frame.locator('.popupItem').first().waitFor();
	});
	await workbench.closeEditors();
	await tour.runTourStep('chat', async () => {
		await tour.runCommand('chat.openInEditor');
		const frame = await waitUntil('the chat in the editor', async () => {
			const found = await findWidestPage('chat-composer textarea');
			return (await found.evaluate(() => innerWidth)) > 500 ? found : undefined;
		});
		await frame.locator('chat-composer textarea').fill('Hello');
		await frame.locator('chat-composer textarea').press('Enter');
		await frame.locator('chat-turn .assistant').first().waitFor();
	});
	await tour.runTourStep('chat settings', async () => {
		const frame = await findWidestPage('chat-composer textarea');
		await frame.locator('header.top .codicon-gear, header.top .codicon-settings-gear').first().click();
		await frame.locator('.settings').first().waitFor();
	});
	await workbench.closeEditors();
	await tour.runTourStep('logs', async () => {
		await tour.runCommand('logs.open');
		await tour.acceptFirstOption('translate');
		await (await findWidestPage('.logRow')).locator('.logRow').last().click();
	});
	await workbench.closeEditors();
	await tour.runTourStep('results', async () => {
		await workbench.openFile('summarize.suite.json');
		await tour.runCommand('suite.run');
		await tour.runCommand('suite.results');
		await tour.acceptFirstOption();
		await (await findWidestPage('.resultRow')).locator('.resultRow').last().click();
	});
	await workbench.closeEditors();
	await tour.runTourStep('usage', async () => {
		await tour.runCommand('usage.open');
		await findWidestPage('table');
	});
	await tour.runTourStep('request log', async () => {
		await tour.runCommand('requestLog.open');
		await (await findWidestPage('.callRow')).locator('.callRow').last().click();
	});
	await workbench.closeEditors();
	await tour.runTourStep('form', async () => {
		await workbench.openFile('approve-notice.yml');
		await tour.runCommand('agent.runForm');
		await tour.acceptFirstOption();
		await findWidestPage('form');
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
	// last, because it covers the window
	await tour.runTourStep('settings', async () => {
		await workbench.runCommand('Preferences: Open Settings (UI)');
		await page.locator('.settings-editor .monaco-editor').first().waitFor();
		await page.keyboard.type('@ext:agent-workbench.agent-workbench');
		await page.locator('.setting-item-description').first().waitFor();
	});
}

const languages = process.argv.length > 2 ? process.argv.slice(2) : ['zh-cn', 'ja', 'qps-ploc'];
for (const language of languages) {
	if (language === 'qps-ploc') {
		execFileSync(process.execPath, ['scripts/l10n.ts', '--pseudo'], { cwd: root });
	}
	fs.rmSync(path.join(folder, language), { recursive: true, force: true });
	fs.mkdirSync(path.join(folder, language), { recursive: true });
	const session = await openWorkbench({ language });
	const tour = new Tour(session.workbench, language);
	try {
		session.workbench.page.setDefaultTimeout(30_000);
		await visitWindow(tour, session.workbench);
	} finally {
		await session.close();
	}
	const lines = new Map(
		tour.findings.map(({ where, what, text, element }) => [`${what} ${text} ${element}`, `${what}: ${text}  (${where}; ${element})`]),
	);
	fs.writeFileSync(path.join(folder, language, 'findings.txt'), `${[...lines.values()].toSorted().join('\n')}\n`);
	console.log(`${language}: ${lines.size} findings and pictures in ${path.relative(root, path.join(folder, language))}`);
}
