import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { createWhole, writeWholeNow } from './wholeFiles.ts';
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
			if (await createWhole(this.#file(id), this.#windows.name)) {
				return true;
			}
			const owner = this.#owner(id);
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
		writeWholeNow(this.#file(id), this.#windows.name);
	}

	/** Releases an item. */
	release(id: string): void {
		if (this.#owner(id) === this.#windows.name) {
			fs.rmSync(this.#file(id), { force: true });
		}
	}

	/** Removes a stale claim. If several windows try, only one moves it, and then checks that it didn't move a newer claim. */
	#takeAway(id: string, owner: string | undefined): void {
		const moved = `${this.#file(id)}.${randomUUID()}.tmp`;
		try {
			fs.renameSync(this.#file(id), moved);
			if (fs.readFileSync(moved, 'utf8').trim() !== (owner ?? '')) {
				fs.linkSync(moved, this.#file(id));
			}
		} catch {
			// another window was faster
		}
		fs.rmSync(moved, { force: true });
	}

	#owner(id: string): string | undefined {
		try {
			return fs.readFileSync(this.#file(id), 'utf8').trim();
		} catch {
			return undefined;
		}
	}

	#file(id: string): string {
		return path.join(this.#folder, `${id}.owner`);
	}
}
