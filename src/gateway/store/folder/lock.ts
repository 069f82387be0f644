import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';
import { writePrivateFile } from '../../process/privateFile.ts';
import { openFailureOf } from './storeFiles.ts';

/** A gateway on this machine answers sooner, unless it is about to be killed. */
const answerMs = 2_000;

/** Who serves a data folder, and where (`gateway.lock`). */
export interface LockInfo {
	readonly pid: number;
	readonly port: number;
	/** Random name of this one start of a gateway; `GET /healthz` on {@link port} answers the same (`instance`), or the sign was left behind. */
	readonly instance: string;
	/** ISO 8601. */
	readonly started: string;
}

/**
 * The sign on a data folder that says where its gateway listens. What really keeps a folder to one gateway is the store's
 * `FolderHold`: whoever has it may write over a sign that was left behind.
 */
export class Lock {
	/** As in {@link LockInfo}. */
	readonly instance = randomUUID();
	readonly #file: string;

	constructor(folder: string) {
		this.#file = join(folder, 'gateway.lock');
	}

	/** Puts up the sign of this process. To be called by the holder of the store only. Throws an `OpenFailure`. */
	write(port: number): void {
		const info: LockInfo = { pid: process.pid, port, instance: this.instance, started: new Date().toISOString() };
		try {
			writePrivateFile(this.#file, `${JSON.stringify(info)}\n`);
		} catch (error) {
			throw openFailureOf(this.#file, error);
		}
	}

	/** Takes down the sign of this process. */
	remove(): void {
		if (this.read()?.instance === this.instance) {
			rmSync(this.#file, { force: true });
		}
	}

	/** Whether the gateway that the sign names serves this folder, here or on `host`: its hold may have been removed under it. */
	async isServed(host: string): Promise<boolean> {
		const info = this.read();
		const hosts = new Set(['127.0.0.1', isIPv6(host) ? `[${host}]` : host]);
		const answers = await Promise.all([...hosts].map(each => info && instanceAt(`http://${each}:${info.port}`)));
		return info !== undefined && answers.includes(info.instance);
	}

	/** What the sign says; undefined if there is none that can be read. */
	read(): LockInfo | undefined {
		try {
			const info: unknown = JSON.parse(readFileSync(this.#file, 'utf8'));
			return isLockInfo(info) ? info : undefined;
		} catch {
			return undefined;
		}
	}
}

/** Instance of the gateway that listens there; undefined if none does. */
async function instanceAt(baseUrl: string): Promise<unknown> {
	try {
		const response = await fetch(`${baseUrl}/healthz`, { signal: AbortSignal.timeout(answerMs), redirect: 'error' });
		return ((await response.json()) as { instance?: unknown } | null)?.instance;
	} catch {
		return undefined;
	}
}

function isLockInfo(value: unknown): value is LockInfo {
	return (
		typeof value === 'object' &&
		value !== null &&
		'pid' in value &&
		'port' in value &&
		typeof value.port === 'number' &&
		'instance' in value
	);
}
