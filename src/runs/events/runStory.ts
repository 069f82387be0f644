import type { JournalEntry } from './journalEntry.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** A node that failed, or whose end was not told, as its events tell it. */
interface TroubledNode {
	readonly title: string;
	readonly node_id: string;
	readonly node_type: string;
	/** The service's word, or `end not reported`. */
	readonly status: string;
	/** Round of its iteration or loop, from 1. */
	readonly round?: number;
	readonly error?: string;
	readonly inputs?: unknown;
	readonly outputs?: unknown;
}

/** What the journal of a run has for a question about it. */
export interface RunStory {
	/** As they were sent; `undefined` where the journal has them no longer. */
	readonly inputs?: unknown;
	/** Nodes that failed, handled or not, then those whose end was not told; the first {@link mostNodes}. */
	readonly nodes: readonly TroubledNode[];
	/** How many more such nodes there are. */
	readonly more: number;
}

const mostNodes = 10;

/** What went into a node and came out of it: the timeline, which knows how nodes stand, leaves it in the journal. */
interface NodeValues {
	readonly inputs?: unknown;
	readonly outputs?: unknown;
	readonly error?: string | null;
}

/** Reads what a question about a run needs to hold. */
export async function runStory(entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>): Promise<RunStory> {
	const timeline = new Timeline();
	/** Values of nodes that run or failed, by their rows. */
	const values = new Map<string, NodeValues>();
	let inputs: unknown;
	for await (const entry of entries) {
		timeline.take(entry);
		if ('request' in entry) {
			inputs = (entry.request as { inputs?: unknown } | null)?.inputs;
		}
		for (const row of timeline.takeChanges()) {
			if (isTroubled(row) && 'event' in entry && 'data' in entry.event) {
				values.set(row.id, { ...values.get(row.id), ...(entry.event.data as NodeValues) });
			} else {
				values.delete(row.id);
			}
		}
	}
	const rows = timeline.rows.filter(isTroubled);
	const inOrder = [...rows.filter(({ end }) => end !== undefined), ...rows.filter(({ end }) => end === undefined)];
	return {
		...(inputs === undefined ? {} : { inputs }),
		nodes: inOrder.slice(0, mostNodes).map(row => told(row, values.get(row.id) ?? {})),
		more: Math.max(0, inOrder.length - mostNodes),
	};
}

function isTroubled({ nodeId, end, status }: TimelineRow): boolean {
	return nodeId !== undefined && (end === undefined || status === 'failed' || status === 'exception');
}

function told({ title, nodeId = '', kind, status, end, round }: TimelineRow, { inputs, outputs, error }: NodeValues): TroubledNode {
	return {
		title,
		node_id: nodeId,
		node_type: kind,
		status: end === undefined ? 'end not reported' : status,
		...(round === undefined ? {} : { round }),
		...(error ? { error } : {}),
		...(inputs ? { inputs } : {}),
		...(outputs ? { outputs } : {}),
	};
}
