import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { gatewayProgram } from '../assets.ts';
import { CliFault, exitCodes } from '../cliFault.ts';
import type { Interrupt } from '../interrupt.ts';

/** Where a gateway listens, and with which key. */
export interface GatewayEndpoint {
	readonly baseUrl: string;
	readonly key: string;
}

/** Seconds that a gateway stays for which nobody is attached any more: its command was killed. */
const idleSeconds = 10;
const startTimeoutMs = 60_000;
/** Exit code of a gateway whose data folder another one serves. */
const folderInUse = 3;
/** Lines of the log that are kept to say why it did not start. */
const mostLines = 40;

type Child = ChildProcessByStdio<null, Readable, Readable>;

/** A gateway process of this command's own. */
export class GatewayChild {
	readonly endpoint: GatewayEndpoint;
	readonly #child: Child;
	readonly #closed: Promise<void>;

	private constructor(child: Child, endpoint: GatewayEndpoint, closed: Promise<void>) {
		this.#child = child;
		this.endpoint = endpoint;
		this.#closed = closed;
	}

	/**
	 * Starts it and resolves when it listens; to `undefined` where another gateway serves the data folder. Rejects with a {@link CliFault} that says why
	 * it does not start, in the gateway's own words.
	 *
	 * @param flags of gateway.js, besides those that are the same for all
	 * @param environment variables that it is given
	 * @param ending what a process that ends at once does: it takes the gateway with it
	 */
	static async start(
		flags: readonly string[],
		environment: NodeJS.ProcessEnv,
		ending: Pick<Interrupt, 'onEnd'>,
	): Promise<GatewayChild | undefined> {
		// detached: a Ctrl-C in the terminal is this command's to act on, which has runs stopped before it ends the gateway
		const child: Child = spawn(
			process.execPath,
			[gatewayProgram, '--port', '0', '--ready-json', '--log', 'text', '--exit-when-idle', String(idleSeconds), ...flags],
			{ env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true, windowsHide: true },
		);
		ending.onEnd(() => child.kill('SIGKILL'));
		const lines: string[] = [];
		createInterface({ input: child.stderr }).on('line', line => {
			lines.push(line);
			lines.splice(0, lines.length - mostLines);
		});
		const { promise, resolve, reject } = Promise.withResolvers<GatewayEndpoint | undefined>();
		const timer = setTimeout(() => {
			reject(new CliFault(`The built-in gateway did not listen within ${startTimeoutMs / 1000} s.`, exitCodes.unreached));
			child.kill('SIGKILL');
		}, startTimeoutMs);
		const closed = new Promise<void>(done => {
			child.on('error', error => {
				reject(new CliFault(`The built-in gateway cannot be started: ${error.message}.`));
				done();
			});
			// 'close' comes after the last of stderr, which says why
			child.on('close', (code, signal) => {
				if (code === folderInUse) {
					resolve(undefined);
				}
				reject(new CliFault(lines.at(-1) ?? `The built-in gateway ended with ${signal ?? `code ${code}`}.`));
				done();
			});
		});
		createInterface({ input: child.stdout }).once('line', line => {
			const { base_url: baseUrl, api_key: key } = JSON.parse(line) as { base_url: string; api_key: string };
			resolve({ baseUrl, key });
		});
		const endpoint = await promise.finally(() => clearTimeout(timer));
		return endpoint && new GatewayChild(child, endpoint, closed);
	}

	/** Ends it in order: runs that go on are stopped and written. */
	async end(): Promise<void> {
		this.#child.kill('SIGTERM');
		await this.#closed;
	}
}
