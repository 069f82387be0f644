import type { JournalEntry } from './runTypes.ts';

/** A node that failed, or whose end was not told, as its events tell it. */
export interface TroubledNode {
	readonly title: string;
	readonly node_id: string;
	readonly node_type: string;
	/** The service's word, or `no end was told`. */
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

interface NodeData {
	readonly id?: string;
	readonly node_id?: string;
	readonly node_type?: string;
	readonly title?: string;
	readonly status?: string;
	readonly error?: string | null;
	readonly inputs?: unknown;
	readonly outputs?: unknown;
	readonly iteration_index?: number;
	readonly loop_index?: number;
	readonly execution_metadata?: { readonly iteration_index?: number; readonly loop_index?: number } | null;
}

/** Reads what a question about a run needs to hold. */
export async function runStory(entries: AsyncIterable<JournalEntry> | Iterable<JournalEntry>): Promise<RunStory> {
	const open = new Map<string, NodeData>();
	const failed: TroubledNode[] = [];
	let inputs: unknown;
	for await (const entry of entries) {
		if ('request' in entry) {
			inputs = (entry.request as { inputs?: unknown } | null)?.inputs;
		} else if ('event' in entry && /^(node|iteration|loop)_(started|finished|completed)$/.test(entry.event.event)) {
			const data = ('data' in entry.event ? entry.event.data : undefined) as NodeData | undefined;
			const execution = data?.id ?? data?.node_id ?? '';
			if (data && entry.event.event.endsWith('_started')) {
				open.set(execution, data);
			} else if (data) {
				if (data.status === 'failed' || data.status === 'exception') {
					failed.push(told({ ...open.get(execution), ...data }, data.status));
				}
				open.delete(execution);
			}
		}
	}
	const nodes = [...failed, ...[...open.values()].map(data => told(data, 'no end was told'))];
	return { ...(inputs === undefined ? {} : { inputs }), nodes: nodes.slice(0, mostNodes), more: Math.max(0, nodes.length - mostNodes) };
}

function told(data: NodeData, status: string): TroubledNode {
	const { title, node_id = '', node_type = '', error, inputs, outputs, iteration_index, loop_index, execution_metadata } = data;
	const index = iteration_index ?? loop_index ?? execution_metadata?.iteration_index ?? execution_metadata?.loop_index;
	return {
		title: title || node_id,
		node_id,
		node_type,
		status,
		...(index === undefined ? {} : { round: index + 1 }),
		...(error ? { error } : {}),
		...(inputs ? { inputs } : {}),
		...(outputs ? { outputs } : {}),
	};
}
