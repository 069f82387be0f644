import type { AgentNode } from '../agentFile/agentTypes.ts';
import type { NodeDraft } from '../nodes/nodeType.ts';

/** The container and iteration that a node runs in. Empty outside of containers. */
export interface ExecutionPlace {
	readonly iteration_id?: string;
	readonly iteration_index?: number;
	readonly loop_id?: string;
	readonly loop_index?: number;
}

/** A running node, including its retries. */
export interface Execution {
	readonly id: string;
	readonly node: AgentNode;
	/** Number of the node in its run, from 1, in the order in which nodes start. */
	readonly index: number;
	readonly predecessor: string | null;
	/** Start time in seconds since 1970. */
	readonly createdAt: number;
	/** `performance.now()` at the start. */
	readonly started: number;
	readonly draft: NodeDraft;
	retries: number;
	/** True once the node's end has been reported. Later results are dropped. */
	done: boolean;
	/** True if the limit of reported nodes in iterations was reached. Such a node is reported only if it fails. */
	readonly silent: boolean;
	/** The last event that a container has reported. */
	reported: 'nothing' | 'started' | 'completed';
}

/** How a node, or an attempt, ended. */
export interface NodeEnd {
	readonly status: 'succeeded' | 'failed' | 'exception' | 'stopped' | 'retry';
	readonly outputs: Record<string, unknown>;
	readonly error: string | null;
}

/** Data of container events; each container type adds its fields. */
export interface ContainerData {
	readonly inputs?: Record<string, unknown> | null;
	readonly outputs?: Record<string, unknown>;
	readonly status?: NodeEnd['status'];
	readonly error?: string | null;
	readonly [field: string]: unknown;
}

/** True if the place is inside a container. */
export function isInsideContainer({ iteration_id, loop_id }: ExecutionPlace): boolean {
	return iteration_id !== undefined || loop_id !== undefined;
}
