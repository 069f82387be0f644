import fs from 'node:fs';
import path from 'node:path';
import type { Frame, Locator, Page } from 'playwright-core';
import { outFolder } from '../../../scripts/lib/paths.ts';
import type { Server } from '../../../scripts/lib/server.ts';
import { getRepeatDelay, waitUntil } from '../../support/waitUntil.ts';
import { waitBriefly } from './eventually.ts';
import { Output } from './output.ts';
import { Problems } from './problems.ts';
import { QuickInput } from './quickInput.ts';
import { type Theme, themes, useTheme } from './themes.ts';
import { Tree } from './tree.ts';
import { findWebviewFrame } from './webviews.ts';

/**
 * A window of a real VS Code, with the few actions that tests share. Tests wait for a state, never for a fixed time. Use `page` for
 * anything else, and move it here once a second test needs it.
 */
export class Workbench {
	readonly page: Page;
	/** The folder open in this window: a copy that tests may change. */
	readonly folder: string;
	readonly quickInput: QuickInput;
	readonly output: Output;
	readonly problems: Problems;
	readonly #server: Server;

	constructor(page: Page, folder: string, server: Server) {
		this.page = page;
		this.folder = folder;
		this.#server = server;
		this.quickInput = new QuickInput(page);
		this.output = new Output(page, this.quickInput, server.logs);
		this.problems = new Problems(page, this.quickInput);
	}

	/** Waits until the window is rendered and its extension host responds. */
	async waitUntilWindowReady(): Promise<void> {
		await this.page.locator('.monaco-workbench .part.activitybar').waitFor();
		await this.page.locator('#status\\.host').filter({ hasNotText: 'Opening' }).waitFor();
	}

	/**
	 * Reloads the window with VS Code's command, which saves editors first; a reload of the page may lose them. Delays the new page until
	 * the old extension host has ended. Otherwise VS Code can mistake the new window for a second one on the folder, and give it an empty
	 * storage.
	 */
	async reloadWindow(): Promise<void> {
		const { page } = this;
		const before = this.#server.countEndedHosts();
		const isWindowAddress = (url: URL): boolean => url.pathname === '/';
		await page.route(
			isWindowAddress,
			async route => {
				await waitUntil('the end of the extension host', () => this.#server.countEndedHosts() > before, 30_000).catch(() => undefined);
				await route.continue();
			},
			{ times: 1 },
		);
		const loaded = page.waitForEvent('load');
		await this.runCommand('Developer: Reload Window');
		await loaded;
		await page.unroute(isWindowAddress);
		await this.waitUntilWindowReady();
	}

	/** Runs a command from the palette by its full title, with the category: "Agent Workbench: Run Agent from File". */
	async runCommand(title: string): Promise<void> {
		await this.quickInput.runCommand(title);
	}

	/** Opens a workspace file in an editor by its name. */
	async openFile(name: string): Promise<void> {
		await this.quickInput.openFile(name);
	}

	/** Closes all editors, whatever covers them; discards unsaved changes. */
	async closeEditors(): Promise<void> {
		const tabs = this.page.locator('.part.editor .tabs-container .tab');
		const dialog = this.page.locator('.monaco-dialog-box');
		await waitUntil(
			'a window without editors',
			async () => {
				if (await dialog.isVisible()) {
					await dialog
						.getByRole('button', { name: /Don't Save|Cancel|OK|Close/ })
						.first()
						.click({ timeout: 2000 })
						.catch(() => undefined);
				}
				if ((await tabs.count()) === 0) {
					return true;
				}
				await this.runCommand('View: Close All Editors').catch(() => undefined);
				return tabs
					.first()
					.waitFor({ state: 'detached', timeout: 3000 })
					.then(
						() => true,
						() => false,
					);
			},
			60_000,
		);
	}

	/** Shows or hides the side bar. */
	async showSideBar(shown: boolean): Promise<void> {
		const bar = this.page.locator('.part.sidebar');
		// a window that still restores its layout may undo the command
		await waitUntil(`a side bar that is ${shown ? 'visible' : 'hidden'}`, async () => {
			if ((await bar.isVisible()) === shown) {
				return true;
			}
			await this.runCommand('View: Toggle Primary Side Bar Visibility');
			return waitBriefly(bar, 3000, shown ? 'visible' : 'hidden');
		});
	}

	/** Returns a view container's icon in the activity bar; its name can end in a key binding, "Explorer (Ctrl+Shift+E)". */
	getActivityIcon(name: string): Locator {
		const tabs = this.page.locator('.part.activitybar');
		return tabs.getByRole('tab', { name, exact: true }).or(tabs.getByRole('tab', { name: `${name} (` }));
	}

	/** Shows a view container in the side bar. */
	async showContainer(name: string): Promise<void> {
		const tab = this.getActivityIcon(name);
		await tab.waitFor();
		const title = this.page.locator('.part.sidebar .composite.title').filter({ hasText: name });
		// a reloaded window restores its container, and a click at that moment would hide it
		await waitUntil(`the container “${name}”`, async tries => {
			if (!(await title.isVisible())) {
				await tab.click();
			}
			return title.waitFor({ timeout: getRepeatDelay(tries) }).then(
				() => true,
				() => false,
			);
		});
	}

	/** Returns a tree in the side bar by the title of its view. */
	getTree(view: string): Tree {
		return new Tree(this.page, view);
	}

	/** Returns the visible text of the active editor, line by line. */
	async readEditorText(): Promise<string> {
		const lines = this.page.locator('.editor-group-container.active .monaco-editor .view-line');
		await lines.first().waitFor();
		return (await lines.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ');
	}

	/** Returns a CodeLens in the active editor by its text. */
	getCodeLens(text: string | RegExp): Locator {
		return this.page.locator('.editor-group-container.active .codelens-decoration a').filter({ hasText: text });
	}

	/** Returns a visible notification; its buttons: `.getByRole('button', { name })`. */
	getNotification(text: string): Locator {
		return this.page.locator('.notification-toast').filter({ hasText: text });
	}

	/** Returns a modal dialog. */
	getDialog(text: string): Locator {
		return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
	}

	/** Finds the document inside a webview by the title of its view or editor. */
	async findWebview(title: string | RegExp): Promise<Frame> {
		return findWebviewFrame(this.page, title);
	}

	/** Changes the color theme. */
	async useTheme(theme: Theme): Promise<void> {
		await useTheme(this.page, theme);
	}

	/** Saves a screenshot if SCREENSHOTS is set, because only people look at them. */
	async takeScreenshot(name: string): Promise<void> {
		if (process.env['SCREENSHOTS']) {
			await this.saveScreenshot(name);
		}
	}

	/**
	 * Saves a screenshot of the window to .vscode-test/out/NAME.png.
	 * @returns the file
	 */
	async saveScreenshot(name: string): Promise<string> {
		fs.mkdirSync(outFolder, { recursive: true });
		const file = path.join(outFolder, `${name}.png`);
		await this.page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
		return file;
	}

	/** Saves NAME-dark.png, NAME-light.png, NAME-high-contrast.png and NAME-high-contrast-light.png if SCREENSHOTS is set. */
	async takeScreenshotsInThemes(name: string): Promise<void> {
		if (!process.env['SCREENSHOTS']) {
			return;
		}
		for (const theme of Object.keys(themes) as Theme[]) {
			await this.useTheme(theme);
			await this.takeScreenshot(`${name}-${theme}`);
		}
		await this.useTheme('dark');
	}
}
