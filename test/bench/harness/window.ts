import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { type Server, startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { Workbench } from '../../ui/driver/workbench.ts';

export interface BenchWindow {
	readonly browser: Browser;
	readonly server: Server;
	readonly workbench: Workbench;
}

/**
 * Opens a window of the real workbench with the last build of the extension, on a new folder.
 * @param closing closes the window and deletes the folder
 * @param writeFiles writes files into the folder before the window opens
 */
export async function openBenchWindow(closing: AsyncDisposableStack, writeFiles?: (workspace: string) => void): Promise<BenchWindow> {
	const workspace = makeTempFolder();
	closing.defer(() => removeFolder(workspace));
	writeFiles?.(workspace);
	const server = await startServer({ workspace, extensions: [root] });
	closing.defer(() => server.stop());
	const browser = await launchBrowser();
	closing.defer(() => browser.close());
	const { page, closeWindow } = await openPage(browser, server);
	closing.defer(closeWindow);
	const workbench = new Workbench(page, workspace, server);
	await workbench.waitUntilWindowReady();
	return { browser, server, workbench };
}
