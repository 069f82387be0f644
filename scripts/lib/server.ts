import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { userDataVariable } from './hostRun.ts';
import { linkBuiltInExtensions, linkExtensions } from './linkExtensions.ts';
import { makeTempFolder, removeFolder } from './tempFolder.ts';
import { testSettings, untrustedSettings } from './userSettings.ts';
import { ensureWorkbench, getTestedRelease } from './workbench.ts';

export interface ServerOptions {
	/** Folder that its windows open; if absent, windows have no folder. */
	workspace?: string | undefined;
	/** Treats folders as untrusted until the user trusts them; otherwise all folders are trusted. */
	untrusted?: boolean;
	/** Folders of unpacked extensions to install as links, so that a rebuilt one needs only a reload. */
	extensions?: readonly string[];
	/** Folders of unpacked extensions that VS Code should treat as built-in, in addition to its own. */
	builtIn?: readonly string[];
	/** Folder names of VS Code's own extensions to leave out. */
	leftOut?: readonly string[];
	/** Packages (.vsix files) to install. */
	packages?: readonly string[];
	/** User settings that replace those for tests. */
	settings?: Readonly<Record<string, unknown>>;
	/**
	 * Runs host tests: the page accepts the payload that names them and forwards the console. Suppresses all notifications, so not for UI
	 * tests.
	 */
	automation?: boolean;
	/** Added to the environment of the server and thus of the extension host. */
	environment?: Readonly<Record<string, string>>;
	/** Files of modules to load into the server and the processes it forks (NODE_OPTIONS wouldn't reach those). */
	preload?: readonly string[];
}

/** VS Code's server on a free port of 127.0.0.1, with a separate data folder. */
export interface Server {
	/** For example "1.139.1 (workbench of code-server 4.139.1)". */
	version: string;
	/** host:port, as in vscode-remote:// URIs. */
	authority: string;
	workspace: string | undefined;
	/** Required in the page's address, so that other users of the machine who find the port can't open it. */
	token: string;
	/** Log files: exthost*, with a folder per extension and a file per output channel. */
	logs: string;
	/** Returns the server's output so far, for error reports. */
	getOutput(): string;
	/** Returns the number of extension hosts that have exited. */
	countEndedHosts(): number;
	/**
	 * Stops the server and deletes the data folder. Close the window first, so that the extension host exits by itself and runs
	 * deactivate().
	 */
	stop(): Promise<void>;
}

/** Maximum time until the server listens. A cold start on two busy cores takes about 2 s. */
const startLimit = 60_000;
/** Maximum time for extension hosts to exit by themselves. */
const endLimit = 5000;

export async function startServer(options: ServerOptions): Promise<Server> {
	const { node, serverMain, version } = await ensureWorkbench(getTestedRelease());
	const folder = makeTempFolder();
	const token = randomBytes(16).toString('hex');
	prepareDataFolder(folder, token, options);
	if (options.builtIn || options.leftOut) {
		const own = path.resolve(serverMain, '../../extensions');
		linkBuiltInExtensions(own, options.builtIn ?? [], path.join(folder, 'builtIn'), options.leftOut);
	}
	for (const file of options.packages ?? []) {
		await installPackage(node, serverMain, folder, file);
	}
	const child = spawn(
		node,
		[...createImportArguments([...preloaded, ...(options.preload ?? [])]), serverMain, ...createArguments(folder, options)],
		{
			stdio: ['pipe', 'pipe', 'pipe'],
			// a separate process group, so that stop() also reaches terminals, file watchers and extension hosts
			detached: process.platform !== 'win32',
			env: createEnvironment(folder, options.environment),
		},
	);
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8').on('data', (text: string) => {
			output += text;
		});
	}
	const removeFolders = (): void => {
		process.off('exit', removeFolders);
		signalProcess(child, 'SIGKILL');
		removeFolder(folder);
	};
	process.on('exit', removeFolders);
	try {
		const port = await waitForPort(child, () => output);
		return {
			version,
			workspace: options.workspace,
			authority: `127.0.0.1:${port}`,
			token,
			logs: path.join(folder, 'data/logs'),
			getOutput: () => output,
			countEndedHosts: () => countMatches(output, hostEnded),
			stop: async () => {
				await waitForExtensionHosts(child, () => output);
				await endProcessGently(child);
				removeFolders();
			},
		};
	} catch (error) {
		removeFolders();
		throw error;
	}
}

const preloaded = ['secretKey.mjs', 'lifeline.mjs'].map(name => path.join(import.meta.dirname, name));

const createImportArguments = (files: readonly string[]): string[] => files.flatMap(file => ['--import', pathToFileURL(file).href]);

function prepareDataFolder(folder: string, token: string, options: ServerOptions): void {
	fs.mkdirSync(path.join(folder, 'run'), { mode: 0o700 });
	fs.writeFileSync(path.join(folder, 'token'), token, { mode: 0o600 });
	// in a window with a server, settings of scope "machine" belong to the server; VS Code drops them from the user's file once their scope
	// is known
	const settings = { ...(options.settings ?? testSettings), ...(options.untrusted ? untrustedSettings : {}) };
	for (const place of ['data/User', 'data/Machine']) {
		fs.mkdirSync(path.join(folder, place), { recursive: true });
		fs.writeFileSync(path.join(folder, place, 'settings.json'), JSON.stringify(settings, null, '\t'));
	}
	linkExtensions(options.extensions ?? [], path.join(folder, 'extensions'));
}

function createArguments(folder: string, options: ServerOptions): string[] {
	return [
		...['--host', '127.0.0.1', '--port', '0', '--connection-token-file', path.join(folder, 'token'), '--accept-server-license-terms'],
		...createDataArguments(folder),
		...['--telemetry-level', 'off'],
		...(options.untrusted ? [] : ['--disable-workspace-trust']),
		// nothing listens on this port, so VS Code's agent host process isn't started
		...['--agent-host-bridge-port', '9'],
		...(options.automation ? ['--enable-smoke-test-driver'] : []),
		...(options.builtIn || options.leftOut ? ['--builtin-extensions-dir', path.join(folder, 'builtIn')] : []),
	];
}

const createDataArguments = (folder: string): string[] => [
	'--server-data-dir',
	folder,
	'--extensions-dir',
	path.join(folder, 'extensions'),
];

function createEnvironment(folder: string, added: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
	const run = path.join(folder, 'run');
	// sockets go into the data folder, and the gallery isn't contacted
	return {
		...process.env,
		XDG_RUNTIME_DIR: run,
		TMPDIR: run,
		EXTENSIONS_GALLERY: '{}',
		[userDataVariable]: path.join(folder, 'data'),
		...added,
	};
}

async function installPackage(node: string, serverMain: string, folder: string, file: string): Promise<void> {
	const child = spawn(node, [serverMain, '--accept-server-license-terms', ...createDataArguments(folder), '--install-extension', file], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: createEnvironment(folder),
	});
	let output = '';
	child.stdout.on('data', text => (output += text));
	child.stderr.on('data', text => (output += text));
	const [code] = (await once(child, 'exit')) as [number | null];
	if (code !== 0 || !output.includes('successfully installed')) {
		throw new Error(`VS Code's server did not install ${file}:\n${output}`);
	}
}

function waitForPort(child: ChildProcess, output: () => string): Promise<number> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error(`VS Code's server did not listen within ${startLimit} ms:\n${output()}`)), startLimit);
		const findPort = (): void => {
			const port = /agent listening on (\d+)/.exec(output())?.[1];
			if (port) {
				clearTimeout(timer);
				resolve(Number(port));
			}
		};
		child.stdout?.on('data', findPort);
		child.once('exit', code => {
			clearTimeout(timer);
			reject(new Error(`VS Code's server ended with ${code}:\n${output()}`));
		});
	});
}

const hostLaunched = /Launched Extension Host Process/g;
const hostEnded = /Extension Host Process exited/g;

const countMatches = (text: string, what: RegExp): number => text.match(what)?.length ?? 0;

async function waitForExtensionHosts(child: ChildProcess, output: () => string): Promise<void> {
	const isRunning = (): boolean => countMatches(output(), hostLaunched) > countMatches(output(), hostEnded);
	const limit = AbortSignal.timeout(endLimit);
	while (child.exitCode === null && isRunning() && !limit.aborted) {
		await once(child.stdout!, 'data', { signal: limit }).catch(() => undefined);
	}
}

async function endProcessGently(child: ChildProcess): Promise<void> {
	if (child.exitCode === null && child.signalCode === null) {
		const gone = once(child, 'exit', { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
		child.kill('SIGTERM');
		await gone;
	}
}

function signalProcess(child: ChildProcess, signal: NodeJS.Signals): void {
	try {
		if (process.platform === 'win32') {
			child.kill(signal);
		} else {
			process.kill(-child.pid!, signal);
		}
	} catch {
		// the process has already exited
	}
}
