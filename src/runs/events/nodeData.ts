import type { ExecutionMetadata } from '#contract/events.ts';

/** Fields of node and container events; services may omit any. */
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
	/** Set if a mock replaced the node. */
	readonly mocked?: unknown;
	/** Set if the node didn't run and outputs recorded in an earlier run were used. */
	readonly recorded?: unknown;
	/** Set if the node ran, but a recording answered what it asked models, tools or services. */
	readonly replayed?: unknown;
	/** Price of reused replies or of the recorded result, which wasn't paid again. */
	readonly saved_price?: unknown;
}

/** What replaced a node, or the services that it called. */
export type StandIn = 'mocked' | 'recorded' | 'replayed';

/** Returns what replaced a node that didn't run, or the services that it called. */
export function getStandIn({ mocked, recorded, replayed }: Pick<NodeData, StandIn>): StandIn | undefined {
	return mocked === true ? 'mocked' : recorded === true ? 'recorded' : replayed === true ? 'replayed' : undefined;
}

/** Maximum plausible duration in milliseconds: 100 years. */
const longestMs = 3.2e12;

/** Returns the ID of a node execution, or derives one if the service sends none. */
export function getExecutionId({ id, node_id, index }: NodeData): string {
	return id || `${node_id ?? 'node'}/${index ?? ''}`;
}

/** True if an event names its iteration. */
export function hasIterationIndex({ iteration_index, loop_index }: NodeData): boolean {
	return iteration_index !== undefined || loop_index !== undefined;
}

/** Returns the iteration, from 1, that an event names. */
export function getIteration(
	{ iteration_id, iteration_index, loop_id, loop_index }: NodeData,
	container: string | undefined,
): number | undefined {
	if (container === loop_id && loop_index !== undefined) {
		return loop_index + 1;
	}
	return container === iteration_id && iteration_index !== undefined ? iteration_index + 1 : undefined;
}

/** Returns the reported duration of a node; `undefined` if it isn't plausible. */
export function getDurationMs({ elapsed_time: seconds }: NodeData): number | undefined {
	return typeof seconds === 'number' && seconds >= 0 && seconds * 1000 < longestMs ? seconds * 1000 : undefined;
}
