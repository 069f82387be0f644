import type { JournalEntry } from './journalEntry.ts';
import { Timeline, type TimelineRow } from './timeline.ts';

/** A node that failed, or whose end wasn't reported. */
interface TroubledNode {
	readonly title: string;
	readonly node_id: string;
	readonly node_type: string;
	/** Status as reported by the service, or `end not reported`. */
	readonly status: string;
	/** Iteration of the node's container, from 1. */
	readonly round?: number;
	readonly error?: string;
	readonly inputs?: unknown;
	readonly outputs?: unknown;
}

/** Facts from a run's journal for a question about the run. */
export interface RunStory {
	/** Inputs as sent; `undefined` if the journal no longer has them. */
	readonly inputs?: unknown;
	/** Failed nodes, including handled failures, then unfinished ones; the first {@link mostNodes}. */
	readonly nodes: readonly TroubledNode[];
	/** Number of failed or unfinished nodes beyond these. */
	readonly more: number;
}

const mostNodes = 10;

/** Inputs and outputs of a node. The timeline doesn't keep these. */
interface NodeValues {
	readonly inputs?: unknown;
	readonly outputs?: unknown;
	readonly error?: string | null;
}

/** Reads the facts that a question about a run needs. */
export async function readRunStory(entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>): Promise<RunStory> {
	const timeline = new Timeline();
	/** Values of running or failed nodes, by row. */
	const values = new Map<string, NodeValues>();
	let inputs: unknown;
	for await (const entry of entries) {
		timeline.addEntry(entry);
		if ('request' in entry) {
			inputs = (entry.request as { inputs?: unknown } | null)?.inputs;
		}
		for (const row of timeline.takeChangedRows()) {
			if (hasTrouble(row) && 'event' in entry && 'data' in entry.event) {
				values.set(row.id, { ...values.get(row.id), ...(entry.event.data as NodeValues) });
			} else {
				values.delete(row.id);
			}
		}
	}
	const rows = timeline.rows.filter(hasTrouble);
	const inOrder = [...rows.filter(({ end }) => end !== undefined), ...rows.filter(({ end }) => end === undefined)];
	return {
		...(inputs === undefined ? {} : { inputs }),
		nodes: inOrder.slice(0, mostNodes).map(row => toTroubledNode(row, values.get(row.id) ?? {})),
		more: Math.max(0, inOrder.length - mostNodes),
	};
}

function hasTrouble({ nodeId, end, status }: TimelineRow): boolean {
	return nodeId !== undefined && (end === undefined || status === 'failed' || status === 'exception');
}

function toTroubledNode(
	{ title, nodeId = '', kind, status, end, round }: TimelineRow,
	{ inputs, outputs, error }: NodeValues,
): TroubledNode {
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
