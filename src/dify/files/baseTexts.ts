import fs from 'node:fs/promises';
import path from 'node:path';
import { replaceFile } from '#base/files/replaceFile.ts';
import { hashContent } from '../content/contentHash.ts';

/** Number of texts to keep; the oldest are deleted. */
const mostTexts = 200;

/** Stores the text of agent files when they last matched their apps, by content hash, so that later changes of both can be merged. */
export class BaseTexts {
	readonly #folder: string;

	/** @param folder absolute path; created with the first text */
	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Saves the text of a file, if its content has this hash. */
	async saveBase(text: string, hash: string): Promise<void> {
		if (!hasContent(text, hash)) {
			return;
		}
		await fs.mkdir(this.#folder, { recursive: true, mode: 0o700 });
		await replaceFile(this.#getFile(hash), text, 0o600);
		await this.#removeOld();
	}

	/** Returns the text whose content has this hash, or `undefined` if it isn't stored. */
	async readBase(hash: string): Promise<string | undefined> {
		const text = await fs.readFile(this.#getFile(hash), 'utf8').catch(() => undefined);
		return text !== undefined && hasContent(text, hash) ? text : undefined;
	}

	#getFile(hash: string): string {
		return path.join(this.#folder, `${path.basename(hash)}.base`);
	}

	async #removeOld(): Promise<void> {
		const names = (await fs.readdir(this.#folder)).filter(name => name.endsWith('.base'));
		if (names.length <= mostTexts) {
			return;
		}
		const files = names.map(async name => {
			const file = path.join(this.#folder, name);
			return { file, at: (await fs.stat(file).catch(() => undefined))?.mtimeMs ?? 0 };
		});
		const old = (await Promise.all(files)).sort((a, b) => b.at - a.at).slice(mostTexts);
		await Promise.all(old.map(({ file }) => fs.rm(file, { force: true })));
	}
}

function hasContent(text: string, hash: string): boolean {
	try {
		return hashContent(text) === hash;
	} catch {
		return false;
	}
}
