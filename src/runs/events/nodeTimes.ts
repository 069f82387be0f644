import type { JournalEntry } from './journalEntry.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** Executions of one node in a run, together. Times in milliseconds. */
export interface NodeTimes {
	readonly title: string;
	/** Containers that it lies in. */
	readonly depth: number;
	/** How its executions ended, each word once, in the order in which they came. */
	readonly statuses: readonly string[];
	readonly count: number;
	readonly total: number;
}

/** The time that each node of a run took, by its ID, in the order in which they first began. */
export async function nodeTimes(entries: AsyncIterable<JournalEntry>): Promise<ReadonlyMap<string, NodeTimes>> {
	const timeline = new Timeline();
	for await (const entry of entries) {
		timeline.take(entry);
	}
	const nodes = new Map<string, NodeTimes>();
	const depths = new Map<string, number>();
	for (const row of timeline.rows) {
		const depth = row.parent === undefined ? 0 : (depths.get(row.parent) ?? 0) + 1;
		depths.set(row.id, depth);
		if (row.nodeId !== undefined) {
			nodes.set(row.nodeId, withRow(nodes.get(row.nodeId), row, depth));
		}
	}
	return nodes;
}

function withRow(before: NodeTimes | undefined, { title, status, start, end }: TimelineRow, depth: number): NodeTimes {
	const known: NodeTimes = before ?? { title, depth, statuses: [], count: 0, total: 0 };
	const { statuses, count, total } = known;
	return {
		...known,
		statuses: statuses.includes(status) ? statuses : [...statuses, status],
		count: count + 1,
		total: total + (end === undefined ? 0 : end - start),
	};
}
