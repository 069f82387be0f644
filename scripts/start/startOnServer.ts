import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../lib/browser.ts';
import { getAddress, openPage } from '../lib/page.ts';
import { outFolder, root } from '../lib/paths.ts';
import { type Server, startServer } from '../lib/server.ts';
import { quietSettings } from '../lib/userSettings.ts';
import { extensions, FirstRun } from './firstRun.ts';

export interface StartOnServer {
	folder: string;
	workspace: string;
	/** True if a user will open the address in a browser. If not, the first run uses a headless one. */
	attended: boolean;
}

/** Starts VS Code's server for any browser on this machine; stops on Ctrl+C, or after the first run if the terminal is unattended. */
export async function startSamplesOnServer({ folder, workspace, attended }: StartOnServer): Promise<number> {
	const server = await startServer({
		extensions,
		workspace,
		settings: quietSettings,
		environment: FirstRun.getEnvironment(folder),
	});
	const firstRun = new FirstRun(folder, server.logs);
	try {
		if (attended) {
			console.log(`Open ${getAddress(server)} in a browser; Ctrl+C ends the server\n`);
			await firstRun.mirrorOutput(true);
			return await waitUntilKilled();
		}
		console.log('The first run happens in a headless browser\n');
		const succeeded = await runFirstRunHeadless(server, firstRun);
		if (!process.stdin.isTTY) {
			return succeeded ? 0 : 1;
		}
		console.log(`Open ${getAddress(server)} in a browser of this machine; Ctrl+C ends the server`);
		return await waitUntilKilled();
	} finally {
		await server.stop();
	}
}

async function runFirstRunHeadless(server: Server, firstRun: FirstRun): Promise<boolean> {
	const browser = await launchBrowser();
	try {
		const { page, closeWindow: leave } = await openPage(browser, server);
		const succeeded = await firstRun.mirrorOutput();
		await showRunInTree(page);
		fs.mkdirSync(outFolder, { recursive: true });
		const file = path.join(outFolder, 'first-run.png');
		await page.screenshot({ path: file, animations: 'disabled' });
		console.log(`\nScreenshot: ${path.relative(root, file)}`);
		await leave();
		return succeeded;
	} finally {
		await browser.close();
	}
}

/**
 * Expands the tree down to the run, and waits until the page shows how it ended. Only logs errors, because a screenshot of a failure is
 * useful too.
 */
async function showRunInTree(page: Page): Promise<void> {
	page.setDefaultTimeout(5000);
	try {
		await page.locator('.codelens-decoration').filter({ hasText: 'Last run' }).waitFor();
		for (const label of ['Built-in gateway', 'summarize', 'Runs']) {
			const row = page
				.locator('.part.sidebar .monaco-list-row')
				.filter({ has: page.locator('.label-name').getByText(label, { exact: true }) });
			await row.locator('.monaco-tl-twistie.collapsed').click();
		}
		await page.locator('.output-view .view-line').filter({ hasText: '■' }).waitFor();
		await page.locator('.notification-toast').waitFor({ state: 'detached' });
	} catch (error) {
		console.error(`The window did not show the run as expected: ${error instanceof Error ? error.message : String(error)}`);
	}
}

/** Waits until a signal ends this process. */
const waitUntilKilled = (): Promise<never> => new Promise(() => undefined);
