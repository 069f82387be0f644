import fs from 'node:fs';
import path from 'node:path';
import { writeWhole, writeWholeNow } from './wholeFiles.ts';
import type { WindowPresence } from './windowPresence.ts';

/** A text that a window has written, and whose it is. */
interface WindowText {
	readonly text: string;
	/** Name of the window that owns it; it is open. */
	readonly owner: string;
}

/**
 * State of which each window has a file of its own, `OWNER.json` in one folder: no window writes over what another has written. What a
 * window leaves behind is taken over by another one, by renaming, so that of several that try one gets it.
 */
export class WindowFile {
	readonly #folder: string;
	readonly #windows: WindowPresence;
	/** What is to be written once the write that goes on has ended. */
	#next: string | undefined;
	#writing = false;
	#closed = false;
	readonly #failed: (error: unknown) => void;

	/** `failed` hears of writes that fail, such as on a full disk. */
	constructor(folder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#folder = folder;
		this.#windows = windows;
		this.#failed = failed;
	}

	/** Texts of other windows that are open, as they were written last. */
	ofOthers(): WindowText[] {
		return this.#owners()
			.filter(owner => this.#isOpen(owner))
			.flatMap(owner => {
				const text = readText(this.#file(owner));
				return text === undefined ? [] : [{ owner, text }];
			});
	}

	/**
	 * Takes over what windows have left that are gone, last changed first, no more than `most`. The first one becomes the file of this
	 * window, where it has none yet; the others are to be written with it before they are let go of (`forget`): a crash in between loses
	 * nothing.
	 */
	takeOver(most = Number.POSITIVE_INFINITY): { readonly texts: readonly string[]; readonly forget: (() => void) | undefined } {
		const gone = this.#owners()
			.filter(owner => !this.#isOpen(owner))
			.map(owner => ({ owner, changed: fs.statSync(this.#file(owner), { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
			.sort((a, b) => b.changed - a.changed)
			.slice(0, most);
		const texts: string[] = [];
		const extra: string[] = [];
		for (const { owner } of gone) {
			const isFirst = !fs.existsSync(this.#own);
			const mine = isFirst ? this.#own : this.#file(`${this.#windows.name}.${owner.split('.').at(-1)}`);
			try {
				this.#windows.enter();
				fs.renameSync(this.#file(owner), mine);
			} catch {
				// another window was faster, or the folder cannot be written
				continue;
			}
			extra.push(...(isFirst ? [] : [mine]));
			const text = readText(mine);
			texts.push(...(text === undefined ? [] : [text]));
		}
		const forget = () => extra.forEach(file => void fs.rmSync(file, { force: true }));
		return { texts, forget: extra.length > 0 ? forget : undefined };
	}

	/** Keeps a text; while a write goes on only the last of what comes is written. */
	write(text: string): void {
		this.#next = text;
		if (!this.#writing && !this.#closed) {
			this.#writing = true;
			void this.#work();
		}
	}

	/** Keeps a text before it returns: the window closes, and nobody waits for what is written later. */
	writeNow(text: string): void {
		try {
			this.#windows.enter();
			this.#next = undefined;
			writeWholeNow(this.#own, text);
		} catch (error) {
			this.#failed(error);
		}
	}

	/** Keeps a text as {@link writeNow}; nothing is written after it. */
	close(text: string): void {
		this.#closed = true;
		this.writeNow(text);
	}

	/** Calls back when another window may have written something, until the returned function is called. */
	watch(changed: () => void): () => void {
		try {
			fs.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
			const watcher = fs.watch(this.#folder, { persistent: false }, changed);
			watcher.on('error', () => watcher.close());
			return () => watcher.close();
		} catch {
			// a folder that cannot be made, or a file system that tells nothing
			return () => {};
		}
	}

	/** Never rejects. */
	async #work(): Promise<void> {
		while (this.#next !== undefined && !this.#closed) {
			const text = this.#next;
			this.#next = undefined;
			try {
				this.#windows.enter();
				await writeWhole(this.#own, text, () => !this.#closed);
			} catch (error) {
				if (!this.#closed) {
					this.#failed(error);
				}
			}
		}
		this.#writing = false;
	}

	get #own(): string {
		return this.#file(this.#windows.name);
	}

	/** Owners of the files that are there, but for this window. `OWNER.OTHER.json` is what `OWNER` has taken over and not yet let go of. */
	#owners(): string[] {
		let names: string[];
		try {
			names = fs.readdirSync(this.#folder);
		} catch {
			return [];
		}
		return names
			.flatMap(name => (name.endsWith('.json') ? [name.slice(0, -5)] : []))
			.filter(owner => windowOf(owner) !== this.#windows.name);
	}

	#isOpen(owner: string): boolean {
		return this.#windows.isOpen(windowOf(owner));
	}

	#file(owner: string): string {
		return path.join(this.#folder, `${owner}.json`);
	}
}

function windowOf(owner: string): string {
	return owner.split('.', 1)[0] ?? '';
}

function readText(file: string): string | undefined {
	try {
		return fs.readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}
