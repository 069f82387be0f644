import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';

/** Files that runs leave beside the history, each named by its run's key: what was made of them goes with them. */
export class RunLeftovers {
	readonly #folders: readonly string[];
	readonly #onTrouble: (error: unknown) => void;

	constructor(folders: readonly string[], onTrouble: (error: unknown) => void) {
		this.#folders = folders;
		this.#onTrouble = onTrouble;
	}

	/** Removes what these runs left. */
	remove(keys: readonly string[]): Promise<void> {
		const gone = new Set(keys);
		return this.#removeIf(key => gone.has(key));
	}

	/** Removes what all but these runs left: also that of runs which left the history long ago. */
	keepOnly(keys: readonly string[]): Promise<void> {
		const kept = new Set(keys);
		return this.#removeIf(key => !kept.has(key));
	}

	async #removeIf(isGone: (key: string) => boolean): Promise<void> {
		for (const folder of this.#folders) {
			try {
				// the folder comes with its first file
				const names = await readdir(folder).catch(() => []);
				const gone = names.filter(name => isGone(path.parse(name).name));
				await Promise.all(gone.map(name => rm(path.join(folder, name), { force: true })));
			} catch (error) {
				this.#onTrouble(error);
			}
		}
	}
}
