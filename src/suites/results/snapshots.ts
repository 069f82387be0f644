import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { OutsideScope, resolvedReadFlags, resolveInside } from '#base/files/fileScope.ts';
import { isRecord } from '#base/records/plainValues.ts';
import type { CaseResult } from './caseResult.ts';

/** By case, then by check. */
type Accepted = Map<string, Map<string, unknown>>;

/** A file of snapshots that cannot be read as one; the message is one sentence that names it. */
export class SnapshotFileError extends Error {
	override readonly name = 'SnapshotFileError';
}

/** The last write of each file: those of this process go one after the other. */
const writing = new Map<string, Promise<void>>();

/** Snapshots of a suite that were accepted: a file beside it, by case and check. */
export class SnapshotBook {
	readonly #file: string;
	readonly #accepted: Accepted;
	/** What was accepted here and is not written yet. */
	#own: Accepted = new Map();

	private constructor(file: string, accepted: Accepted) {
		this.#file = file;
		this.#accepted = accepted;
	}

	/** Reads what was accepted; nothing where there is no such file. Rejects with a {@link SnapshotFileError}, or where it cannot be read. */
	static async open(suiteFile: string): Promise<SnapshotBook> {
		const file = snapshotFile(suiteFile);
		return new SnapshotBook(file, await acceptedIn(file));
	}

	/**
	 * What was accepted for a check of a case; `undefined` where nothing was.
	 * @param nth which of the rows that share the name is meant, from 1
	 */
	get(caseName: string, check: string, nth?: number): { readonly value: unknown } | undefined {
		// older files have every name as it is
		const checks = this.#accepted.get(keyOf(caseName, nth)) ?? ((nth ?? 1) === 1 ? this.#accepted.get(caseName) : undefined);
		return checks?.has(check) ? { value: checks.get(check) } : undefined;
	}

	/** Accepts a value; {@link save} writes it. */
	accept(caseName: string, check: string, value: unknown, nth?: number): void {
		put(this.#accepted, keyOf(caseName, nth), check, value);
		put(this.#own, keyOf(caseName, nth), check, value);
	}

	/** Accepts what the `snapshot` checks of a result found. */
	acceptFrom({ name, nth, checks }: CaseResult): void {
		for (const { snapshot, actual } of checks) {
			if (snapshot !== undefined && actual !== undefined) {
				this.accept(name, snapshot, actual, nth);
			}
		}
	}

	/** Writes what was accepted here, whole or not at all, beside what others have accepted in the file since it was opened. */
	async save(): Promise<void> {
		if (this.#own.size === 0) {
			return;
		}
		const own = this.#own;
		this.#own = new Map();
		const before = writing.get(this.#file);
		const written = (before ?? Promise.resolve()).catch(() => undefined).then(() => this.#write(own));
		writing.set(this.#file, written);
		try {
			await written;
		} finally {
			if (writing.get(this.#file) === written) {
				writing.delete(this.#file);
			}
		}
	}

	async #write(own: Accepted): Promise<void> {
		const all = await acceptedIn(this.#file);
		for (const [name, checks] of own) {
			for (const [check, value] of checks) {
				put(all, name, check, value);
			}
		}
		const sorted = [...all].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, checks]) => [name, Object.fromEntries(checks)]);
		const beside = `${this.#file}.${randomUUID()}`;
		try {
			await writeFile(beside, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
			await rename(beside, this.#file);
		} catch (error) {
			await rm(beside, { force: true });
			throw error;
		}
	}
}

/**
 * Name of a case in the file. The first of the rows that share a name has it as older files do; rows that are added elsewhere change nothing. A name that looks
 * like that of a further row is told apart from it.
 */
function keyOf(caseName: string, nth = 1): string {
	return nth > 1 || / #\d+$/.test(caseName) ? `${caseName} #${nth}` : caseName;
}

/** File beside a suite that holds its snapshots: `NAME.suite.snapshots.json`; never the suite itself, whatever that is called. */
export function snapshotFile(suiteFile: string): string {
	return `${suiteFile.replace(/(\.suite)?\.json$/i, '')}.suite.snapshots.json`;
}

/** Accepts what the `snapshot` checks of these results found: writes it beside the suite, in `NAME.suite.snapshots.json`. */
export async function acceptSnapshots(suiteFile: string, results: Iterable<CaseResult>): Promise<void> {
	const book = await SnapshotBook.open(suiteFile);
	for (const result of results) {
		book.acceptFrom(result);
	}
	await book.save();
}

async function acceptedIn(file: string): Promise<Accepted> {
	let value: unknown;
	try {
		const folder = path.dirname(file);
		const real = resolveInside(path.basename(file), { folder, root: folder });
		value = JSON.parse((await readFile(real, { encoding: 'utf8', flag: resolvedReadFlags })).replace(/^\uFEFF/, ''));
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
			return new Map();
		}
		// results show what was accepted: not what a link of a foreign repository leads to
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

function put(book: Accepted, caseName: string, check: string, value: unknown): void {
	book.set(caseName, (book.get(caseName) ?? new Map<string, unknown>()).set(check, value));
}
