import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Server } from './server.ts';

export interface PageOptions {
	/** Settings of the page beyond its address, as VS Code's desktop gets them from its command line. */
	payload?: readonly (readonly [string, string])[];
	/** Lines that the extension host and the page write to their consoles; only from a server with `automation`. */
	onLog?(line: string): void;
	/** The extension host has run its tests; only from a server with `automation`. */
	onExit?(code: number): void;
	viewport?: { width: number; height: number };
	/** Language of the extensions' strings, such as `ja`; VS Code's own stay English, as they would need its language pack. */
	language?: string;
}

/** A window of the workbench in a browser. */
export interface WorkbenchPage {
	page: Page;
	context: BrowserContext;
	/** Tells the server that this window is gone for good. Merely closing the browser leaves the extension host waiting for it to come back. */
	leave(): Promise<void>;
}

/** Opens the workbench of a server, in a context of its own. */
export async function openPage(browser: Browser, server: Server, options: PageOptions = {}): Promise<WorkbenchPage> {
	const context = await browser.newContext({
		viewport: options.viewport ?? { width: 1280, height: 800 },
		deviceScaleFactor: 1,
		locale: 'en-US',
		timezoneId: 'UTC',
		reducedMotion: 'reduce',
		colorScheme: 'dark',
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	const page = await context.newPage();
	await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown[]) => options.onLog?.(args.join(' ')));
	await page.exposeFunction('codeAutomationExit', (code: number) => options.onExit?.(code));
	if (options.language !== undefined) {
		await page.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(options.language)}`);
	}
	await page.goto(addressOf(server, options.payload));
	return {
		page,
		context,
		leave: async () => {
			await page.goto('about:blank').catch(() => undefined);
		},
	};
}

/** The address of a window, as anyone's browser opens it. */
export function addressOf(server: Server, payload: PageOptions['payload'] = []): string {
	// not the server's --default-folder: VS Code then shows the folder's files as if they were outside of it
	const query = new URLSearchParams({
		tkn: server.token,
		...(server.workspace === undefined ? { ew: 'true' } : { folder: server.workspace }),
	});
	if (payload.length > 0) {
		query.set('payload', JSON.stringify(payload));
	}
	return `http://${server.authority}/?${query}`;
}

/** The address of a file on this machine as the page names it. */
export function remoteUri(server: Server, file: string): string {
	return `vscode-remote://${server.authority}${file}`;
}
