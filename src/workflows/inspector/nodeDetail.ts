import type { JournalEntry } from '../runTypes.ts';
import type { NodeDetail } from './inspectorProtocol.ts';

/** More of a part is not shown, in UTF-16 units; the run's record has it. */
const longestPart = 400_000;

/** What the entries of one node tell of it: the last word on each part. */
export function nodeDetail(entries: readonly JournalEntry[]): NodeDetail {
	const told: Record<string, unknown> = {};
	for (const entry of entries) {
		const data = 'event' in entry && 'data' in entry.event ? entry.event.data : undefined;
		if (typeof data === 'object' && data !== null) {
			for (const [field, value] of Object.entries(data)) {
				if (value !== null && value !== undefined) {
					told[field] = value;
				}
			}
		}
	}
	const { inputs, process_data: processData, outputs, error, execution_metadata: metadata } = told;
	const parts = { inputs, processData, outputs, error: error || undefined, metadata, raw: entries.map(rawOf) };
	return Object.fromEntries(
		Object.entries(parts).flatMap(([part, value]) => (value === undefined || isEmpty(value) ? [] : [[part, shown(value)]])),
	);
}

function rawOf(entry: JournalEntry): unknown {
	const at = new Date(entry.at).toISOString();
	return 'event' in entry ? { at, ...entry.event } : { ...entry, at };
}

function isEmpty(value: unknown): boolean {
	return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

function shown(value: unknown): string {
	const text = typeof value === 'string' ? value : JSON.stringify(value, undefined, 2);
	return text.length > longestPart ? `${text.slice(0, longestPart)}…` : text;
}
