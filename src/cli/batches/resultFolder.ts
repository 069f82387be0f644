import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readResultFileState } from '#suites/results/resultFile.ts';
import type { Suite } from '#suites/suite.ts';
import { CliFault } from '../cliFault.ts';

/** Result files of a suite that are kept. */
const mostKept = 20;

/** Where result files are: in `--data`, so that a batch that was interrupted goes on there, else in a folder that is removed at the end. */
export class ResultFolder {
	readonly #folder: string;
	readonly #isTemporary: boolean;
	/** Let go of the result files of this process. */
	readonly #held: (() => void)[] = [];

	private constructor(folder: string, isTemporary: boolean) {
		this.#folder = folder;
		this.#isTemporary = isTemporary;
	}

	/** Rejects with a {@link CliFault} where it cannot be made. */
	static async open(data: string | undefined): Promise<ResultFolder> {
		if (data === undefined) {
			return new ResultFolder(await fs.mkdtemp(path.join(os.tmpdir(), 'agent-workbench-results-')), true);
		}
		const folder = path.resolve(data, 'results');
		await fs.mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
			throw new CliFault(`--data ${data}: cannot be made (${error.code}).`);
		});
		return new ResultFolder(folder, false);
	}

	/** Whether what is in it outlives this process. */
	get isKept(): boolean {
		return !this.#isTemporary;
	}

	/**
	 * The result file of a suite under these conditions, which no other process writes until this folder is closed: the one of a batch that was interrupted,
	 * where there is one. Results that came about under other conditions are not taken up. Older files of the suite are removed.
	 *
	 * @param conditions what a result depends on besides the suite, as JSON can hold it
	 */
	async fileOf(suite: Suite, conditions: unknown): Promise<string> {
		const folder = path.join(this.#folder, `${suite.name.replace(/[^\w.-]/g, '_').slice(0, 60)}-${hashOf(suite.file).slice(0, 8)}`);
		await fs.mkdir(folder, { recursive: true, mode: 0o700 });
		const base = path.join(folder, hashOf(JSON.stringify([suite.fingerprint, conditions])).slice(0, 16));
		if (this.#isTemporary) {
			return `${base}.jsonl`;
		}
		const { file, release } = await freeFile(base);
		this.#held.push(release);
		await removeOldest(folder, path.basename(file));
		return file;
	}

	/**
	 * What changed since the last batch of the suite was interrupted, if that is why `file` doesn't continue it: names of hashes that differ. A batch with other
	 * options is another one.
	 */
	async changedSince(file: string, depends: Readonly<Record<string, string>>): Promise<readonly string[]> {
		const folder = path.dirname(file);
		const [last] = await newestFirst(folder);
		const state = last === undefined ? undefined : await readResultFileState(path.join(folder, last)).catch(() => undefined);
		return last === path.basename(file) || !state || state.summary || state.head.depends?.['options'] !== depends['options']
			? []
			: Object.keys(depends).filter(name => state.head.depends?.[name] !== depends[name]);
	}

	/** A file that is gone with this process. */
	temporary(name: string): string {
		return path.join(this.#folder, name);
	}

	async close(): Promise<void> {
		for (const release of this.#held.splice(0)) {
			release();
		}
		if (this.#isTemporary) {
			await fs.rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
		}
	}

	/** The same for a process that ends at once. */
	removeAtOnce(): void {
		if (this.#isTemporary) {
			rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
		}
	}
}

interface HeldFile {
	readonly file: string;
	readonly release: () => void;
}

/** A file that no other process has: the one with an interrupted batch, else the first. */
async function freeFile(base: string): Promise<HeldFile> {
	let first: HeldFile | undefined;
	for (let number = 1; ; number++) {
		const file = `${base}${number === 1 ? '' : `-${number}`}.jsonl`;
		const release = heldFile(file);
		if (!release) {
			continue;
		}
		const isThere = existsSync(file);
		const state = isThere ? await readResultFileState(file).catch(() => undefined) : undefined;
		if (state && !state.summary) {
			first?.release();
			return { file, release };
		}
		if (first) {
			release();
		}
		first ??= { file, release };
		if (!isThere) {
			return first;
		}
	}
}

/** Names of the result files of a folder. */
async function newestFirst(folder: string): Promise<string[]> {
	const names = (await fs.readdir(folder)).filter(name => name.endsWith('.jsonl'));
	const times = await Promise.all(names.map(async name => ({ name, time: (await fs.stat(path.join(folder, name))).mtimeMs })));
	return times.sort((a, b) => b.time - a.time).map(({ name }) => name);
}

async function removeOldest(folder: string, kept: string): Promise<void> {
	const names = (await newestFirst(folder)).filter(name => name !== kept);
	for (const name of names.slice(mostKept - 1)) {
		const file = path.join(folder, name);
		const release = heldFile(file);
		if (release) {
			await fs.rm(file, { force: true });
			release();
			await fs.rm(`${file}.lock`, { force: true });
		}
	}
}

function hashOf(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/**
 * Keeps a file to one process by a file beside it, `FILE.lock`, that SQLite locks: the system takes the lock back from a process that dies. Returns what
 * lets go of it, `undefined` where another process has it. A file system without locks keeps nobody out.
 */
function heldFile(file: string): (() => void) | undefined {
	let db: DatabaseSync | undefined;
	try {
		db = new DatabaseSync(`${file}.lock`, { timeout: 0 });
		db.exec('BEGIN EXCLUSIVE');
		const held = db;
		return () => held.close();
	} catch (error) {
		db?.close();
		return isBusy(error) ? undefined : () => undefined;
	}
}

/** SQLITE_BUSY, SQLITE_LOCKED. */
function isBusy(error: unknown): boolean {
	const code = Number((error as { readonly errcode?: unknown }).errcode) & 0xff;
	return code === 5 || code === 6;
}
