import { closeSync, constants, fstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatMessage, type LocalizableMessage, localizable } from '#base/text/localizableMessage.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { type JournalSpan, readEntriesAtSpans, readEntriesBetween } from './journalLines.ts';

/** Size limit of all journals in bytes: before a run starts, the oldest ones are removed to make room. */
const mostBytes = 512 * 1024 * 1024;
/** Size limit of a run's journal in bytes. A note marks where it was cut. */
const mostBytesOfRun = 192 * 1024 * 1024;
/** Size limit in characters of a run's entries that can't be written, for example on a full disk. A note marks where later ones are missing. */
const mostUnsaved = 8 * 1024 * 1024;
const flushMs = 50;
/** Milliseconds to wait before writing again after a failure. */
const retryMs = 1000;
/** Creates the file if it doesn't exist. Lines are written at an offset, because appending them again would repeat them. */
const writeFlags = constants.O_WRONLY | constants.O_CREAT;

interface Journal {
	/** Lines that aren't known to be in the file. */
	readonly lines: string[];
	/** Number of lines that were saved before them. */
	saved: number;
	/** Offset in the file where writing the lines began, if it has failed or isn't finished. Writing them there again is harmless. */
	from: number | undefined;
	/** Characters of all lines, and of those that aren't saved. */
	size: number;
	unsaved: number;
	/** True if the file ends with a whole line. Other files may end with half a line, left by a crash or a full disk. */
	isWhole: boolean;
	isFailing: boolean;
	/** True if the last of the lines is the note about missing entries. */
	isFull: boolean;
}

/**
 * Stores a journal for each run: everything that was received, as JSON lines in a file in the extension's storage. A run's documents are
 * made from its journal, which survives a broken stream. Entries are written in batches, in order.
 */
export class EventJournals {
	readonly #folder: string;
	readonly #onTrouble: (error: unknown) => void;
	readonly #journals = new Map<string, Journal>();
	#timer: NodeJS.Timeout | undefined;
	#writing: Promise<void> = Promise.resolve();
	#disposed = false;

	constructor(folder: string, onTrouble: (error: unknown) => void) {
		this.#folder = folder;
		this.#onTrouble = onTrouble;
	}

	/** Adds an entry to the journal of a run. */
	writeEntry(key: string, entry: JournalEntry): void {
		let journal = this.#journals.get(key);
		if (!journal) {
			journal = { lines: [], saved: 0, from: undefined, size: 0, unsaved: 0, isWhole: false, isFailing: false, isFull: false };
			this.#journals.set(key, journal);
		}
		if (journal.size > mostBytesOfRun || journal.isFull) {
			return;
		}
		let line = `${JSON.stringify(entry)}\n`;
		if (journal.size + line.length > mostBytesOfRun) {
			line = formatNote(entry, localizable`The journal ends here because it reached its limit of ${mostBytesOfRun / 1048576} MB.`);
			journal.size = mostBytesOfRun + 1;
		} else if (journal.isFailing && journal.unsaved + line.length > mostUnsaved) {
			line = formatNote(entry, localizable`Entries are missing here because they couldn't be saved.`);
			journal.isFull = true;
		} else {
			journal.size += line.length;
		}
		journal.unsaved += line.length;
		journal.lines.push(line);
		this.#timer ??= setTimeout(() => void this.flushEntries(), flushMs);
	}

	/** Writes the pending entries; resolves when they are in the files, or when that has failed and will be tried again. */
	flushEntries(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		const batches = [...this.#journals].map(([key, journal]) => ({ key, journal, end: journal.saved + journal.lines.length }));
		this.#writing = this.#writing.then(async () => {
			for (const { key, journal, end } of batches) {
				if (end > journal.saved && !this.#disposed) {
					await this.#saveLines(key, journal, end - journal.saved).catch(error => this.#retryLater(journal, error));
				}
			}
		});
		return this.#writing;
	}

	async #saveLines(key: string, journal: Journal, count: number): Promise<void> {
		await mkdir(this.#folder, { recursive: true });
		const handle = await open(this.#getJournalPath(key), writeFlags, 0o600);
		try {
			const { size } = await handle.stat();
			if (this.#disposed) {
				return;
			}
			const from = placeLines(journal, size);
			const bytes = Buffer.from(journal.lines.slice(0, count).join(''));
			for (let done = 0; done < bytes.length; ) {
				done += (await handle.write(bytes, done, bytes.length - done, from + done)).bytesWritten;
			}
		} finally {
			await handle.close();
		}
		forgetLines(journal, count);
	}

	#retryLater(journal: Journal, error: unknown): void {
		if (!journal.isFailing) {
			this.#onTrouble(error);
		}
		journal.isFailing = true;
		if (!this.#disposed) {
			this.#timer ??= setTimeout(() => void this.flushEntries(), retryMs).unref();
		}
	}

	/**
	 * Writes the pending entries synchronously, because the window is closing. A write that is in progress has the same entries at the same
	 * offset, so it doesn't matter which one finishes first.
	 */
	dispose(): void {
		clearTimeout(this.#timer);
		this.#disposed = true;
		for (const [key, journal] of this.#journals) {
			try {
				this.#saveLinesSync(key, journal);
			} catch (error) {
				this.#onTrouble(error);
			}
		}
	}

	#saveLinesSync(key: string, journal: Journal): void {
		const count = journal.lines.length;
		if (count === 0) {
			return;
		}
		mkdirSync(this.#folder, { recursive: true });
		const file = openSync(this.#getJournalPath(key), writeFlags, 0o600);
		try {
			const from = placeLines(journal, fstatSync(file).size);
			const bytes = Buffer.from(journal.lines.join(''));
			for (let done = 0; done < bytes.length; ) {
				done += writeSync(file, bytes, done, bytes.length - done, from + done);
			}
		} finally {
			closeSync(file);
		}
		forgetLines(journal, count);
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
			this.#journals.delete(key);
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

function formatNote({ at }: JournalEntry, message: LocalizableMessage): string {
	return `${JSON.stringify({ at, note: formatMessage(message), message })}\n`;
}

/** Returns the offset where the lines begin in a file of this size. */
function placeLines(journal: Journal, size: number): number {
	// the file is smaller if it was removed after a failure
	if (journal.from === undefined || journal.from > size) {
		journal.from = size;
		if (size > 0 && !journal.isWhole) {
			journal.lines[0] = `\n${journal.lines[0]}`;
		}
	}
	return journal.from;
}

function forgetLines(journal: Journal, count: number): void {
	const saved = journal.lines.splice(0, count);
	journal.saved += saved.length;
	journal.unsaved -= saved.join('').length;
	journal.from = undefined;
	journal.isWhole = true;
	journal.isFailing = false;
	journal.isFull = false;
}

async function readFileInfo(file: string): Promise<{ size: number; changed: number }> {
	const found = await stat(file).catch(() => undefined);
	return { size: found?.size ?? 0, changed: found?.mtimeMs ?? 0 };
}
