import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { writeFileAtomicallySync } from './atomicFiles.ts';
import { createFileAtomically } from './createFile.ts';
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

	/** Claims an item for this window. Resolves to true if this window has the claim. Rejects if the folder can't be read and written. */
	async claimItem(id: string): Promise<boolean> {
		this.#windows.announceWindow();
		for (;;) {
			if (await createFileAtomically(this.#getFile(id), this.#windows.name)) {
				return true;
			}
			const owner = readOwner(this.#getFile(id));
			if (owner === this.#windows.name) {
				return true;
			}
			if (owner !== undefined && this.#windows.isWindowOpen(owner)) {
				return false;
			}
			this.#removeStaleClaim(id, owner);
		}
	}

	/** Synchronously claims a new item that other windows don't know yet. Throws if the folder can't be written. */
	claimNewItem(id: string): void {
		this.#windows.announceWindow();
		writeFileAtomicallySync(this.#getFile(id), this.#windows.name);
	}

	/** Releases this window's claim on an item. */
	releaseItem(id: string): void {
		const file = this.#getFile(id);
		if (isClaimOf(file, this.#windows.name)) {
			fs.rmSync(file, { force: true });
		}
	}

	/**
	 * Removes the claim of a closed window. If several windows try, only one can move the file. That window then restores the file if it is a
	 * newer claim or can't be read.
	 */
	#removeStaleClaim(id: string, owner: string | undefined): void {
		const moved = `${this.#getFile(id)}.${randomUUID()}.tmp`;
		try {
			fs.renameSync(this.#getFile(id), moved);
			if (!isClaimOf(moved, owner)) {
				fs.linkSync(moved, this.#getFile(id));
			}
		} catch {
			// another window was faster
		}
		fs.rmSync(moved, { force: true });
	}

	#getFile(id: string): string {
		return path.join(this.#folder, `${id}.owner`);
	}
}

/** Returns the name of the window that has a claim, or `undefined` if there is no claim. Throws if the file can't be read. */
function readOwner(file: string): string | undefined {
	try {
		return fs.readFileSync(file, 'utf8').trim() || undefined;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return undefined;
		}
		throw error;
	}
}

function isClaimOf(file: string, owner: string | undefined): boolean {
	try {
		return readOwner(file) === owner;
	} catch {
		return false;
	}
}
