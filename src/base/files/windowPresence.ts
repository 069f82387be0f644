import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DisposableBase } from '../disposables.ts';
import { isProcessAlive } from '../isAlive.ts';
import { writeFileAtomicallySync } from './atomicFiles.ts';

const beatMs = 15_000;
/** Number of heartbeats that an open window doesn't miss in a row, even if timers are delayed on a busy machine. */
const mostMissedBeats = 6;

/**
 * Tracks which of the windows that share a data folder are open. Windows without a workspace folder share a data folder, and so may windows
 * of several machines on a remote folder. (VS Code gives a second window on the same folder separate storage.) A window that owns nothing
 * writes nothing.
 */
export class WindowPresence extends DisposableBase {
	/** Random name of this window. Changes on reload. */
	readonly name = randomUUID();
	readonly #folder: string;
	readonly #timer = setInterval(() => this.#sendHeartbeat(), beatMs);
	#announced = false;
	#lastBeat = Date.now();
	/** Number of heartbeats since this machine was last suspended. */
	#beats = 0;

	constructor(dataFolder: string) {
		super();
		this.#folder = path.join(dataFolder, 'windows');
		this.#timer.unref();
		this.register({ dispose: () => this.#withdrawWindow() });
	}

	/**
	 * Makes this window visible to others. Must be called before the window becomes the owner of something. Throws if the folder can't be
	 * written.
	 */
	announceWindow(): void {
		if (this.#announced || this.disposed) {
			return;
		}
		const { pid } = process;
		writeFileAtomicallySync(this.#getFile(this.name), JSON.stringify({ pid, host: os.hostname(), started: readProcessStart(pid) }));
		this.#announced = true;
	}

	/**
	 * True if the named window is open or that is unknown. Its process must exist if it runs on this machine. Without a recent heartbeat, it
	 * must be the same process, or this machine was suspended until a moment ago.
	 */
	isWindowOpen(name: string): boolean {
		if (name === this.name) {
			return !this.disposed;
		}
		try {
			const file = this.#getFile(name);
			const { pid, host, started } = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown>;
			const isRecent = Date.now() - fs.statSync(file).mtimeMs < mostMissedBeats * beatMs;
			if (host !== os.hostname()) {
				return isRecent;
			}
			// if this machine was awake for so long, an open window must have sent a heartbeat
			const wasAwake = this.#beats > mostMissedBeats && Date.now() - this.#lastBeat < 2 * beatMs;
			const isSame = started === undefined ? !wasAwake : started === readProcessStart(pid);
			return isProcessAlive(Number(pid)) && (isRecent || isSame);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			return code !== undefined && code !== 'ENOENT';
		}
	}

	#sendHeartbeat(): void {
		const now = new Date();
		this.#beats = now.getTime() - this.#lastBeat < 2 * beatMs ? this.#beats + 1 : 0;
		this.#lastBeat = now.getTime();
		try {
			if (this.#announced) {
				fs.utimesSync(this.#getFile(this.name), now, now);
			}
		} catch {
			// the folder is missing or temporarily unreachable: retry at the next heartbeat
		}
	}

	#withdrawWindow(): void {
		clearInterval(this.#timer);
		if (this.#announced) {
			fs.rmSync(this.#getFile(this.name), { force: true });
		}
	}

	/** Sanitizes names because they come from files of other processes. */
	#getFile(name: string): string {
		return path.join(this.#folder, path.basename(name));
	}
}

/** Returns the time when a process started, in the system's own unit, because process IDs are reused. Only Linux has a file for it. */
function readProcessStart(pid: unknown): string | undefined {
	try {
		// the name in parentheses can contain spaces; the start time is the 20th field after it
		return fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19];
	} catch {
		return undefined;
	}
}
