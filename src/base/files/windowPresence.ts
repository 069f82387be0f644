import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DisposableBase } from '../disposables.ts';
import { isAlive } from '../isAlive.ts';
import { writeAtomicallySync } from './atomicFiles.ts';

const beatMs = 15_000;
/** Without a heartbeat for this long, a window counts as closed; longer than timers are delayed on a busy machine. */
const goneMs = 90_000;

/**
 * Presence of this window among those that share a data folder: its name, and which others are open. Windows without a folder share one,
 * and so may windows of several machines on a remote folder; VS Code gives a second window on the same folder separate storage. A window
 * that owns nothing writes nothing.
 */
export class WindowPresence extends DisposableBase {
	/** Random name of this window; changes on reload. */
	readonly name = randomUUID();
	readonly #folder: string;
	#timer: NodeJS.Timeout | undefined;

	constructor(dataFolder: string) {
		super();
		this.#folder = path.join(dataFolder, 'windows');
		this.register({ dispose: () => this.#leave() });
	}

	/** Makes this window visible to others. Call before it becomes the owner of something. Throws if the folder can't be written. */
	enter(): void {
		if (this.#timer || this.disposed) {
			return;
		}
		writeAtomicallySync(this.#getFile(this.name), JSON.stringify({ pid: process.pid, host: os.hostname() }));
		this.#timer = setInterval(() => this.#touchFile(), beatMs);
		this.#timer.unref();
	}

	/** True if the named window is open: its heartbeat is recent, and its process exists if it runs on this machine. */
	isOpen(name: string): boolean {
		if (name === this.name) {
			return !this.disposed;
		}
		try {
			const file = this.#getFile(name);
			const { pid, host } = JSON.parse(fs.readFileSync(file, 'utf8')) as { pid?: unknown; host?: unknown };
			return Date.now() - fs.statSync(file).mtimeMs < goneMs && (host !== os.hostname() || isAlive(Number(pid)));
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

	#leave(): void {
		if (this.#timer) {
			clearInterval(this.#timer);
			fs.rmSync(this.#getFile(this.name), { force: true });
		}
	}

	/** Sanitizes names, which come from files of other processes. */
	#getFile(name: string): string {
		return path.join(this.#folder, path.basename(name));
	}
}
