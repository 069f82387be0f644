import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/**
 * Which chat the view, or the last panel, shows. Not in the editor's state of the workspace: that is written some time after it was set, and a window
 * that is reloaded before then would open with another chat.
 */
export class ShownChat {
	readonly #file: string;
	#id: string | undefined;

	/** @param folder folder of this workspace's chats */
	constructor(folder: string) {
		this.#file = path.join(folder, 'shown.txt');
	}

	/** The chat's ID; undefined where none was shown yet. */
	get id(): string | undefined {
		try {
			return readFileSync(this.#file, 'utf8').trim() || undefined;
		} catch {
			return undefined;
		}
	}

	/** Throws where the folder cannot be written. */
	remember(id: string): void {
		if (id !== this.#id) {
			mkdirSync(path.dirname(this.#file), { recursive: true });
			const beside = `${this.#file}.${process.pid}.tmp`;
			writeFileSync(beside, id, { mode: 0o600 });
			renameSync(beside, this.#file);
			this.#id = id;
		}
	}
}
