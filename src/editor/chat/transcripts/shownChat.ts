import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WindowFile } from '#base/files/windowFile.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';

/**
 * Which chat the view, or the last panel, shows; of a window that was just opened, what the last one that is gone has shown. Not in the editor's state of
 * the workspace: that is written some time after it was set, and a window that is reloaded before then would open with another chat.
 */
export class ShownChat {
	readonly #file: WindowFile;
	#id: string | undefined;

	/**
	 * @param folder folder of this workspace's chats
	 * @param failed hears of writes that fail
	 */
	constructor(folder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#file = new WindowFile(path.join(folder, 'shown'), windows, failed);
		this.#id = this.#file.takeOver(1).texts[0]?.trim() || oldShown(folder);
	}

	/** The chat's ID; undefined where none was shown yet. */
	get id(): string | undefined {
		return this.#id;
	}

	remember(id: string): void {
		if (id !== this.#id) {
			this.#id = id;
			this.#file.writeNow(id);
		}
	}
}

/** The one file that all windows of a folder wrote up to version 0.1.0. */
function oldShown(folder: string): string | undefined {
	try {
		return readFileSync(path.join(folder, 'shown.txt'), 'utf8').trim() || undefined;
	} catch {
		return undefined;
	}
}
