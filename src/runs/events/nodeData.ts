import type { ExecutionMetadata } from '#contract/events.ts';

/** What node and container events may carry; services leave fields out. */
export interface NodeData {
	readonly id?: string;
	readonly node_id?: string;
	readonly node_type?: string;
	readonly title?: string;
	readonly index?: number;
	readonly predecessor_node_id?: string | null;
	readonly iteration_id?: string | null;
	readonly iteration_index?: number;
	readonly loop_id?: string | null;
	readonly loop_index?: number;
	readonly status?: string;
	readonly error?: string | null;
	readonly elapsed_time?: number;
	readonly created_at?: unknown;
	readonly execution_metadata?: (ExecutionMetadata & { iteration_index?: number; loop_index?: number }) | null;
	readonly outputs?: Readonly<Record<string, unknown>> | null;
	readonly total_tokens?: number;
	readonly retry_index?: number;
	readonly metadata?: { readonly iteration_length?: number; readonly loop_length?: number };
	readonly reasoning?: unknown;
	/** Something stood in for the node: it was not run. */
	readonly mocked?: unknown;
	/** The node was not run: what an earlier run has recorded of it was taken. */
	readonly recorded?: unknown;
}

/** What took the place of a node that was not run. */
export function standInOf({ mocked, recorded }: Pick<NodeData, 'mocked' | 'recorded'>): 'mocked' | 'recorded' | undefined {
	return mocked === true ? 'mocked' : recorded === true ? 'recorded' : undefined;
}

/** A hundred years, in milliseconds. */
const longestMs = 3.2e12;

/** ID of an execution of a node; made up where the service gives none. */
export function executionOf({ id, node_id, index }: NodeData): string {
	return id || `${node_id ?? 'node'}/${index ?? ''}`;
}

/** Whether an event names its round beside what it is of. */
export function saysRound({ iteration_index, loop_index }: NodeData): boolean {
	return iteration_index !== undefined || loop_index !== undefined;
}

/** Round, from 1, that an event says it is of. */
export function roundOf(
	{ iteration_id, iteration_index, loop_id, loop_index }: NodeData,
	container: string | undefined,
): number | undefined {
	if (container === loop_id && loop_index !== undefined) {
		return loop_index + 1;
	}
	return container === iteration_id && iteration_index !== undefined ? iteration_index + 1 : undefined;
}

/** How long a node took, as the service says; `undefined` where that is no time that a run can take. */
export function tookMsOf({ elapsed_time: seconds }: NodeData): number | undefined {
	return typeof seconds === 'number' && seconds >= 0 && seconds * 1000 < longestMs ? seconds * 1000 : undefined;
}
