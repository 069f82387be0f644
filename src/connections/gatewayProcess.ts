import { type ChildProcessByStdio, spawn } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { Problem } from '../common/problems.ts';

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
	/** A line of its log (stderr, one JSON object a line), without the line break. */
	readonly onLog: (line: string) => void;
}

/** Seconds that a gateway without attachments stays: long enough for a window that reloads. */
const idleSeconds = 20;
const startTimeoutMs = 20_000;
/** Exit code of a gateway whose data folder another one serves. */
const folderInUse = 3;

type GatewayChild = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts a gateway and resolves to its base URL when it listens. It is a process of its own that outlives this window while a run
 * goes on, and ends by itself when it is idle. Rejects with a {@link Problem}: `folder-in-use` where another one was faster, else `gateway-start`.
 */
export async function startGateway(options: GatewayOptions): Promise<string> {
	await fs.mkdir(options.dataFolder, { recursive: true });
	const config = path.join(options.dataFolder, 'gateway.config.json');
	await fs.writeFile(config, JSON.stringify(options.config, undefined, '\t'));
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
		{ env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, stdio: 'pipe', detached: true, windowsHide: true },
	);
	child.stdin.on('error', () => {});
	child.stdin.end(`${JSON.stringify({ api_key: options.key, keys: options.upstreamKeys })}\n`);
	child.unref();
	let lastLine = '';
	forwardLines(child.stderr, line => {
		lastLine = line;
		options.onLog(line);
	});
	return whenReady(child, () => lastLine);
}

function whenReady(child: GatewayChild, lastLine: () => string): Promise<string> {
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
	child.on('close', (code, signal) =>
		fail(lastLine() || `it ended with ${signal ?? `code ${code}`}`, code === folderInUse ? 'folder-in-use' : undefined),
	);
	return promise.finally(() => clearTimeout(timer));
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
