import fs from 'node:fs';
import path from 'node:path';
import { writeFileAtomically, writeFileAtomicallySync } from './atomicFiles.ts';
import type { WindowPresence } from './windowPresence.ts';

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
	/** Number of synchronous writes. They overtake an asynchronous write that has an older text. */
	#syncs = 0;
	/** Files that were taken over and may not be part of this window's file yet. */
	readonly #unmerged: string[] = [];
	#closed = false;
	readonly #failed: (error: unknown) => void;

	/** `failed` is called with write errors, such as a full disk. */
	constructor(folder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#folder = folder;
		this.#windows = windows;
		this.#failed = failed;
	}

	/**
	 * Returns the texts that other windows have written last, including closed windows whose file wasn't taken over. Returns `undefined` if
	 * some can't be read, for example because another window is just taking them over.
	 */
	readOtherWindows(): readonly string[] | undefined {
		try {
			return this.#listOwners().map(owner => fs.readFileSync(this.#getFile(owner), 'utf8'));
		} catch {
			return undefined;
		}
	}

	/**
	 * Takes over at most `most` files of closed windows, last changed first, and returns their texts. If this window has no file yet, the
	 * first one becomes its file. If `mustMerge` is true, all texts that are written from now on must contain these texts. The other files
	 * are deleted after a synchronous write has succeeded, so that neither a crash nor a full disk loses anything.
	 */
	takeOverFiles(most = Number.POSITIVE_INFINITY): { readonly texts: readonly string[]; readonly mustMerge: boolean } {
		const texts: string[] = [];
		const before = this.#unmerged.length;
		for (const { owner, file } of this.#listClosedOwners().slice(0, most)) {
			const isFirst = !fs.existsSync(this.#own);
			const mine = isFirst ? this.#own : this.#getFile(`${this.#windows.name}.${owner.split('.').at(-1)}`);
			try {
				const text = fs.readFileSync(file, 'utf8');
				this.#windows.announceWindow();
				fs.renameSync(file, mine);
				texts.push(text);
				if (!isFirst) {
					this.#unmerged.push(mine);
				}
			} catch {
				// another window was faster, the file can't be read, or the folder can't be written
			}
		}
		return { texts, mustMerge: this.#unmerged.length > before };
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
			this.#syncs++;
			this.#unmerged.splice(0).forEach(file => void fs.rmSync(file, { force: true }));
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
			const syncs = this.#syncs;
			this.#next = undefined;
			try {
				this.#windows.announceWindow();
				await writeFileAtomically(this.#own, text, () => this.#syncs === syncs);
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

	/**
	 * Lists the owners of all files except this window. `OWNER.OTHER.json` is a file that `OWNER` has taken over but not merged yet, and comes
	 * after the newer `OWNER.json`. Throws if the folder can't be listed.
	 */
	#listOwners(): string[] {
		return listFolder(this.#folder)
			.flatMap(name => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
			.filter(owner => getWindowId(owner) !== this.#windows.name)
			.sort((a, b) => a.length - b.length);
	}

	#listClosedOwners(): { readonly owner: string; readonly file: string; readonly changed: number }[] {
		try {
			return this.#listOwners()
				.filter(owner => !this.#windows.isWindowOpen(getWindowId(owner)))
				.map(owner => {
					const file = this.#getFile(owner);
					return { owner, file, changed: fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
				})
				.sort((a, b) => b.changed - a.changed);
		} catch {
			// take them over later
			return [];
		}
	}

	#getFile(owner: string): string {
		return path.join(this.#folder, `${owner}.json`);
	}
}

function getWindowId(owner: string): string {
	return owner.split('.', 1)[0] ?? '';
}

function listFolder(folder: string): string[] {
	try {
		return fs.readdirSync(folder);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return [];
		}
		throw error;
	}
}
