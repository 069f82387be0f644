import { readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Minimum age of files of unknown runs before they are removed. The record of a newer one may not be saved yet. */
const unknownMs = 86_400_000;

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
		return this.#removeMatchingFiles(key => gone.has(key), 0);
	}

	/** Removes the old files of all other runs, which left the history long ago. `keys` must contain the runs of all windows. */
	removeOtherFiles(keys: ReadonlySet<string>): Promise<void> {
		return this.#removeMatchingFiles(key => !keys.has(key), unknownMs);
	}

	async #removeMatchingFiles(isGone: (key: string) => boolean, minimumAge: number): Promise<void> {
		for (const folder of this.#folders) {
			try {
				// the folder is created with its first file
				const names = await readdir(folder).catch(() => []);
				const gone = names.filter(name => isGone(path.parse(name).name)).map(name => path.join(folder, name));
				await Promise.all(gone.map(file => removeFile(file, minimumAge)));
			} catch (error) {
				this.#onTrouble(error);
			}
		}
	}
}

async function removeFile(file: string, minimumAge: number): Promise<void> {
	if (minimumAge === 0 || Date.now() - (await stat(file)).mtimeMs > minimumAge) {
		await rm(file, { force: true });
	}
}
