import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Removes files that belong to runs but are stored outside the history. They are named after the run's key and removed with their run. */
export class RunLeftovers {
	readonly #folders: readonly string[];
	readonly #onTrouble: (error: unknown) => void;

	constructor(folders: readonly string[], onTrouble: (error: unknown) => void) {
		this.#folders = folders;
		this.#onTrouble = onTrouble;
	}

	/** Removes the files of these runs. */
	removeFiles(keys: readonly string[]): Promise<void> {
		const gone = new Set(keys);
		return this.#removeMatchingFiles(key => gone.has(key));
	}

	/** Removes the files of all other runs, including those that left the history long ago. */
	removeOtherFiles(keys: readonly string[]): Promise<void> {
		const kept = new Set(keys);
		return this.#removeMatchingFiles(key => !kept.has(key));
	}

	async #removeMatchingFiles(isGone: (key: string) => boolean): Promise<void> {
		for (const folder of this.#folders) {
			try {
				// the folder is created with its first file
				const names = await readdir(folder).catch(() => []);
				const gone = names.filter(name => isGone(path.parse(name).name));
				await Promise.all(gone.map(name => rm(path.join(folder, name), { force: true })));
			} catch (error) {
				this.#onTrouble(error);
			}
		}
	}
}
