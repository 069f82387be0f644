import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { type ServerOptions, startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { testSettings } from '../../../scripts/lib/userSettings.ts';
import { Workbench } from './workbench.ts';

export interface SessionOptions {
	/** Copied into the workspace instead of the sample workspace; `null`: a window without a folder. */
	workspace?: string | null;
	/** Opens the folder as one that is not trusted. */
	untrusted?: boolean;
	/** Folders of unpacked extensions that are installed beside the one under test. */
	extensions?: readonly string[];
	/** User settings beside those that keep VS Code quiet. */
	settings?: Readonly<Record<string, unknown>>;
	/** How VS Code's server is started; its extension hosts inherit environment and modules. */
	server?: Pick<ServerOptions, 'builtIn' | 'environment' | 'preload'>;
	/** Width and height of the window in pixels; 1280 by 800 unless told. */
	viewport?: { width: number; height: number };
	/** Language of the extensions' strings, such as `ja`; VS Code's own stay English. Texts in Chinese and Japanese get a font. */
	language?: string;
}

/** What useWorkbench() gives; its members are there from before() to after(). */
export interface Session {
	readonly workbench: Workbench;
	/** Opens another window on the same folder (or without one), in a browser of its own; closed after the tests. */
	openBeside(): Promise<Workbench>;
}

/**
 * Opens a workbench of its own for the tests of the describe() that calls this: the extension of the checkout installed, a copy of the sample
 * workspace open, everything gone afterwards. A failed test leaves a screenshot in .vscode-test/out. A window costs about ten seconds of processor
 * time before the first test: what needs the same settings, and does not disturb each other, goes into inner describe()s of one.
 *
 *     describe('run from a file', () => {
 *         const session = useWorkbench();
 *         it('…', async () => { await session.workbench.showContainer('Agent Workbench'); });
 *     });
 */
export function useWorkbench(options: SessionOptions = {}): Session {
	let opened: OpenSession | undefined;
	before(async function () {
		this.timeout(300_000);
		opened = await openWorkbench(options);
	});
	afterEach(async function () {
		if (this.currentTest?.state === 'failed') {
			const name = `failed-${this.currentTest.fullTitle().replaceAll(/[^\w-]+/g, '-')}`;
			await opened?.workbench.screenshot(name).then(file => console.log(`      screenshot: ${path.relative(root, file)}`));
		}
	});
	after(async () => {
		await opened?.close();
	});
	return {
		get workbench() {
			if (!opened) {
				throw new Error('The workbench is there while tests run, not while they are declared');
			}
			return opened.workbench;
		},
		openBeside() {
			if (!opened) {
				throw new Error('The workbench is there while tests run, not while they are declared');
			}
			return opened.openBeside();
		},
	};
}

export interface OpenSession {
	workbench: Workbench;
	openBeside(): Promise<Workbench>;
	close(): Promise<void>;
}

/** The same outside of a test: whoever calls closes it. */
export async function openWorkbench(options: SessionOptions): Promise<OpenSession> {
	const closing: (() => Promise<void> | void)[] = [];
	const close = async (): Promise<void> => {
		for (const step of closing.splice(0).reverse()) {
			await step();
		}
	};
	try {
		const folder = makeTempFolder();
		const remove = (): void => removeFolder(folder);
		process.once('exit', remove);
		closing.push(() => {
			process.off('exit', remove);
			remove();
		});
		const workspace = path.join(folder, 'samples');
		if (options.workspace !== null) {
			fs.cpSync(options.workspace ?? path.join(root, 'samples'), workspace, { recursive: true });
		}
		const server = await startServer({
			workspace: options.workspace === null ? undefined : workspace,
			untrusted: options.untrusted ?? false,
			extensions: [root, path.join(import.meta.dirname, 'extension'), ...(options.extensions ?? [])],
			settings: { ...testSettings, ...options.settings },
			...options.server,
		});
		closing.push(() => server.stop());
		const browser = await launchBrowser(options.language === undefined ? {} : { hanFonts: true });
		closing.push(() => browser.close());
		const openWindow = async (): Promise<Workbench> => {
			const { page, leave } = await openPage(browser, server, {
				...(options.viewport ? { viewport: options.viewport } : {}),
				...(options.language === undefined ? {} : { language: options.language }),
			});
			closing.push(leave);
			page.setDefaultTimeout(60_000);
			const workbench = new Workbench(page, workspace, server);
			await workbench.ready();
			return workbench;
		};
		const workbench = await openWindow();
		console.log(`    VS Code ${server.version}`);
		return { workbench, openBeside: openWindow, close };
	} catch (error) {
		await close();
		throw error;
	}
}
