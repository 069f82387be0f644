import { isEvent } from '#contract/events.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import type { RunRecord } from '../runTypes.ts';

/**
 * True if a run contains a text in its inputs, outputs, errors (including those of nodes), run file, user or ID; ignores case. Stops
 * reading `entries` at the first match.
 */
export async function hasRunText(record: RunRecord, entries: AsyncIterable<JournalEntry>, text: string): Promise<boolean> {
	const needle = text.trim().toLowerCase();
	const hasText = (value: unknown) => value !== undefined && value !== null && toSearchText(value).toLowerCase().includes(needle);
	const { error, outputs, user, file, runId, key } = record;
	if ([error, outputs, user, runId, key].some(hasText) || hasText(file && decodeURIComponent(file.slice(file.lastIndexOf('/') + 1)))) {
		return true;
	}
	for await (const entry of entries) {
		if (getSearchedValues(entry).some(hasText)) {
			return true;
		}
	}
	return false;
}

/** Returns the values of an entry to search. */
function getSearchedValues(entry: JournalEntry): readonly unknown[] {
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

/** Returns the strings and numbers in a value, one per line, without JSON escapes. */
function toSearchText(value: unknown): string {
	if (typeof value === 'string') {
		return value;
	}
	return typeof value === 'object' && value !== null ? Object.values(value).map(toSearchText).join('\n') : String(value);
}
