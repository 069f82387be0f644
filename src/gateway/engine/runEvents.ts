import { randomUUID } from 'node:crypto';
import type { NodeResultData } from '../../protocol/events.ts';
import type { RunData } from '../../protocol/workflows.ts';
import type { AgentNode, Selector } from './agentTypes.ts';
import type { RunOptions } from './engineTypes.ts';
import type { NodeDraft } from './nodes/nodeType.ts';
import { preview } from './preview.ts';

/** Where a node runs: in which round of which container. Empty outside of containers. */
export interface Place {
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

/** Builds and sends the events of one run (contract, "Events"; wire facts 1.5), and its node records. */
export class RunEvents {
	readonly #options: RunOptions;
	#index = 0;

	constructor(options: RunOptions) {
		this.#options = options;
	}

	workflowStarted(inputs: Record<string, unknown>, createdAt: number): void {
		const { runId, workflowId, sequenceNumber } = this.#options;
		this.#emit('workflow_started', {
			id: runId,
			workflow_id: workflowId,
			sequence_number: sequenceNumber,
			inputs: preview(inputs).value,
			created_at: createdAt,
			reason: 'initial',
		});
	}

	workflowFinished(data: RunData): void {
		this.#emit('workflow_finished', data);
	}

	/** Starts a node; containers send events of their own. */
	nodeStarted(node: AgentNode, predecessor: string | null, place: Place): Execution {
		const execution: Execution = {
			id: randomUUID(),
			node,
			index: ++this.#index,
			predecessor,
			createdAt: Math.floor(Date.now() / 1000),
			started: performance.now(),
			draft: { inputs: null, processData: null, metadata: {} },
			retries: 0,
			done: false,
			told: 'nothing',
		};
		if (!node.inner) {
			this.#emit('node_started', { ...this.#head(execution, place), inputs: null, inputs_truncated: false, extras: {} });
		}
		return execution;
	}

	nodeRetry(execution: Execution, end: NodeEnd, place: Place): void {
		this.#emit('node_retry', { ...this.#result(execution, end, place), retry_index: execution.retries });
	}

	nodeFinished(execution: Execution, end: NodeEnd, place: Place): void {
		if (execution.node.inner) {
			// one that ended well, or failed by itself, has told so already
			if (execution.told === 'started') {
				this.container(execution, 'completed', { ...end, inputs: execution.draft.inputs }, place);
			}
			return;
		}
		const record = this.#result(execution, end, place);
		this.#options.record?.(record);
		const inputs = preview(record.inputs);
		const processData = preview(record.process_data);
		const outputs = preview(record.outputs);
		this.#emit('node_finished', {
			...record,
			inputs: inputs.value,
			inputs_truncated: inputs.truncated,
			process_data: processData.value,
			process_data_truncated: processData.truncated,
			outputs: outputs.value,
			outputs_truncated: outputs.truncated,
		});
	}

	/** Event of a container about itself; `data` is added to what all of them have. */
	container(execution: Execution, kind: 'started' | 'next' | 'completed', data: ContainerData, place: Place): void {
		const { id, node, createdAt } = execution;
		const head = { id, node_id: node.id, node_type: node.type, title: node.title, created_at: createdAt, extras: {}, ...place };
		if (kind === 'next') {
			this.#emit(`${node.type}_next`, { ...head, ...data });
			return;
		}
		execution.told = kind;
		const inputs = preview(data.inputs ?? null);
		const shown = { ...head, ...data, inputs: inputs.value, inputs_truncated: inputs.truncated };
		if (kind === 'started') {
			this.#emit(`${node.type}_started`, shown);
			return;
		}
		const end = { status: data.status ?? 'succeeded', outputs: data.outputs ?? {}, error: data.error ?? null };
		const record = { ...this.#result(execution, end, place), ...data };
		this.#options.record?.(record);
		const outputs = preview(record.outputs);
		const { elapsed_time, finished_at, execution_metadata } = record;
		this.#emit(`${node.type}_completed`, {
			elapsed_time,
			finished_at,
			execution_metadata,
			...shown,
			outputs: outputs.value,
			outputs_truncated: outputs.truncated,
		});
	}

	textChunk(text: string, selector: Selector, place: Place): void {
		this.#emit('text_chunk', { text, from_variable_selector: selector, ...place });
	}

	#head({ id, node, index, predecessor, createdAt }: Execution, place: Place) {
		return {
			id,
			node_id: node.id,
			node_type: node.type,
			title: node.title,
			index,
			predecessor_node_id: predecessor,
			created_at: createdAt,
			iteration_id: null,
			loop_id: null,
			...place,
		};
	}

	#result(execution: Execution, end: NodeEnd, place: Place): NodeResultData {
		const { draft, node } = execution;
		const handled = end.status === 'exception' ? { error_strategy: node.failure.strategy } : undefined;
		return {
			...this.#head(execution, place),
			inputs: draft.inputs,
			process_data: draft.processData,
			outputs: end.outputs,
			status: end.status,
			error: end.error,
			elapsed_time: seconds(execution.started),
			execution_metadata: { ...draft.metadata, ...place, ...handled },
			finished_at: Math.floor(Date.now() / 1000),
			files: [],
		};
	}

	#emit(event: string, data: object): void {
		const { taskId, runId, emit } = this.#options;
		emit({ event, task_id: taskId, workflow_run_id: runId, data });
	}
}

/** Seconds since a `performance.now()`. */
export function seconds(since: number): number {
	return Math.round((performance.now() - since) * 1000) / 1_000_000;
}
