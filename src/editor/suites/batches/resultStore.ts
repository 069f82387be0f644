import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';

/** Maximum number of batches to keep for each suite. */
const mostKept = 20;
const ending = '.jsonl';

/** The cases that a batch runs, or absent for all. Stored next to the results, so that a resumed batch runs the same cases. */
const selectionSchema = z.object({ ordinals: z.array(z.number().int().min(0)) });

/** Stores result files of suites in this workspace's storage: the last twenty of each suite, and those pinned as baselines. */
export class ResultStore {
	readonly #folder: string;
	/** Files of batches that started in this window. Those that are about to start don't exist yet. */
	readonly #given = new Set<string>();

	constructor(folder: string) {
		this.#folder = folder;
	}

	/** Returns the path of a new batch's result file. Deletes the oldest result files, except the baseline and those in use. */
	async createFile(
		suite: string,
		startedAt: number,
		ordinals: ReadonlySet<number> | undefined,
		inUse: ReadonlySet<string>,
	): Promise<string> {
		const folder = this.#getFolder(suite);
		await mkdir(folder, { recursive: true });
		const baseline = await this.getBaseline(suite);
		const spare = (await this.listFiles(suite)).slice(mostKept - 1).filter(file => file !== baseline && !inUse.has(file));
		await Promise.all(spare.flatMap(file => [rm(file, { force: true }), rm(getSelectionFile(file), { force: true })]));
		// two batches can start in the same millisecond
		const taken = new Set(await this.listFiles(suite));
		let at = startedAt;
		let file = this.#getFile(folder, at);
		while (taken.has(file) || this.#given.has(file)) {
			file = this.#getFile(folder, ++at);
		}
		this.#given.add(file);
		if (ordinals) {
			await writeFile(getSelectionFile(file), JSON.stringify({ ordinals: [...ordinals] }));
		}
		return file;
	}

	/** Returns the result files of a suite, newest first. */
	async listFiles(suite: string): Promise<string[]> {
		const folder = this.#getFolder(suite);
		const names = await readdir(folder).catch(() => []);
		// names have the same length, so sorting by name sorts by time
		return names
			.filter(name => name.endsWith(ending))
			.sort()
			.reverse()
			.map(name => path.join(folder, name));
	}

	/** Reads which cases a batch was started for. Returns `undefined` for all cases of its suite. */
	async readSelection(file: string): Promise<ReadonlySet<number> | undefined> {
		const text = await readFile(getSelectionFile(file), 'utf8').catch(() => undefined);
		return text === undefined ? undefined : new Set(selectionSchema.parse(JSON.parse(text)).ordinals);
	}

	/** Returns the result file that the suite's other results are compared with. */
	async getBaseline(suite: string): Promise<string | undefined> {
		const name = await readFile(this.#getBaselineFile(suite), 'utf8').catch(() => undefined);
		return name === undefined ? undefined : path.join(this.#getFolder(suite), path.basename(name));
	}

	/** Makes a result file the baseline of its suite, or removes the baseline if `file` is undefined. */
	async setBaseline(suite: string, file: string | undefined): Promise<void> {
		if (file === undefined) {
			await rm(this.#getBaselineFile(suite), { force: true });
		} else {
			await writeFile(this.#getBaselineFile(suite), path.basename(file));
		}
	}

	#getFolder(suite: string): string {
		return path.join(this.#folder, createHash('sha256').update(suite).digest('hex').slice(0, 16));
	}

	#getBaselineFile(suite: string): string {
		return path.join(this.#getFolder(suite), 'baseline');
	}

	#getFile(folder: string, at: number): string {
		return path.join(folder, `${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}${ending}`);
	}
}

function getSelectionFile(file: string): string {
	return file.replace(/\.jsonl$/, '.cases.json');
}
