import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DisposableBase } from '../disposables.ts';
import { isProcessAlive } from '../isAlive.ts';
import { writeFileAtomicallySync } from './atomicFiles.ts';

const beatMs = 15_000;
/** A window counts as closed if it has sent no heartbeat for this many milliseconds. Longer than timers are delayed on a busy machine. */
const goneMs = 90_000;

/**
 * Tracks which of the windows that share a data folder are open. Windows without a workspace folder share a data folder, and so may windows
 * of several machines on a remote folder. (VS Code gives a second window on the same folder separate storage.) A window that owns nothing
 * writes nothing.
 */
export class WindowPresence extends DisposableBase {
	/** Random name of this window. Changes on reload. */
	readonly name = randomUUID();
	readonly #folder: string;
	#timer: NodeJS.Timeout | undefined;

	constructor(dataFolder: string) {
		super();
		this.#folder = path.join(dataFolder, 'windows');
		this.register({ dispose: () => this.#withdrawWindow() });
	}

	/**
	 * Makes this window visible to others. Must be called before the window becomes the owner of something. Throws if the folder can't be
	 * written.
	 */
	announceWindow(): void {
		if (this.#timer || this.disposed) {
			return;
		}
		writeFileAtomicallySync(this.#getFile(this.name), JSON.stringify({ pid: process.pid, host: os.hostname() }));
		this.#timer = setInterval(() => this.#touchFile(), beatMs);
		this.#timer.unref();
	}

	/** True if the named window is open. Its heartbeat must be recent, and its process must exist if it runs on this machine. */
	isWindowOpen(name: string): boolean {
		if (name === this.name) {
			return !this.disposed;
		}
		try {
			const file = this.#getFile(name);
			const { pid, host } = JSON.parse(fs.readFileSync(file, 'utf8')) as { pid?: unknown; host?: unknown };
			return Date.now() - fs.statSync(file).mtimeMs < goneMs && (host !== os.hostname() || isProcessAlive(Number(pid)));
		} catch {
			return false;
		}
	}

	#touchFile(): void {
		try {
			const now = new Date();
			fs.utimesSync(this.#getFile(this.name), now, now);
		} catch {
			// the folder is missing or temporarily unreachable: retry at the next heartbeat
		}
	}

	#withdrawWindow(): void {
		if (this.#timer) {
			clearInterval(this.#timer);
			fs.rmSync(this.#getFile(this.name), { force: true });
		}
	}

	/** Sanitizes names because they come from files of other processes. */
	#getFile(name: string): string {
		return path.join(this.#folder, path.basename(name));
	}
}
