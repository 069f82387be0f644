import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The `dist/gateway.js` that `npm run build` creates. */
const program = path.resolve(import.meta.dirname, '../../../dist/gateway.js');

/** The real gateway, running as a separate process. */
export interface GatewayProcess {
	readonly baseUrl: string;
	readonly apiKey: string;
	readonly pid: number;
	/** The data folder. */
	readonly data: string;
	/** Returns the output on stderr so far. */
	getLog(): string;
	/** Sends a request with the key. The body is sent as JSON. */
	send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
	/** Opens a stream with a POST request, and emits its events as they arrive. */
	openStream(path: string, body: unknown): Promise<EventSource>;
	/** Opens a stream with a GET request. */
	openFollowStream(path: string): Promise<EventSource>;
	/** Sends a signal and waits for the exit. */
	endProcess(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface Answer {
	readonly status: number;
	readonly headers: Headers;
	// biome-ignore lint/suspicious/noExplicitAny: tests read untyped responses
	readonly json: any;
	readonly text: string;
}

/** Events of a stream, as they arrive. */
export interface EventSource {
	readonly status: number;
	waitForEvent(kind: string): Promise<StreamedEvent>;
	readRemainingEvents(): Promise<readonly StreamedEvent[]>;
	/** Returns all text received so far. */
	getReceivedText(): string;
	cancel(): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read untyped events
export type StreamedEvent = { readonly event: string; readonly [field: string]: any };

export interface GatewayStart {
	/** Agent files by name, written into a new folder. */
	readonly agents?: Readonly<Record<string, string>>;
	readonly flags?: readonly string[];
	/** Defaults to a new folder. */
	readonly data?: string;
	readonly config?: unknown;
	readonly keys?: Readonly<Record<string, string>>;
	/** Environment variables, added to those of this process. */
	readonly env?: Readonly<Record<string, string>>;
}

const running = new Set<ChildProcess>();
const folders = new Set<string>();

/** Creates a folder that {@link cleanUpGateways} removes. */
export function createTemporaryFolder(): string {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'gateway-test-'));
	folders.add(folder);
	return folder;
}

export function createAgentsFolder(agents: Readonly<Record<string, string>>): string {
	const folder = createTemporaryFolder();
	for (const [name, text] of Object.entries(agents)) {
		fs.writeFileSync(path.join(folder, `${name}.yml`), text);
	}
	return folder;
}

export async function startGateway(start: GatewayStart = {}): Promise<GatewayProcess> {
	const data = start.data ?? createTemporaryFolder();
	const args = ['--port', '0', '--data', data, '--ready-json', '--log', 'json', ...(start.flags ?? [])];
	if (start.agents) {
		args.push('--agents', createAgentsFolder(start.agents));
	}
	if (start.config !== undefined) {
		const file = path.join(createTemporaryFolder(), 'config.json');
		fs.writeFileSync(file, JSON.stringify(start.config));
		args.push('--config', file);
	}
	if (start.keys) {
		const file = path.join(createTemporaryFolder(), 'keys.json');
		fs.writeFileSync(file, JSON.stringify(start.keys), { mode: 0o600 });
		args.push('--key-file', file);
	}
	const child = spawn(process.execPath, [program, ...args], {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, ...start.env },
	});
	running.add(child);
	child.once('exit', () => running.delete(child));
	let log = '';
	child.stderr.on('data', (chunk: Buffer) => {
		log += chunk;
	});
	const ready = await readFirstLine(child, () => log);
	const { base_url: baseUrl, api_key: apiKey } = JSON.parse(ready) as { base_url: string; api_key: string };
	const headers = { authorization: `Bearer ${apiKey}` };
	return {
		baseUrl,
		apiKey,
		pid: child.pid as number,
		data,
		getLog: () => log,
		send: (method, target, body, more) => sendRequest(baseUrl + target, method, body, { ...headers, ...more }),
		openStream: (target, body) =>
			openStream(baseUrl + target, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body: JSON.stringify(body),
			}),
		openFollowStream: target => openStream(baseUrl + target, { headers }),
		async endProcess(signal = 'SIGTERM') {
			const exited = once(child, 'exit');
			child.kill(signal);
			const [code] = (await exited) as [number | null];
			return code;
		},
	};
}

/** Exit code and complete output of a gateway. */
export interface GatewayEnd {
	readonly code: number | null;
	readonly stdout: string;
	readonly stderr: string;
}

/** Runs a gateway that is expected to exit without a signal. */
export function runGateway(args: readonly string[], stdin = ''): Promise<GatewayEnd> {
	return launchGateway(args, stdin).ended;
}

/** Starts a gateway that may exit without a signal. */
export function launchGateway(
	args: readonly string[],
	stdin = '',
): { readonly child: ChildProcessWithoutNullStreams; readonly ended: Promise<GatewayEnd> } {
	const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
	running.add(child);
	child.once('exit', () => running.delete(child));
	let [stdout, stderr] = ['', ''];
	child.stdout.on('data', (chunk: Buffer) => {
		stdout += chunk;
	});
	child.stderr.on('data', (chunk: Buffer) => {
		stderr += chunk;
	});
	child.stdin.on('error', () => {});
	child.stdin.end(stdin);
	const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stdout, stderr }));
	return { child, ended };
}

/** Kills the processes that are still running and removes the folders. */
export async function cleanUpGateways(): Promise<void> {
	await Promise.all(
		[...running].map(async child => {
			const exited = once(child, 'exit');
			child.kill('SIGKILL');
			await exited;
		}),
	);
	for (const folder of folders) {
		fs.rmSync(folder, { recursive: true, force: true });
	}
	folders.clear();
}

async function readFirstLine(child: ChildProcess, log: () => string): Promise<string> {
	let text = '';
	for await (const chunk of child.stdout ?? []) {
		text += chunk;
		if (text.includes('\n')) {
			break;
		}
	}
	if (!text.includes('\n')) {
		throw new Error(`The gateway did not start: ${log()}`);
	}
	return text;
}

async function sendRequest(url: string, method: string, body: unknown, headers: Record<string, string>): Promise<Answer> {
	const response = await fetch(url, {
		method,
		headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
		...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
	});
	const text = await response.text();
	return { status: response.status, headers: response.headers, text, json: parseJson(text) };
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

async function openStream(url: string, init: RequestInit): Promise<EventSource> {
	const controller = new AbortController();
	const response = await fetch(url, { ...init, signal: controller.signal });
	const events: StreamedEvent[] = [];
	const waiting = new Set<() => void>();
	// the last incomplete event is kept separately: one growing string would be copied for each chunk, and slow readers are disconnected
	const chunks: string[] = [];
	const getReceivedText = () => chunks.join('');
	let rest = '';
	let ended = false;
	const notifyWaiters = () => {
		for (const each of waiting) {
			each();
		}
	};
	const done = (async () => {
		const decoder = new TextDecoder();
		for await (const chunk of response.body ?? []) {
			const text = decoder.decode(chunk, { stream: true });
			chunks.push(text);
			const blocks = (rest + text).split('\n\n');
			rest = blocks.pop() ?? '';
			for (const block of blocks) {
				if (block.trim() !== '') {
					events.push(JSON.parse(block.replace(/^data: /, '')) as StreamedEvent);
				}
			}
			notifyWaiters();
		}
	})()
		.catch((error: unknown) => {
			if (!controller.signal.aborted) {
				throw error;
			}
		})
		.finally(() => {
			ended = true;
			notifyWaiters();
		});
	// callers that wait for the end handle a broken stream
	done.catch(() => {});
	let taken = 0;
	return {
		status: response.status,
		async waitForEvent(kind) {
			for (;;) {
				const at = events.findIndex((event, i) => i >= taken && event.event === kind);
				if (at >= 0) {
					taken = at + 1;
					return events[at] as StreamedEvent;
				}
				if (ended) {
					throw new Error(`The stream ended without ${kind}: …${getReceivedText().slice(-2000)}`);
				}
				await new Promise<void>(resolve => {
					const resolveWaiter = () => {
						waiting.delete(resolveWaiter);
						resolve();
					};
					waiting.add(resolveWaiter);
				});
			}
		},
		async readRemainingEvents() {
			await done;
			return events;
		},
		getReceivedText: getReceivedText,
		async cancel() {
			controller.abort();
			await done;
		},
	};
}
