import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { launchBrowser } from '../../../scripts/lib/browser.ts';
import { openPage } from '../../../scripts/lib/page.ts';
import { root } from '../../../scripts/lib/paths.ts';
import { type ServerOptions, startServer } from '../../../scripts/lib/server.ts';
import { makeTempFolder, removeFolder } from '../../../scripts/lib/tempFolder.ts';
import { testSettings } from '../../../scripts/lib/userSettings.ts';
import { ContactedHosts, type Contacts } from './contactedHosts.ts';
import { Workbench } from './workbench.ts';

/**
 * VS Code's own extensions with programs that no test uses. They are loaded with each window or with each file of their language, a tenth of
 * a window's processor time.
 */
const unusedExtensions = [
	...['debug-auto-launch', 'debug-server-ready', 'emmet', 'extension-editing', 'github', 'github-authentication'],
	...['grunt', 'gulp', 'ipynb', 'jake', 'notebook-renderers', 'npm', 'php-language-features', 'simple-browser'],
	...['terminal-suggest', 'tunnel-forwarding', 'typescript-language-features'],
];

export interface SessionOptions {
	/** Copied as the workspace instead of the sample workspace; `null`: a window without a folder. */
	workspace?: string | null;
	/** Opens the folder as untrusted. */
	untrusted?: boolean;
	/** Folders of unpacked extensions to install in addition to the one under test. */
	extensions?: readonly string[];
	/** User settings in addition to those that keep VS Code quiet. */
	settings?: Readonly<Record<string, unknown>>;
	/** Options for VS Code's server; its extension hosts inherit environment and modules. */
	server?: Pick<ServerOptions, 'builtIn' | 'environment' | 'preload'>;
	/** Hosts that the tests contact on purpose, in addition to those in `settings` and to this machine. */
	contacts?: readonly string[];
	/** Width and height of the window in pixels; 1280 by 800 by default. */
	viewport?: { width: number; height: number };
	/** Language of the extensions' strings, for example `ja`; VS Code's strings stay English. Adds a font for Chinese and Japanese. */
	language?: string;
}

/** Result of useWorkbench(). Its members are available from before() to after(). */
export interface Session {
	readonly workbench: Workbench;
	/** Returns what the window and its processes have contacted so far. */
	readContacts(): Contacts;
	/** Opens another window on the same folder (or without one), in a separate browser; it is closed after the tests. */
	openSecondWindow(): Promise<Workbench>;
}

/**
 * Opens a separate workbench for the tests of the calling describe(), with the checkout's extension and a copy of the sample workspace;
 * removes everything afterwards. A failed test leaves a screenshot in .vscode-test/out. A window costs about ten seconds of processor time
 * before the first test, so tests that need the same settings and don't disturb each other belong in inner describe()s of one window.
 *
 *     describe('run from a file', () => {
 *         const session = useWorkbench();
 *         it('…', async () => { await session.workbench.showContainer('Agent Workbench'); });
 *     });
 */
export function useWorkbench(options: SessionOptions = {}): Session {
	let opened: OpenSession | undefined;
	let hosts: ContactedHosts | undefined;
	before(async function () {
		this.timeout(300_000);
		hosts = new ContactedHosts();
		opened = await openWorkbench(options, hosts);
	});
	afterEach(async function () {
		if (this.currentTest?.state === 'failed') {
			const name = `failed-${this.currentTest.fullTitle().replaceAll(/[^\w-]+/g, '-')}`;
			await opened?.workbench.saveScreenshot(name).then(file => console.log(`      screenshot: ${path.relative(root, file)}`));
		}
	});
	after(async () => {
		await opened?.close();
		const unnamed = hosts?.listUnnamed([JSON.stringify(options.settings ?? {}), ...(options.contacts ?? [])]);
		hosts?.remove();
		assert.deepEqual(unnamed, [], 'the window contacted hosts that nobody named');
	});
	return {
		get workbench() {
			if (!opened) {
				throw new Error('The workbench exists only while tests run, not while they are defined');
			}
			return opened.workbench;
		},
		readContacts: () => hosts!.readContacts(),
		openSecondWindow() {
			if (!opened) {
				throw new Error('The workbench exists only while tests run, not while they are defined');
			}
			return opened.openSecondWindow();
		},
	};
}

export interface OpenSession {
	workbench: Workbench;
	openSecondWindow(): Promise<Workbench>;
	close(): Promise<void>;
}

/** Opens a workbench outside of mocha; the caller closes it. Records what it contacts in `hosts`. */
export async function openWorkbench(options: SessionOptions, hosts?: ContactedHosts): Promise<OpenSession> {
	const closing: (() => Promise<void> | void)[] = [];
	const closeSession = async (): Promise<void> => {
		for (const step of closing.splice(0).reverse()) {
			await step();
		}
	};
	try {
		const folder = makeTempFolder();
		const removeSessionFolder = (): void => removeFolder(folder);
		process.once('exit', removeSessionFolder);
		closing.push(() => {
			process.off('exit', removeSessionFolder);
			removeSessionFolder();
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
			// an extension that is added may depend on them
			...(options.server?.builtIn ? {} : { leftOut: unusedExtensions }),
			...options.server,
			preload: [...(options.server?.preload ?? []), ...(hosts?.server.preload ?? [])],
			environment: { ...options.server?.environment, ...hosts?.server.environment },
		});
		closing.push(() => server.stop());
		const browser = await launchBrowser(options.language === undefined ? {} : { hanFonts: true });
		closing.push(() => browser.close());
		const openWindow = async (): Promise<Workbench> => {
			const { page, closeWindow: leave } = await openPage(browser, server, {
				...(options.viewport ? { viewport: options.viewport } : {}),
				...(options.language === undefined ? {} : { language: options.language }),
			});
			closing.push(leave);
			hosts?.watchPage(page);
			page.setDefaultTimeout(60_000);
			const workbench = new Workbench(page, workspace, server);
			await workbench.waitUntilWindowReady();
			return workbench;
		};
		const workbench = await openWindow();
		console.log(`    VS Code ${server.version}`);
		return { workbench, openSecondWindow: openWindow, close: closeSession };
	} catch (error) {
		await closeSession();
		throw error;
	}
}
