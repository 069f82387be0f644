import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Server } from './server.ts';

export interface PageOptions {
	/** Page settings besides the address, which desktop VS Code takes from its command line. */
	payload?: readonly (readonly [string, string])[];
	/** Called with console lines of the extension host and the page; requires `automation`. */
	onLog?(line: string): void;
	/** Called when the extension host has run its tests; requires `automation`. */
	onExit?(code: number): void;
	viewport?: { width: number; height: number };
	/** Language of the extensions' strings, for example `ja`; VS Code's strings stay English, because they would need a language pack. */
	language?: string;
}

/** A workbench window in a browser. */
export interface WorkbenchPage {
	page: Page;
	context: BrowserContext;
	/** Closes the window and notifies the server. If only the browser is closed, the extension host waits for a reconnection. */
	closeWindow(): Promise<void>;
}

/** Opens a server's workbench in a separate browser context. */
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
	await page.goto(getAddress(server, options.payload));
	return {
		page,
		context,
		closeWindow: async () => {
			await page.goto('about:blank').catch(() => undefined);
		},
	};
}

/** Returns the address of a window for any browser. */
export function getAddress(server: Server, payload: PageOptions['payload'] = []): string {
	// not the server's --default-folder: VS Code would show its files as outside of the workspace
	const query = new URLSearchParams({
		tkn: server.token,
		...(server.workspace === undefined ? { ew: 'true' } : { folder: server.workspace }),
	});
	if (payload.length > 0) {
		query.set('payload', JSON.stringify(payload));
	}
	return `http://${server.authority}/?${query}`;
}

/** Returns the page's URI of a file on this machine. */
export function toRemoteUri(server: Server, file: string): string {
	return `vscode-remote://${server.authority}${file}`;
}
