import type { LogsFilter, LogsSort } from '#pages/logs/logsFilter.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';

/** Returns the entries that aren't known yet. Removes duplicates, because a service may send an entry twice. */
export function getUnknownEntries(entries: readonly LogEntry[], known: ReadonlySet<string>): readonly LogEntry[] {
	const unknown = new Map<string, LogEntry>();
	for (const entry of entries) {
		if (!known.has(entry.id) && !unknown.has(entry.id)) {
			unknown.set(entry.id, entry);
		}
	}
	return [...unknown.values()];
}

/** True if an entry has changed since it was read. */
export function hasEntryChanged(entry: LogEntry, fresh: LogEntry | undefined): boolean {
	return fresh !== undefined && (fresh.status !== entry.status || fresh.elapsedSeconds !== entry.elapsedSeconds);
}

/** True if two filters result in the same request to the service. */
export function isSameServiceFilter(a: LogsFilter, b: LogsFilter): boolean {
	const toRequestKey = ({ range, from, to, status, text }: LogsFilter) => JSON.stringify([range, from, to, status, text.trim()]);
	return toRequestKey(a) === toRequestKey(b);
}

/** True if entries are displayed in the order in which the service sends them. */
export function isNewestFirst({ by, descending }: LogsSort): boolean {
	return by === 'time' && descending;
}
