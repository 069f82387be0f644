import { type ChildProcess, spawn } from 'node:child_process';
import { fieldOf } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { gatewayExit, type ReadyLine } from '#contract/localGateway.ts';
import { readLines } from './readLines.ts';

/** What a gateway process is started with. */
interface GatewayStart {
	/** `dist/gateway.js`. */
	readonly program: string;
	/** Flags besides those that are the same for every caller. */
	readonly flags: readonly string[];
	readonly environment: NodeJS.ProcessEnv;
	/** The line for `--stdin-keys`; absent if stdin is not read. */
	readonly keys?: Readonly<Record<string, unknown>>;
	/** Seconds that it stays while nobody is attached. */
	readonly idleSeconds: number;
	/** Longest that it may take to listen. */
	readonly timeoutMs: number;
	/** A line of its log (stderr), without the line break. */
	readonly onLog?: (line: string) => void;
}

/** A gateway process that was started here. */
interface SpawnedGateway {
	readonly process: ChildProcess;
	/** Resolves once it listens. Rejects with a {@link GatewayStartError}. */
	readonly ready: Promise<ReadyLine>;
	/** Resolves once it has ended, or couldn't be started. */
	readonly closed: Promise<void>;
}

/** Why a gateway did not start. The message continues a sentence that begins with its name: "… ended with code 1". */
export class GatewayStartError extends Error {
	override readonly name = 'GatewayStartError';
	readonly reason: 'spawn' | 'timeout' | 'folder-in-use' | 'store' | 'ended';
	/** The last line of its log; empty if it wrote none. */
	readonly lastLine: string;
	/** Whether it would start with a new store. */
	readonly canSetAside: boolean;

	constructor(reason: GatewayStartError['reason'], message: string, { lastLine, canSetAside } = { lastLine: '', canSetAside: false }) {
		super(message);
		this.reason = reason;
		this.lastLine = lastLine;
		this.canSetAside = canSetAside;
	}
}

/** Starts a gateway as a process of its own, which the end of this one, or a Ctrl-C in its terminal, does not take along. */
export function spawnGateway(start: GatewayStart): SpawnedGateway {
	const { program, flags, environment, keys, idleSeconds, onLog } = start;
	const common = ['--port', '0', '--ready-json', '--exit-when-idle', String(idleSeconds)];
	const child = spawn(process.execPath, [program, ...common, ...flags], {
		env: environment,
		stdio: 'pipe',
		detached: true,
		windowsHide: true,
	});
	child.stdin.on('error', () => {});
	child.stdin.end(keys === undefined ? '' : `${JSON.stringify(keys)}\n`);
	const log = { lastLine: '', canSetAside: false };
	readLines(child.stderr, line => {
		log.lastLine = line;
		log.canSetAside ||= fieldOf(tryParseJson(line), 'can_set_aside') === true;
		onLog?.(line);
	});
	const closed = new Promise<void>(resolve => {
		child.on('error', () => resolve());
		child.on('close', () => resolve());
	});
	return { process: child, ready: whenReady(child, start.timeoutMs, log), closed };
}

function whenReady(
	child: ReturnType<typeof spawn>,
	timeoutMs: number,
	log: { readonly lastLine: string; readonly canSetAside: boolean },
): Promise<ReadyLine> {
	const { promise, resolve, reject } = Promise.withResolvers<ReadyLine>();
	const timer = setTimeout(() => {
		reject(new GatewayStartError('timeout', `did not listen within ${timeoutMs / 1000} s`));
		child.kill();
	}, timeoutMs);
	if (child.stdout) {
		readLines(child.stdout, line => {
			const ready = tryParseJson(line);
			if (typeof fieldOf(ready, 'base_url') === 'string') {
				resolve(ready as ReadyLine);
			}
		});
	}
	child.on('error', error => reject(new GatewayStartError('spawn', error.message)));
	// 'close' comes after the last of stderr, which says why
	child.on('close', (code, signal) => reject(new GatewayStartError(reasonOf(code), `ended with ${signal ?? `code ${code}`}`, log)));
	return promise.finally(() => clearTimeout(timer));
}

function reasonOf(code: number | null): GatewayStartError['reason'] {
	return code === gatewayExit.folderInUse ? 'folder-in-use' : code === gatewayExit.storeNotOpened ? 'store' : 'ended';
}
