import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWriteFailure } from '#base/files/writeFailure.ts';
import { readResultFileState } from '#suites/results/resultFile.ts';
import type { Suite } from '#suites/suite.ts';
import { CliFault } from '../cliFault.ts';

/** Maximum number of result files to keep per suite. */
const mostKept = 20;

/** Folder for result files: in `--data`, to resume interrupted batches, or a temporary folder. */
export class ResultFolder {
	readonly #folder: string;
	readonly #isTemporary: boolean;
	/** Functions that release the locks of result files. */
	readonly #held: (() => void)[] = [];
	readonly #temporary: string[] = [];

	private constructor(folder: string, isTemporary: boolean) {
		this.#folder = folder;
		this.#isTemporary = isTemporary;
	}

	/** Rejects with a {@link CliFault} if the folder can't be created. */
	static async openFolder(data: string | undefined): Promise<ResultFolder> {
		if (data === undefined) {
			const temporary = fs.mkdtemp(path.join(os.tmpdir(), 'agent-workbench-results-'));
			return new ResultFolder(await temporary.catch(error => rejectWithFolderFault(os.tmpdir(), error)), true);
		}
		const folder = path.resolve(data, 'results');
		await fs.mkdir(folder, { recursive: true, mode: 0o700 }).catch(error => rejectWithFolderFault(`--data ${data}`, error));
		return new ResultFolder(folder, false);
	}

	/** True if the folder outlives this process. */
	get isKept(): boolean {
		return !this.#isTemporary;
	}

	/**
	 * Returns the result file of a suite for these conditions, and locks it until this folder is closed. Prefers the file of an interrupted
	 * batch. Doesn't reuse results from other conditions. Removes old files of the suite.
	 *
	 * @param conditions everything besides the suite that the results depend on; must be JSON
	 */
	async openResultFile(suite: Suite, conditions: unknown): Promise<string> {
		const folder = this.#getSuiteFolder(suite);
		await fs.mkdir(folder, { recursive: true, mode: 0o700 }).catch(error => rejectWithFolderFault(path.relative('', folder), error));
		const base = path.join(folder, hashText(JSON.stringify([suite.fingerprint, conditions])).slice(0, 16));
		if (this.#isTemporary) {
			return `${base}.jsonl`;
		}
		const { file, release } = await lockFreeFile(base);
		this.#held.push(release);
		await removeOldFiles(folder, path.basename(file));
		return file;
	}

	/**
	 * Returns the names of the hashes that changed since the suite's last batch was interrupted, if that is why `file` doesn't resume the
	 * batch. A batch with other options doesn't count.
	 */
	async findChanges(file: string, depends: Readonly<Record<string, string>>): Promise<readonly string[]> {
		const folder = path.dirname(file);
		const [last] = await listFilesNewestFirst(folder);
		const state = last === undefined ? undefined : await readResultFileState(path.join(folder, last)).catch(() => undefined);
		return last === path.basename(file) || !state || state.summary || state.head.depends?.['options'] !== depends['options']
			? []
			: Object.keys(depends).filter(name => state.head.depends?.[name] !== depends[name]);
	}

	/** Returns the newest result file of a suite, if any. */
	async findLatestResults(suite: Suite): Promise<string | undefined> {
		const folder = this.#getSuiteFolder(suite);
		const [last] = await listFilesNewestFirst(folder).catch(() => []);
		return last === undefined ? undefined : path.join(folder, last);
	}

	#getSuiteFolder(suite: Suite): string {
		return path.join(this.#folder, `${suite.name.replace(/[^\w.-]/g, '_').slice(0, 60)}-${hashText(suite.file).slice(0, 8)}`);
	}

	/** Returns the path of a file that is deleted when this process ends. */
	getTemporaryPath(name: string): string {
		const file = path.join(this.#folder, name);
		this.#temporary.push(file);
		return file;
	}

	async close(): Promise<void> {
		for (const release of this.#held.splice(0)) {
			release();
		}
		await Promise.all(this.#temporary.splice(0).map(file => fs.rm(file, { force: true, maxRetries: 5 })));
		if (this.#isTemporary) {
			await fs.rm(this.#folder, { recursive: true, force: true, maxRetries: 5 });
		}
	}

	/** Does the same as {@link close} synchronously, for a process that exits immediately. */
	removeFilesSync(): void {
		for (const file of this.#temporary) {
			rmSync(file, { force: true, maxRetries: 5 });
		}
		if (this.#isTemporary) {
			rmSync(this.#folder, { recursive: true, force: true, maxRetries: 5 });
		}
	}
}

/** @param folder the folder as the user knows it */
function rejectWithFolderFault(folder: string, error: unknown): never {
	throw new CliFault(`${folder}: couldn't create the folder: ${describeWriteFailure(error)}.`);
}

interface HeldFile {
	readonly file: string;
	readonly release: () => void;
}

/** Locks a file that no other process uses: that of an interrupted batch, if there is one. */
async function lockFreeFile(base: string): Promise<HeldFile> {
	let first: HeldFile | undefined;
	for (let number = 1; ; number++) {
		const file = `${base}${number === 1 ? '' : `-${number}`}.jsonl`;
		const release = lockResultFile(file);
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

/** Lists the names of the result files in a folder, newest first. Skips files that another process deletes meanwhile. */
async function listFilesNewestFirst(folder: string): Promise<string[]> {
	const names = (await fs.readdir(folder)).filter(name => name.endsWith('.jsonl'));
	const found = await Promise.all(
		names.map(async name => {
			const stats = await fs.stat(path.join(folder, name)).catch(() => undefined);
			return stats && { name, time: stats.mtimeMs };
		}),
	);
	const times = found.filter(each => each !== undefined);
	return times.sort((a, b) => b.time - a.time).map(({ name }) => name);
}

async function removeOldFiles(folder: string, kept: string): Promise<void> {
	const names = (await listFilesNewestFirst(folder)).filter(name => name !== kept);
	for (const name of names.slice(mostKept - 1)) {
		const file = path.join(folder, name);
		const release = lockResultFile(file);
		if (release) {
			await fs.rm(file, { force: true });
			release();
			await fs.rm(`${file}.lock`, { force: true });
		}
	}
}

function hashText(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/**
 * Locks a file for this process with an SQLite lock on `FILE.lock`, which the system releases if the process dies. Returns a function that
 * releases the lock, or `undefined` if another process has the lock. Has no effect on file systems without locks.
 */
function lockResultFile(file: string): (() => void) | undefined {
	let db: DatabaseSync | undefined;
	try {
		db = new DatabaseSync(`${file}.lock`, { timeout: 0 });
		db.exec('BEGIN EXCLUSIVE');
		const held = db;
		return () => held.close();
	} catch (error) {
		db?.close();
		return isLockedError(error) ? undefined : () => undefined;
	}
}

/** SQLITE_BUSY or SQLITE_LOCKED */
function isLockedError(error: unknown): boolean {
	const code = Number((error as { readonly errcode?: unknown }).errcode) & 0xff;
	return code === 5 || code === 6;
}

/** Display names of the things that results depend on. */
const partNames: Readonly<Record<string, string>> = {
	suite: 'the suite, its run files or its dataset',
	agents: 'the agents',
	configuration:
		'the configuration, its environment variables, the documents of its datasets, its OpenAPI descriptions or the names of its keys',
	files: 'files referenced by inputs',
	snapshots: 'the snapshots',
	dataset: 'the dataset',
	labels: 'the labels of judges',
	environment: 'environment variables used by requests',
	variants: 'the variants',
	recording: 'the recording or its mode',
};

/** Returns the names of things that have changed, for a message. */
export function describeParts(changed: readonly string[]): string {
	return changed.map(name => partNames[name] ?? name).join(', ');
}
