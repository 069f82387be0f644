import { beginningOf } from '#base/text/cutText.ts';
import type { JournalEntry } from './journalEntry.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** How a run's nodes ended, by their IDs. */
interface NodeEnds {
	/** Nodes that failed and no error strategy of theirs went on, with what is said of that. Of a node inside another that failed with it, the inner one alone. */
	readonly failed: ReadonlyMap<string, string>;
	/** Nodes that went well each time. */
	readonly passed: ReadonlySet<string>;
}

/** More of an error is kept nowhere but in the journal, in UTF-16 units. */
const longestError = 10_000;

/** Reads how the nodes of a run ended. */
export async function nodeEnds(entries: AsyncIterable<JournalEntry>): Promise<NodeEnds> {
	const timeline = new Timeline();
	const errors = new Map<string, string>();
	for await (const entry of entries) {
		const row = timeline.take(entry);
		if (row && isFailed(row)) {
			const { error } = ('event' in entry && 'data' in entry.event ? entry.event.data : {}) as { error?: unknown };
			errors.set(row.id, typeof error === 'string' && error !== '' ? beginningOf(error, longestError) : (row.error ?? ''));
		}
	}
	const rows = timeline.rows.filter(({ nodeId }) => nodeId !== undefined);
	const around = new Set(rows.filter(isFailed).map(({ parent }) => parent));
	const failed = new Map(
		rows.filter(row => isFailed(row) && !around.has(row.id)).map(({ id, nodeId = '' }) => [nodeId, errors.get(id) ?? ''] as const),
	);
	const notPassed = new Set(rows.filter(({ status }) => status !== 'succeeded').map(({ nodeId }) => nodeId));
	const passed = new Set(rows.flatMap(({ nodeId = '' }) => (notPassed.has(nodeId) ? [] : [nodeId])));
	return { failed, passed };
}

function isFailed({ status }: TimelineRow): boolean {
	return status === 'failed';
}
