import { isEvent } from '#contract/events.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import type { RunRecord } from '../runTypes.ts';

/**
 * Whether a run has a text, whatever its case, in its inputs, outputs, errors, those of its nodes too, its run file, its user or its ID. `entries` are read as
 * far as they are needed.
 */
export async function runHasText(record: RunRecord, entries: AsyncIterable<JournalEntry>, text: string): Promise<boolean> {
	const needle = text.trim().toLowerCase();
	const has = (value: unknown) => value !== undefined && value !== null && textOf(value).toLowerCase().includes(needle);
	const { error, outputs, user, file, runId, key } = record;
	if ([error, outputs, user, runId, key].some(has) || has(file && decodeURIComponent(file.slice(file.lastIndexOf('/') + 1)))) {
		return true;
	}
	for await (const entry of entries) {
		if (searched(entry).some(has)) {
			return true;
		}
	}
	return false;
}

/** What is searched of an entry. */
function searched(entry: JournalEntry): readonly unknown[] {
	if ('request' in entry) {
		return [(entry.request as { inputs?: unknown } | null)?.inputs];
	}
	if ('detail' in entry) {
		return [entry.detail];
	}
	if (!('event' in entry)) {
		return [];
	}
	const { event } = entry;
	if (isEvent(event, 'workflow_finished')) {
		return [event.data.outputs, event.data.error];
	}
	return 'data' in event ? [(event.data as { error?: unknown } | null)?.error] : [];
}

/** The texts and figures in a value, one a line, as they are: none is hidden by its escapes. */
function textOf(value: unknown): string {
	if (typeof value === 'string') {
		return value;
	}
	return typeof value === 'object' && value !== null ? Object.values(value).map(textOf).join('\n') : String(value);
}
