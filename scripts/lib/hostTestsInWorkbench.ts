import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from './browser.ts';
import type { HostRun } from './hostRun.ts';
import { openPage, toRemoteUri } from './page.ts';
import { outFolder } from './paths.ts';
import { startServer } from './server.ts';

/** Prefix of everything that test/host/index.ts prints. */
const testOutput = '[test] ';
/** Milliseconds for the whole run. Single tests have mocha's limit (test/host/index.ts). */
const limit = 1_500_000;

/**
 * Runs host tests in the extension host of VS Code's server, which starts when a page is opened.
 * @returns the last lines that VS Code wrote to the console, for the report of a run without a result
 */
export async function runTestsInWorkbench(run: HostRun): Promise<string[]> {
	const ownLines: string[] = [];
	const server = await startServer({
		automation: true,
		workspace: run.workspace,
		extensions: run.extensions,
		packages: run.packages,
		environment: run.environment,
	});
	const browser = await launchBrowser().catch(async error => {
		await server.stop();
		throw error;
	});
	try {
		const ended = Promise.withResolvers<void>();
		const timer = setTimeout(() => ended.reject(new Error(`The host tests did not end within ${limit / 1000} s`)), limit);
		const { page, closeWindow: leave } = await openPage(browser, server, {
			// this page is never shown, and a small one renders faster
			viewport: { width: 400, height: 300 },
			payload: [
				['extensionDevelopmentPath', toRemoteUri(server, run.development)],
				['extensionTestsPath', toRemoteUri(server, run.tests)],
			],
			onLog: line => (line.startsWith(testOutput) ? console.log(line.slice(testOutput.length)) : ownLines.push(line)),
			onExit: () => ended.resolve(),
		});
		try {
			await ended.promise;
			return ownLines.slice(-20);
		} catch (error) {
			fs.mkdirSync(outFolder, { recursive: true });
			await page.screenshot({ path: path.join(outFolder, 'host-tests-stuck.png') });
			throw error;
		} finally {
			clearTimeout(timer);
			await leave();
		}
	} finally {
		await browser.close();
		await server.stop();
	}
}
