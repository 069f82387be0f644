import { cutToLimit } from '#base/text/cutText.ts';
import type { JournalEntry } from '../events/journalEntry.ts';
import { Timeline, type TimelineRow } from '../events/timeline.ts';
import { NodeValues } from './nodeValues.ts';

/** How a run's nodes ended, by their IDs. */
interface NodeEnds {
	/**
	 * Error messages of nodes that failed without an error strategy. If a container failed because of a node inside it, only the inner node
	 * is included.
	 */
	readonly failed: ReadonlyMap<string, string>;
	/** Nodes that succeeded every time, and ran each time. */
	readonly passed: ReadonlyMap<string, NodeOutcome>;
	/** Nodes that didn't run at least once: a mock or the outputs of an earlier run were used. They say nothing about the agent file. */
	readonly replaced: ReadonlySet<string>;
}

/** What a node put out on one line (of several executions, the last one), and the total duration of its executions. */
export interface NodeOutcome {
	readonly value: string;
	readonly ms: number;
}

/** Maximum length of an error in UTF-16 units. The journal has the whole error. */
const longestError = 10_000;

/** Reads how the nodes of a run ended. */
export async function readNodeEnds(entries: AsyncIterable<JournalEntry>): Promise<NodeEnds> {
	const timeline = new Timeline();
	const values = new NodeValues();
	const errors = new Map<string, string>();
	for await (const entry of entries) {
		const row = timeline.addEntry(entry);
		values.addEntry(entry, row);
		if (row && hasFailed(row)) {
			const { error } = ('event' in entry && 'data' in entry.event ? entry.event.data : {}) as { error?: unknown };
			errors.set(row.id, typeof error === 'string' && error !== '' ? cutToLimit(error, longestError) : (row.error ?? ''));
		}
	}
	const rows = timeline.rows.filter(({ nodeId }) => nodeId !== undefined);
	const around = new Set(rows.filter(hasFailed).map(({ parent }) => parent));
	const failed = new Map(
		rows.filter(row => hasFailed(row) && !around.has(row.id)).map(({ id, nodeId = '' }) => [nodeId, errors.get(id) ?? ''] as const),
	);
	const replaced = new Set(rows.filter(({ standIn }) => standIn === 'mocked' || standIn === 'recorded').map(({ nodeId = '' }) => nodeId));
	const notPassed = new Set([...rows.filter(({ status }) => status !== 'succeeded').map(({ nodeId = '' }) => nodeId), ...replaced]);
	const passed = new Map<string, NodeOutcome>();
	for (const { nodeId = '', start, end = start } of rows) {
		if (!notPassed.has(nodeId)) {
			passed.set(nodeId, { value: values.get(nodeId) ?? '', ms: (passed.get(nodeId)?.ms ?? 0) + end - start });
		}
	}
	return { failed, passed, replaced };
}

function hasFailed({ status }: TimelineRow): boolean {
	return status === 'failed';
}
