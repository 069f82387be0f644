import { type ChildProcessByStdio, spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { l10n } from 'vscode';
import { Problem, type Remedy } from '#base/problems.ts';
import { gatewayEnvironment } from '#client/localGateway/gatewayEnvironment.ts';

/** What a gateway process is started with. */
export interface GatewayOptions {
	/** `dist/gateway.js`. */
	readonly program: string;
	readonly dataFolder: string;
	/** Handed over through stdin, so that neither the process list nor the environment shows it. */
	readonly key: string;
	/** The file of `--config`, which holds no key. */
	readonly config: Readonly<Record<string, unknown>>;
	/** Further flags. */
	readonly flags: readonly string[];
	/** Keys for its upstreams by name, handed over as {@link key} is. */
	readonly upstreamKeys: Readonly<Record<string, string>>;
	/** `http.proxy`, handed over as {@link key} is: it can hold a password. */
	readonly proxy: string | undefined;
	/** A line of its log (stderr, one JSON object a line), without the line break. */
	readonly onLog: (line: string) => void;
}

/** Seconds that a gateway without attachments stays: long enough for a window that reloads. */
const idleSeconds = 20;
const startTimeoutMs = 20_000;
/** Exit code of a gateway whose data folder another one serves. */
const folderInUse = 3;
/** Exit code of a gateway whose store cannot be opened: its log says why, and whether `--set-aside-store` would let it start. */
const storeNotOpened = 4;

type GatewayChild = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a gateway and resolves to its base URL when it listens. It is a process of its own that outlives this window while a run
 * goes on, and ends by itself when it is idle. Rejects with a {@link Problem}: `folder-in-use` where another one was faster, `store` where its store cannot
 * be opened (with the remedy, where there is one), else `gateway-start`.
 */
export async function startGateway(options: GatewayOptions): Promise<string> {
	await fs.mkdir(options.dataFolder, { recursive: true });
	const config = path.join(options.dataFolder, 'gateway.config.json');
	// what programs of tools are given may be nobody else's to read
	await fs.rm(config, { force: true });
	await fs.writeFile(config, JSON.stringify(options.config, undefined, '\t'), { mode: 0o600 });
	const child: GatewayChild = spawn(
		process.execPath,
		[
			options.program,
			...[
				'--port',
				'0',
				'--data',
				options.dataFolder,
				'--stdin-keys',
				'--ready-json',
				'--exit-when-idle',
				String(idleSeconds),
				'--log',
				'json',
				'--config',
				config,
				...options.flags,
			],
		],
		// ELECTRON_RUN_AS_NODE: in a desktop editor execPath is Electron; detached: the editor's end does not take it along
		{ env: { ...gatewayEnvironment(process.env), ELECTRON_RUN_AS_NODE: '1' }, stdio: 'pipe', detached: true, windowsHide: true },
	);
	child.stdin.on('error', () => {});
	child.stdin.end(`${JSON.stringify({ api_key: options.key, keys: options.upstreamKeys, proxy: options.proxy })}\n`);
	child.unref();
	let lastLine = '';
	let canSetAside = false;
	forwardLines(child.stderr, line => {
		lastLine = line;
		canSetAside ||= saysCanSetAside(line);
		options.onLog(line);
	});
	return whenReady(child, () => ({ lastLine, canSetAside }));
}

function whenReady(child: GatewayChild, said: () => { readonly lastLine: string; readonly canSetAside: boolean }): Promise<string> {
	const { promise, resolve, reject } = Promise.withResolvers<string>();
	const fail = (message: string, reason = 'gateway-start') => reject(new Problem(reason, message));
	const timer = setTimeout(() => {
		fail(`it did not listen within ${startTimeoutMs / 1000} s`);
		child.kill();
	}, startTimeoutMs);
	forwardLines(child.stdout, line => {
		const baseUrl = baseUrlOf(line);
		if (baseUrl) {
			resolve(baseUrl);
		}
	});
	child.on('error', error => fail(error.message));
	// 'close' comes after the last of stderr, which says why
	child.on('close', (code, signal) => {
		const { lastLine, canSetAside } = said();
		const message = lastLine || `it ended with ${signal ?? `code ${code}`}`;
		if (code === storeNotOpened) {
			reject(new Problem('store', message, canSetAside ? setAside() : undefined));
		} else {
			fail(message, code === folderInUse ? 'folder-in-use' : undefined);
		}
	});
	return promise.finally(() => clearTimeout(timer));
}

/** A store that is set aside lies in a folder beside the new one: nothing is lost. */
function setAside(): Remedy {
	return { title: l10n.t('Set Aside and Start New'), command: 'agentWorkbench.gateway.setAsideStore' };
}

function saysCanSetAside(line: string): boolean {
	try {
		return (JSON.parse(line) as { can_set_aside?: unknown } | null)?.can_set_aside === true;
	} catch {
		return false;
	}
}

function baseUrlOf(line: string): string | undefined {
	try {
		const ready: unknown = JSON.parse(line);
		return typeof ready === 'object' && ready && 'base_url' in ready && typeof ready.base_url === 'string' ? ready.base_url : undefined;
	} catch {
		return undefined;
	}
}

function forwardLines(stream: Readable, each: (line: string) => void): void {
	let rest = '';
	stream.setEncoding('utf8');
	stream.on('data', (text: string) => {
		const lines = (rest + text).split(/\r?\n/);
		rest = lines.pop() ?? '';
		lines.filter(line => line !== '').forEach(each);
	});
	stream.on('error', () => {});
}
