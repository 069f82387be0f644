import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import type { CaseResult } from './caseResult.ts';

/** By case, then by check. */
type Accepted = Map<string, Map<string, unknown>>;

/** Snapshots of a suite that were accepted: a file beside it, by case and check. */
export class SnapshotBook {
	readonly #file: string;
	readonly #accepted: Accepted;
	#changed = false;

	private constructor(file: string, accepted: Accepted) {
		this.#file = file;
		this.#accepted = accepted;
	}

	/** Reads what was accepted; nothing where there is no such file. Rejects where it cannot be read or is no JSON. */
	static async open(suiteFile: string): Promise<SnapshotBook> {
		const file = snapshotFile(suiteFile);
		try {
			const value: unknown = JSON.parse(await readFile(file, 'utf8'));
			return new SnapshotBook(
				file,
				new Map(Object.entries(value ?? {}).map(([name, checks]) => [name, new Map(Object.entries(checks ?? {}))])),
			);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
				return new SnapshotBook(file, new Map());
			}
			throw error;
		}
	}

	/** What was accepted for a check of a case; `undefined` where nothing was. */
	get(caseName: string, check: string): { readonly value: unknown } | undefined {
		const checks = this.#accepted.get(caseName);
		return checks?.has(check) ? { value: checks.get(check) } : undefined;
	}

	/** Accepts a value; {@link save} writes it. */
	accept(caseName: string, check: string, value: unknown): void {
		this.#accepted.set(caseName, (this.#accepted.get(caseName) ?? new Map<string, unknown>()).set(check, value));
		this.#changed = true;
	}

	/** Writes what was accepted, whole or not at all. */
	async save(): Promise<void> {
		if (!this.#changed) {
			return;
		}
		const sorted = [...this.#accepted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, checks]) => [name, Object.fromEntries(checks)]);
		const beside = `${this.#file}.${randomUUID()}`;
		try {
			await writeFile(beside, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
			await rename(beside, this.#file);
		} catch (error) {
			await rm(beside, { force: true });
			throw error;
		}
		this.#changed = false;
	}
}

/** File beside a suite that holds its snapshots: `NAME.suite.snapshots.json`. */
export function snapshotFile(suiteFile: string): string {
	return suiteFile.replace(/(\.suite)?\.json$/, '.suite.snapshots.json');
}

/** Accepts what the `snapshot` checks of these results found: writes it beside the suite, in `NAME.suite.snapshots.json`. */
export async function acceptSnapshots(suiteFile: string, results: Iterable<CaseResult>): Promise<void> {
	const book = await SnapshotBook.open(suiteFile);
	for (const { name, checks } of results) {
		for (const { snapshot, actual } of checks) {
			if (snapshot !== undefined && actual !== undefined) {
				book.accept(name, snapshot, actual);
			}
		}
	}
	await book.save();
}
