import type { JournalEntry } from './journalEntry.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** All executions of one node in a run. Times are in milliseconds. */
export interface NodeTimes {
	readonly title: string;
	/** Number of containers around the node. */
	readonly depth: number;
	/** Distinct statuses of its executions, in order of appearance; the first {@link mostStatuses}. */
	readonly statuses: readonly string[];
	readonly count: number;
	readonly total: number;
}

/** Maximum number of statuses per node, because a service may send any string. */
const mostStatuses = 20;

/** Returns the time that each node of a run took, by node ID, in order of their first start. */
export async function readNodeTimes(entries: AsyncIterable<JournalEntry>): Promise<ReadonlyMap<string, NodeTimes>> {
	const timeline = new Timeline();
	for await (const entry of entries) {
		timeline.addEntry(entry);
	}
	const nodes = new Map<string, NodeTimes>();
	const depths = new Map<string, number>();
	for (const row of timeline.rows) {
		const depth = row.parent === undefined ? 0 : (depths.get(row.parent) ?? 0) + 1;
		depths.set(row.id, depth);
		if (row.nodeId !== undefined) {
			nodes.set(row.nodeId, addRow(nodes.get(row.nodeId), row, depth));
		}
	}
	return nodes;
}

function addRow(before: NodeTimes | undefined, { title, status, start, end }: TimelineRow, depth: number): NodeTimes {
	const known: NodeTimes = before ?? { title, depth, statuses: [], count: 0, total: 0 };
	const { statuses, count, total } = known;
	return {
		...known,
		statuses: statuses.length >= mostStatuses || statuses.includes(status) ? statuses : [...statuses, status],
		count: count + 1,
		total: total + (end === undefined ? 0 : end - start),
	};
}
