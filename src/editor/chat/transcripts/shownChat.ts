import { readFileSync } from 'node:fs';
import path from 'node:path';
import { WindowFile } from '#base/files/windowFile.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';

/**
 * Remembers which chat the view or the last panel shows. A new window starts with the chat of the window that closed last. Doesn't use
 * VS Code's workspace state, which is written with a delay: a window that reloads before that would show another chat.
 */
export class ShownChat {
	readonly #file: WindowFile;
	#id: string | undefined;

	/**
	 * @param folder folder of this workspace's chats
	 * @param failed called when a write fails
	 */
	constructor(folder: string, windows: WindowPresence, failed: (error: unknown) => void) {
		this.#file = new WindowFile(path.join(folder, 'shown'), windows, failed);
		this.#id = this.#file.takeOverFiles(1).texts[0]?.trim() || readLegacyFile(folder);
	}

	/** ID of the chat, or undefined if none was shown yet. */
	get id(): string | undefined {
		return this.#id;
	}

	rememberChat(id: string): void {
		if (id !== this.#id) {
			this.#id = id;
			this.#file.writeSync(id);
		}
	}
}

/** Reads the chat's ID from the file that all windows of a folder shared up to version 0.1.0. */
function readLegacyFile(folder: string): string | undefined {
	try {
		return readFileSync(path.join(folder, 'shown.txt'), 'utf8').trim() || undefined;
	} catch {
		return undefined;
	}
}
