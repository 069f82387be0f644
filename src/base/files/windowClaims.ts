import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createAtomically, writeAtomicallySync } from './atomicFiles.ts';
import type { WindowPresence } from './windowPresence.ts';

/**
 * Manages claims for items of a folder that only one window may have open at a time. The file `ID.owner` names the window that has claimed
 * an item. Claims of closed windows don't count.
 */
export class WindowClaims {
	readonly #folder: string;
	readonly #windows: WindowPresence;

	constructor(folder: string, windows: WindowPresence) {
		this.#folder = folder;
		this.#windows = windows;
	}

	/** Claims an item for this window. Resolves to true if this window has the claim. Rejects if the folder can't be written. */
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

	/** Synchronously claims a new item that other windows don't know yet. Throws if the folder can't be written. */
	claimNew(id: string): void {
		this.#windows.enter();
		writeAtomicallySync(this.#getFile(id), this.#windows.name);
	}

	/** Releases this window's claim on an item. */
	release(id: string): void {
		if (this.#readOwner(id) === this.#windows.name) {
			fs.rmSync(this.#getFile(id), { force: true });
		}
	}

	/**
	 * Removes the claim of a closed window. If several windows try, only one can move the file. That window then restores the file if it is a
	 * newer claim.
	 */
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
