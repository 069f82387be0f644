import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { runWithFileLock } from '#base/files/fileLock.ts';
import { OutsideScope, resolvedReadFlags, resolveInside } from '#base/files/fileScope.ts';
import { replaceFile } from '#base/files/replaceFile.ts';
import { FileWriteError } from '#base/files/writeFailure.ts';
import { isRecord } from '#base/records/plainValues.ts';
import type { CaseResult } from './caseResult.ts';

/** Values by case, then by check. */
type Accepted = Map<string, Map<string, unknown>>;

/** A snapshot file that can't be read. The message names the file. */
export class SnapshotFileError extends Error {
	override readonly name = 'SnapshotFileError';
}

/** The last write of each file; writes of this process run one after another. */
const writing = new Map<string, Promise<void>>();

/** Accepted snapshots of a suite, in a file next to it, by case and check. */
export class SnapshotBook {
	readonly #file: string;
	readonly #accepted: Accepted;
	/** Accepted values that aren't written yet. */
	#own: Accepted = new Map();

	private constructor(file: string, accepted: Accepted) {
		this.#file = file;
		this.#accepted = accepted;
	}

	/**
	 * Reads accepted snapshots; none if the file doesn't exist. Rejects with a {@link SnapshotFileError}, or if the file can't be read.
	 */
	static async openBook(suiteFile: string): Promise<SnapshotBook> {
		const file = getSnapshotFile(suiteFile);
		return new SnapshotBook(file, await readAcceptedValues(file));
	}

	/**
	 * Returns the accepted value of a check; `undefined` if there's none.
	 * @param nth number of the row among those with the same name, from 1
	 */
	get(caseName: string, check: string, nth?: number): { readonly value: unknown } | undefined {
		// older files don't escape names
		const checks = this.#accepted.get(getCaseKey(caseName, nth)) ?? ((nth ?? 1) === 1 ? this.#accepted.get(caseName) : undefined);
		return checks?.has(check) ? { value: checks.get(check) } : undefined;
	}

	acceptValue(caseName: string, check: string, value: unknown, nth?: number): void {
		setAcceptedValue(this.#accepted, getCaseKey(caseName, nth), check, value);
		setAcceptedValue(this.#own, getCaseKey(caseName, nth), check, value);
	}

	/** Accepts the values of a result's `snapshot` checks. */
	acceptResult({ name, nth, checks }: CaseResult): void {
		for (const { snapshot, actual } of checks) {
			if (snapshot !== undefined && actual !== undefined) {
				this.acceptValue(name, snapshot, actual, nth);
			}
		}
	}

	/**
	 * Writes accepted values atomically, and keeps values that others accepted since the file was opened. Rejects with a {@link
	 * FileWriteError} if the file can't be written.
	 */
	async saveAccepted(): Promise<void> {
		if (this.#own.size === 0) {
			return;
		}
		const own = this.#own;
		this.#own = new Map();
		const before = writing.get(this.#file);
		const written = (before ?? Promise.resolve())
			.catch(() => undefined)
			.then(() => runWithFileLock(this.#file, () => this.#writeFile(own)));
		writing.set(this.#file, written);
		try {
			await written;
		} finally {
			if (writing.get(this.#file) === written) {
				writing.delete(this.#file);
			}
		}
	}

	async #writeFile(own: Accepted): Promise<void> {
		const all = await readAcceptedValues(this.#file);
		for (const [name, checks] of own) {
			for (const [check, value] of checks) {
				setAcceptedValue(all, name, check, value);
			}
		}
		const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, checks]) => [name, Object.fromEntries(checks)]);
		try {
			await replaceFile(this.#file, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
		} catch (error) {
			throw new FileWriteError(this.#file, error);
		}
	}
}

/**
 * Returns the key of a case in the file. The first row with a name keeps the plain name as in older files, so that adding rows with other
 * names doesn't change it. A name that looks like a numbered one gets a number.
 */
function getCaseKey(caseName: string, nth = 1): string {
	return nth > 1 || / #\d+$/.test(caseName) ? `${caseName} #${nth}` : caseName;
}

/** Returns the snapshot file of a suite: `NAME.suite.snapshots.json`, never the suite itself. */
export function getSnapshotFile(suiteFile: string): string {
	return `${suiteFile.replace(/(\.suite)?\.json$/i, '')}.suite.snapshots.json`;
}

/** Accepts the values of the results' `snapshot` checks, and writes them next to the suite. */
export async function acceptSnapshots(suiteFile: string, results: Iterable<CaseResult>): Promise<void> {
	const book = await SnapshotBook.openBook(suiteFile);
	for (const result of results) {
		book.acceptResult(result);
	}
	await book.saveAccepted();
}

async function readAcceptedValues(file: string): Promise<Accepted> {
	let value: unknown;
	try {
		const folder = path.dirname(file);
		const real = resolveInside(path.basename(file), { folder, root: folder });
		value = JSON.parse((await readFile(real, { encoding: 'utf8', flag: resolvedReadFlags })).replace(/^\uFEFF/, ''));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return new Map();
		}
		// results show snapshots, so a link in an untrusted repository must not expose other files
		if (error instanceof OutsideScope) {
			throw new SnapshotFileError(`'${file}' is a link to another folder. Expected a file.`);
		}
		if (error instanceof SyntaxError) {
			throw new SnapshotFileError(`'${file}' isn't valid JSON (${error.message}). Fix or delete the file.`);
		}
		throw error;
	}
	if (!isRecord(value) || !Object.values(value).every(isRecord)) {
		throw new SnapshotFileError(`'${file}' contains no snapshots. Expected an object of test cases, each with an object of checks.`);
	}
	return new Map(Object.entries(value).map(([name, checks]) => [name, new Map(Object.entries(checks as object))]));
}

function setAcceptedValue(book: Accepted, caseName: string, check: string, value: unknown): void {
	book.set(caseName, (book.get(caseName) ?? new Map<string, unknown>()).set(check, value));
}
