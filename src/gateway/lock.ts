import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Who serves a data folder, and where (`gateway.lock`). */
export interface LockInfo {
	readonly pid: number;
	readonly port: number;
	/** ISO 8601. */
	readonly started: string;
}

/**
 * The sign on a data folder that says where its gateway listens. What really keeps a folder to one gateway is the store's
 * `FolderHold`: whoever has it may write over a sign that was left behind.
 */
export class Lock {
	readonly #file: string;

	constructor(folder: string) {
		this.#file = join(folder, 'gateway.lock');
	}

	/** Puts up the sign of this process. To be called by the holder of the store only. */
	write(port: number): void {
		const info: LockInfo = { pid: process.pid, port, started: new Date().toISOString() };
		const temporary = `${this.#file}.${process.pid}`;
		writeFileSync(temporary, `${JSON.stringify(info)}\n`, { mode: 0o600 });
		renameSync(temporary, this.#file);
	}

	/** Takes down the sign of this process. */
	remove(): void {
		if (this.read()?.pid === process.pid) {
			rmSync(this.#file, { force: true });
		}
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

function isLockInfo(value: unknown): value is LockInfo {
	return typeof value === 'object' && value !== null && 'pid' in value && 'port' in value && typeof value.port === 'number';
}
