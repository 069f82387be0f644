import { type ChildProcess, spawn } from 'node:child_process';
import { getField } from '#base/records/plainValues.ts';
import { tryParseJson } from '#base/text/json.ts';
import { gatewayExit, gatewayNodeFlags, type ReadyLine } from '#contract/localGateway.ts';
import { readLines } from './readLines.ts';

/** Options for starting a gateway process. */
interface GatewayStart {
	/** Path of `dist/gateway.js`. */
	readonly program: string;
	/** Flags besides those that all callers share. */
	readonly flags: readonly string[];
	readonly environment: NodeJS.ProcessEnv;
	/** The line for `--stdin-keys`; absent if stdin is not read. */
	readonly keys?: Readonly<Record<string, unknown>>;
	/** Seconds that it keeps running with nothing attached. */
	readonly idleSeconds: number;
	/** Maximum time until it listens. */
	readonly timeoutMs: number;
	/** A line of its log (stderr), without the line break. */
	readonly onLog?: (line: string) => void;
}

interface SpawnedGateway {
	readonly process: ChildProcess;
	/** Resolves when it listens. Rejects with a {@link GatewayStartError}. */
	readonly ready: Promise<ReadyLine>;
	/** Resolves when it has exited or couldn't be started. */
	readonly closed: Promise<void>;
}

/** Why a gateway didn't start. The message continues a sentence that starts with its name: "… ended with code 1". */
export class GatewayStartError extends Error {
	override readonly name = 'GatewayStartError';
	readonly reason: 'spawn' | 'timeout' | 'folder-in-use' | 'store' | 'ended';
	/** Last line of its log; empty if there is none. */
	readonly lastLine: string;
	/** True if it would start with a new store. */
	readonly canSetAside: boolean;
	/** How its process ended, for example `code 1` or `SIGKILL`; empty if it didn't. */
	readonly exit: string;

	constructor(
		reason: GatewayStartError['reason'],
		message: string,
		{ lastLine, canSetAside } = { lastLine: '', canSetAside: false },
		exit = '',
	) {
		super(message);
		this.reason = reason;
		this.lastLine = lastLine;
		this.canSetAside = canSetAside;
		this.exit = exit;
	}
}

/** Starts a gateway as a detached process, so that it survives this process and a Ctrl-C in its terminal. */
export function spawnGateway(start: GatewayStart): SpawnedGateway {
	const { program, flags, environment, keys, idleSeconds, onLog } = start;
	const common = ['--port', '0', '--ready-json', '--exit-when-idle', String(idleSeconds)];
	const child = spawn(process.execPath, [...gatewayNodeFlags, program, ...common, ...flags], {
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
		log.canSetAside ||= getField(tryParseJson(line), 'can_set_aside') === true;
		onLog?.(line);
	});
	const closed = new Promise<void>(resolve => {
		child.on('error', () => resolve());
		child.on('close', () => resolve());
	});
	return { process: child, ready: waitUntilReady(child, start.timeoutMs, log), closed };
}

function waitUntilReady(
	child: ReturnType<typeof spawn>,
	timeoutMs: number,
	log: { readonly lastLine: string; readonly canSetAside: boolean },
): Promise<ReadyLine> {
	const { promise, resolve, reject } = Promise.withResolvers<ReadyLine>();
	const timer = setTimeout(() => {
		reject(new GatewayStartError('timeout', `didn't start listening within ${timeoutMs / 1000} s`));
		child.kill();
	}, timeoutMs);
	if (child.stdout) {
		readLines(child.stdout, line => {
			const ready = tryParseJson(line);
			if (typeof getField(ready, 'base_url') === 'string') {
				resolve(ready as ReadyLine);
			}
		});
	}
	child.on('error', error => reject(new GatewayStartError('spawn', error.message)));
	// 'close' comes after the end of stderr, which contains the reason
	child.on('close', (code, signal) => {
		const exit = signal ?? `code ${code}`;
		reject(new GatewayStartError(getExitReason(code), `exited with ${exit}`, log, exit));
	});
	return promise.finally(() => clearTimeout(timer));
}

function getExitReason(code: number | null): GatewayStartError['reason'] {
	return code === gatewayExit.folderInUse ? 'folder-in-use' : code === gatewayExit.storeNotOpened ? 'store' : 'ended';
}
