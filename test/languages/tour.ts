import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator } from 'playwright-core';
import { outFolder, root } from '../../scripts/lib/paths.ts';
import { waitUntil } from '../support/waitUntil.ts';
import type { Workbench } from '../ui/driver/workbench.ts';
import { type Finding, findTextProblems } from './findings.ts';

/** Folder of the pictures of all languages. */
export const picturesFolder = path.join(outFolder, 'languages');

/** Visits screens in one language, takes pictures and collects problems of their texts. */
export class Tour {
	readonly findings: Finding[] = [];
	readonly workbench: Workbench;
	readonly #language: string;
	readonly #strings: Readonly<Record<string, string>>;
	readonly #part: number;
	#pictures = 0;

	constructor(workbench: Workbench, language: string, part: number) {
		this.#part = part;
		this.workbench = workbench;
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
		const { page } = this.workbench;
		// a page that was just opened is blank for a moment
		await page.waitForTimeout(500);
		await this.#takePicture(name);
		this.findings.push(...(await findTextProblems(`${name}, side bar`, page.locator('.part.sidebar'))));
		for (const frame of await findVisiblePages(this.workbench)) {
			this.findings.push(...(await findTextProblems(name, frame)));
		}
		for (const place of [
			'.context-view .monaco-menu',
			'.quick-input-widget:visible',
			'.notification-toast',
			'.gettingStartedDetailsContent',
			'.setting-item-description',
			'.monaco-dialog-box',
			'.debug-viewlet',
			'.monaco-hover .hover-contents',
			'.part.panel .markers-panel',
			'.suggest-widget.visible',
			'.test-explorer',
		]) {
			if (await page.locator(place).first().isVisible()) {
				this.findings.push(...(await findTextProblems(`${name}, ${place}`, page.locator(place).first())));
			}
		}
	}

	/** Runs a command of the extension by its ID. */
	async runCommand(command: string): Promise<void> {
		const { category } = this.#findCommand(command);
		await this.workbench.runCommand(`${this.#translateText(category)}: ${this.getCommandTitle(command)}`);
	}

	getCommandTitle(command: string): string {
		return this.#translateText(this.#findCommand(command).title);
	}

	/** Expands a row of a tree unless it is expanded. */
	async expandRow(row: Locator): Promise<void> {
		await row.waitFor();
		if ((await row.getAttribute('aria-expanded')) === 'false') {
			await row.locator('.monaco-tl-twistie').click();
		}
	}

	/** Accepts the first option that contains a text, if the command opened a quick pick. */
	async acceptFirstOption(text = ''): Promise<void> {
		const { quickInput, page } = this.workbench;
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

	#findCommand(command: string): { title: string; category: string } {
		const { commands } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')).contributes;
		return commands.find((each: { command: string }) => each.command === `agentWorkbench.${command}`);
	}

	#translateText(text: string): string {
		return text.replace(/^%(.+)%$/, (_all, key: string) => this.#strings[key] ?? key);
	}

	async #takePicture(name: string): Promise<void> {
		this.#pictures++;
		const file = `${this.#part}-${String(this.#pictures).padStart(2, '0')}-${name.replace(/\W+/g, '-')}.png`;
		await this.workbench.page.screenshot({ path: path.join(picturesFolder, this.#language, file), animations: 'disabled' });
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

/** Returns the widest visible page that shows such an element. */
export function findWidestPage(workbench: Workbench, selector: string): Promise<Frame> {
	return waitUntil(`a page with ${selector}`, async () => {
		const pages = await Promise.all(
			(await findVisiblePages(workbench)).map(async frame => {
				const isShown = await frame.locator(selector).first().isVisible();
				return { frame, width: isShown ? await frame.evaluate(() => innerWidth) : 0 };
			}),
		);
		const widest = pages.toSorted((a, b) => b.width - a.width)[0];
		return widest?.width ? widest.frame : undefined;
	});
}
