import fs from 'node:fs';
import path from 'node:path';
import { writeFileAtomically, writeFileAtomicallySync } from './atomicFiles.ts';
import type { WindowPresence } from './windowPresence.ts';

/** Text that a window has written. */
interface WindowText {
	readonly text: string;
	/** Name of the open window that wrote it. */
	readonly owner: string;
}

/**
 * Stores state in a separate file for each window, `OWNER.json` in one folder, so that windows don't overwrite each other's state. Another
 * window takes over the file of a closed window by renaming it, so that exactly one window gets it.
 */
export class WindowFile {
	readonly #folder: string;
	readonly #windows: WindowPresence;
	/** The latest text, to write after the current write. */
	#next: string | undefined;
	#writing = false;
	#closed = false;
	readonly #failed: (error: unknown) => void;

	/** `failed` is called with write errors, such as a full disk. */
	constructor(folder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#folder = folder;
		this.#windows = windows;
		this.#failed = failed;
	}

	/** Returns the texts that other open windows have written last. */
	readOtherWindows(): WindowText[] {
		return this.#listOwners()
			.filter(owner => this.#isOwnerOpen(owner))
			.flatMap(owner => {
				const text = readText(this.#getFile(owner));
				return text === undefined ? [] : [{ owner, text }];
			});
	}

	/**
	 * Takes over at most `most` files of closed windows, last changed first. If this window has no file yet, the first one becomes its file.
	 * The others must be written to this window's file before calling `forget`, which deletes them, so that a crash loses nothing.
	 */
	takeOverFiles(most = Number.POSITIVE_INFINITY): { readonly texts: readonly string[]; readonly forget: (() => void) | undefined } {
		const gone = this.#listOwners()
			.filter(owner => !this.#isOwnerOpen(owner))
			.map(owner => ({ owner, changed: fs.statSync(this.#getFile(owner), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
			.sort((a, b) => b.changed - a.changed)
			.slice(0, most);
		const texts: string[] = [];
		const extra: string[] = [];
		for (const { owner } of gone) {
			const isFirst = !fs.existsSync(this.#own);
			const mine = isFirst ? this.#own : this.#getFile(`${this.#windows.name}.${owner.split('.').at(-1)}`);
			try {
				this.#windows.announceWindow();
				fs.renameSync(this.#getFile(owner), mine);
			} catch {
				// another window was faster, or the folder can't be written
				continue;
			}
			extra.push(...(isFirst ? [] : [mine]));
			const text = readText(mine);
			texts.push(...(text === undefined ? [] : [text]));
		}
		const deleteMergedFiles = () => extra.forEach(file => void fs.rmSync(file, { force: true }));
		return { texts, forget: extra.length > 0 ? deleteMergedFiles : undefined };
	}

	/** Starts writing a text. If a write is already in progress, only the latest text is written after it. */
	write(text: string): void {
		this.#next = text;
		if (!this.#writing && !this.#closed) {
			this.#writing = true;
			void this.#writePending();
		}
	}

	/** Writes a text synchronously, for a window that is closing. */
	writeSync(text: string): void {
		try {
			this.#windows.announceWindow();
			this.#next = undefined;
			writeFileAtomicallySync(this.#own, text);
		} catch (error) {
			this.#failed(error);
		}
	}

	/** Writes a text like {@link writeSync}, and ignores all later writes. */
	close(text: string): void {
		this.#closed = true;
		this.writeSync(text);
	}

	/** Calls `changed` when another window may have written something, until the returned function is called. */
	watchOtherWindows(changed: () => void): () => void {
		try {
			fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
			const watcher = fs.watch(this.#folder, { persistent: false }, changed);
			watcher.on('error', () => watcher.close());
			return () => watcher.close();
		} catch {
			// the folder can't be created, or the file system doesn't report changes
			return () => {};
		}
	}

	/** Never rejects. */
	async #writePending(): Promise<void> {
		while (this.#next !== undefined && !this.#closed) {
			const text = this.#next;
			this.#next = undefined;
			try {
				this.#windows.announceWindow();
				await writeFileAtomically(this.#own, text, () => !this.#closed);
			} catch (error) {
				if (!this.#closed) {
					this.#failed(error);
				}
			}
		}
		this.#writing = false;
	}

	get #own(): string {
		return this.#getFile(this.#windows.name);
	}

	/** Lists the owners of all files except this window. `OWNER.OTHER.json` is a file that `OWNER` has taken over but not merged yet. */
	#listOwners(): string[] {
		let names: string[];
		try {
			names = fs.readdirSync(this.#folder);
		} catch {
			return [];
		}
		return names
			.flatMap(name => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
			.filter(owner => getWindowId(owner) !== this.#windows.name);
	}

	#isOwnerOpen(owner: string): boolean {
		return this.#windows.isWindowOpen(getWindowId(owner));
	}

	#getFile(owner: string): string {
		return path.join(this.#folder, `${owner}.json`);
	}
}

function getWindowId(owner: string): string {
	return owner.split('.', 1)[0] ?? '';
}

function readText(file: string): string | undefined {
	try {
		return fs.readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}
