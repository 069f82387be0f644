import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { tryParseJson } from '#base/text/json.ts';
import type { JournalEntry } from '../events/journalEntry.ts';

/** Position of an entry in its journal, in bytes. */
export interface JournalSpan {
	readonly from: number;
	readonly to: number;
}

/** Reads a journal's entries between two offsets in bytes, each with its position. Skips incomplete lines. */
export async function* readEntriesBetween(
	file: string,
	from: number,
	to: number,
): AsyncGenerator<{ entry: JournalEntry; span: JournalSpan }> {
	if (to <= from) {
		return;
	}
	let begun: Buffer[] = [];
	let start = from;
	for await (const chunk of createReadStream(file, { start: from, end: to - 1 }) as AsyncIterable<Buffer>) {
		let at = 0;
		for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, at)) {
			const line = Buffer.concat([...begun, chunk.subarray(at, end)]);
			const entry = parseJournalEntry(line.toString('utf8'));
			const span = { from: start, to: start + line.length };
			start = span.to + 1;
			at = end + 1;
			begun = [];
			if (entry) {
				yield { entry, span };
			}
		}
		begun.push(chunk.subarray(at));
	}
	const last = Buffer.concat(begun);
	const entry = parseJournalEntry(last.toString('utf8'));
	if (entry) {
		yield { entry, span: { from: start, to: start + last.length } };
	}
}

/** Reads the entries at these positions. */
export async function readEntriesAtSpans(file: string, spans: readonly JournalSpan[]): Promise<JournalEntry[]> {
	const handle = await open(file);
	try {
		const entries: JournalEntry[] = [];
		for (const { from, to } of spans) {
			const bytes = Buffer.alloc(to - from);
			await handle.read(bytes, 0, bytes.length, from);
			const entry = parseJournalEntry(bytes.toString('utf8'));
			if (entry) {
				entries.push(entry);
			}
		}
		return entries;
	} finally {
		await handle.close();
	}
}

function parseJournalEntry(line: string): JournalEntry | undefined {
	return tryParseJson(line) as JournalEntry | undefined;
}
