import { appendFileSync, mkdirSync } from 'node:fs';
import { appendFile, mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatMessage, localizable } from '#base/text/localizableMessage.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { type JournalSpan, readEntriesAtSpans, readEntriesBetween } from './journalLines.ts';

/** Size limit of all journals in bytes: before a run starts, the oldest ones are removed to make room. */
const mostBytes = 512 * 1024 * 1024;
/** Size limit of a run's journal in bytes. A note marks where it was cut. */
const mostBytesOfRun = 192 * 1024 * 1024;
const flushMs = 50;

/**
 * Stores a journal for each run: everything that was received, as JSON lines in a file in the extension's storage. A run's documents are
 * made from its journal, which survives a broken stream. Entries are written in batches, in order.
 */
export class EventJournals {
	readonly #folder: string;
	readonly #onTrouble: (error: unknown) => void;
	readonly #pending = new Map<string, string[]>();
	readonly #sizes = new Map<string, number>();
	/** Keys of journals that end with a whole line. Others may end with half a line, left by a crash or a full disk. */
	readonly #whole = new Set<string>();
	#timer: NodeJS.Timeout | undefined;
	#writing: Promise<void> = Promise.resolve();

	constructor(folder: string, onTrouble: (error: unknown) => void) {
		this.#folder = folder;
		this.#onTrouble = onTrouble;
	}

	/** Adds an entry to the journal of a run. */
	writeEntry(key: string, entry: JournalEntry): void {
		const size = this.#sizes.get(key) ?? 0;
		if (size > mostBytesOfRun) {
			return;
		}
		let line = `${JSON.stringify(entry)}\n`;
		if (size + line.length > mostBytesOfRun) {
			const message = localizable`The journal ends here because it reached its limit of ${mostBytesOfRun / 1048576} MB.`;
			line = `${JSON.stringify({ at: entry.at, note: formatMessage(message), message })}\n`;
			this.#sizes.set(key, mostBytesOfRun + 1);
		} else {
			this.#sizes.set(key, size + line.length);
		}
		const lines = this.#pending.get(key);
		if (lines) {
			lines.push(line);
		} else {
			this.#pending.set(key, [line]);
		}
		this.#timer ??= setTimeout(() => void this.flushEntries(), flushMs);
	}

	/** Writes the pending entries; resolves when they are in the files. */
	flushEntries(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const batches = [...this.#pending];
		this.#pending.clear();
		this.#writing = this.#writing
			.then(async () => {
				if (batches.length > 0) {
					await mkdir(this.#folder, { recursive: true });
				}
				for (const [key, lines] of batches) {
					await this.#appendEntries(key, lines).catch(this.#onTrouble);
				}
			})
			.catch(this.#onTrouble);
		return this.#writing;
	}

	async #appendEntries(key: string, lines: readonly string[]): Promise<void> {
		const file = this.#getJournalPath(key);
		const start = this.#whole.has(key) || (await readFileInfo(file)).size === 0 ? '' : '\n';
		this.#whole.delete(key);
		await appendFile(file, start + lines.join(''), { mode: 0o600 });
		this.#whole.add(key);
	}

	/** Writes the pending entries synchronously, because the window is closing. */
	dispose(): void {
		clearTimeout(this.#timer);
		if (this.#pending.size === 0) {
			return;
		}
		try {
			mkdirSync(this.#folder, { recursive: true });
			for (const [key, lines] of this.#pending) {
				appendFileSync(this.#getJournalPath(key), (this.#whole.has(key) ? '' : '\n') + lines.join(''), { mode: 0o600 });
			}
		} catch (error) {
			this.#onTrouble(error);
		}
		this.#pending.clear();
	}

	/**
	 * Reads the entries of a run that were written before this call, in order; none if the run has no journal. Entries written later are
	 * skipped, so that callers who also listen get each entry once. A last line cut by a crash is skipped.
	 */
	async *readEntries(key: string): AsyncGenerator<JournalEntry> {
		for await (const { entry } of this.readEntriesFrom(key, 0)) {
			yield entry;
		}
	}

	/** Like {@link readEntries}, but from an offset in bytes, and with each entry's position. */
	async *readEntriesFrom(key: string, from: number): AsyncGenerator<{ readonly entry: JournalEntry; readonly span: JournalSpan }> {
		void this.flushEntries();
		// wait for earlier batches, and measure the file before later batches are written
		const measured = this.#writing.then(() => readFileInfo(this.#getJournalPath(key)));
		this.#writing = measured.then(() => undefined);
		const { size } = await measured;
		try {
			yield* readEntriesBetween(this.#getJournalPath(key), from, size);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
				throw error;
			}
		}
	}

	/** Reads the entries at these positions; none if the run's journal was removed. */
	async readEntriesAt(key: string, spans: readonly JournalSpan[]): Promise<JournalEntry[]> {
		try {
			return await readEntriesAtSpans(this.#getJournalPath(key), spans);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
				throw error;
			}
			return [];
		}
	}

	async removeJournals(keys: readonly string[]): Promise<void> {
		await this.flushEntries();
		for (const key of keys) {
			this.#whole.delete(key);
		}
		await Promise.all(keys.map(key => rm(this.#getJournalPath(key), { force: true }))).catch(this.#onTrouble);
	}

	/** Removes the oldest journals until the total size is under the limit. */
	async trimJournals(limit = mostBytes): Promise<void> {
		const names = await readdir(this.#folder).catch(() => []);
		const files = await Promise.all(names.map(async name => ({ name, ...(await readFileInfo(path.join(this.#folder, name))) })));
		let total = files.reduce((sum, { size }) => sum + size, 0);
		for (const { name, size } of files.sort((a, b) => a.changed - b.changed)) {
			if (total <= limit) {
				break;
			}
			await rm(path.join(this.#folder, name), { force: true });
			total -= size;
		}
	}

	#getJournalPath(key: string): string {
		return path.join(this.#folder, `${key.replace(/[^\w-]/g, '_')}.ndjson`);
	}
}

async function readFileInfo(file: string): Promise<{ size: number; changed: number }> {
	const found = await stat(file).catch(() => undefined);
	return { size: found?.size ?? 0, changed: found?.mtimeMs ?? 0 };
}
