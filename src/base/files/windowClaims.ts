import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createAtomically, writeAtomicallySync } from './atomicFiles.ts';
import type { WindowPresence } from './windowPresence.ts';

/**
 * Claims for items of a folder, by ID, that only one window at a time may have open: `ID.owner` names the window. Claims of closed windows
 * don't count.
 */
export class WindowClaims {
	readonly #folder: string;
	readonly #windows: WindowPresence;

	constructor(folder: string, windows: WindowPresence) {
		this.#folder = folder;
		this.#windows = windows;
	}

	/** Claims an item for this window. Resolves to true if this window has it; rejects if the folder can't be written. */
	async claim(id: string): Promise<boolean> {
		this.#windows.enter();
		for (;;) {
			if (await createAtomically(this.#getFile(id), this.#windows.name)) {
				return true;
			}
			const owner = this.#readOwner(id);
			if (owner === this.#windows.name) {
				return true;
			}
			if (owner !== undefined && this.#windows.isOpen(owner)) {
				return false;
			}
			this.#takeAway(id, owner);
		}
	}

	/** Claims a new item, unknown to other windows, synchronously. Throws if the folder can't be written. */
	claimNew(id: string): void {
		this.#windows.enter();
		writeAtomicallySync(this.#getFile(id), this.#windows.name);
	}

	/** Releases an item. */
	release(id: string): void {
		if (this.#readOwner(id) === this.#windows.name) {
			fs.rmSync(this.#getFile(id), { force: true });
		}
	}

	/** Removes a stale claim. If several windows try, only one moves it, and then checks that it didn't move a newer claim. */
	#takeAway(id: string, owner: string | undefined): void {
		const moved = `${this.#getFile(id)}.${randomUUID()}.tmp`;
		try {
			fs.renameSync(this.#getFile(id), moved);
			if (fs.readFileSync(moved, 'utf8').trim() !== (owner ?? '')) {
				fs.linkSync(moved, this.#getFile(id));
			}
		} catch {
			// another window was faster
		}
		fs.rmSync(moved, { force: true });
	}

	#readOwner(id: string): string | undefined {
		try {
			return fs.readFileSync(this.#getFile(id), 'utf8').trim();
		} catch {
			return undefined;
		}
	}

	#getFile(id: string): string {
		return path.join(this.#folder, `${id}.owner`);
	}
}
