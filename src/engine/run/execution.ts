import type { AgentNode } from '../agentFile/agentTypes.ts';
import type { NodeDraft } from '../nodes/nodeType.ts';

/** Where a node runs: in which round of which container. Empty outside of containers. */
export interface ExecutionPlace {
	readonly iteration_id?: string;
	readonly iteration_index?: number;
	readonly loop_id?: string;
	readonly loop_index?: number;
}

/** One node while it runs, retries included. */
export interface Execution {
	readonly id: string;
	readonly node: AgentNode;
	/** Counts the nodes of a run from 1 in the order in which they start. */
	readonly index: number;
	readonly predecessor: string | null;
	/** Seconds since 1970. */
	readonly createdAt: number;
	/** `performance.now()` at the start. */
	readonly started: number;
	readonly draft: NodeDraft;
	retries: number;
	/** Whether its end has been told; what comes later from it is dropped. */
	done: boolean;
	/** One of too many in rounds: told of only if it fails. */
	readonly silent: boolean;
	/** How far a container has told of itself. */
	told: 'nothing' | 'started' | 'completed';
}

/** How a node, or an attempt, ended. */
export interface NodeEnd {
	readonly status: 'succeeded' | 'failed' | 'exception' | 'stopped' | 'retry';
	readonly outputs: Record<string, unknown>;
	readonly error: string | null;
}

/** What a container tells of itself; fields of its type come on top. */
export interface ContainerData {
	readonly inputs?: Record<string, unknown> | null;
	readonly outputs?: Record<string, unknown>;
	readonly status?: NodeEnd['status'];
	readonly error?: string | null;
	readonly [field: string]: unknown;
}

/** Whether it is in a round of a container. */
export function isInRound({ iteration_id, loop_id }: ExecutionPlace): boolean {
	return iteration_id !== undefined || loop_id !== undefined;
}
