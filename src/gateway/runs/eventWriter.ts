import type { NodeResultData, WorkflowEvent } from '../../protocol/events.ts';
import type { RunData } from '../../protocol/workflows.ts';
import type { ServiceFault } from '../server/serviceFault.ts';
import type { RunEnd } from '../store/runStore.ts';
import type { RunListener } from './liveRun.ts';
import type { RunRecorder } from './runRecorder.ts';

/** Writes a run's events to the store and to those who follow it; the last one only once its end is kept. */
export class EventWriter {
	readonly #recorder: RunRecorder;
	readonly #seq: number;
	readonly #listeners: ReadonlySet<RunListener>;
	#number = 0;
	#record: NodeResultData | undefined;
	/** Why the run's end could not be written; nobody is told then that it has ended well. */
	failure: unknown;

	constructor(recorder: RunRecorder, seq: number, listeners: ReadonlySet<RunListener>) {
		this.#recorder = recorder;
		this.#seq = seq;
		this.#listeners = listeners;
	}

	/** A node's whole record, where its event, which comes next, carries previews of big values. */
	record(record: NodeResultData): void {
		this.#record = record;
	}

	emit(event: WorkflowEvent): void {
		const json = JSON.stringify(event);
		if (event.event === 'workflow_finished') {
			this.#recorder.add({ run: this.#seq, number: ++this.#number, event: json });
			try {
				this.#recorder.finish(this.#seq, endOf((event as { data: RunData }).data));
			} catch (error) {
				this.failure = error;
				return;
			}
		} else if (event.event !== 'text_chunk') {
			this.#recorder.add({ run: this.#seq, number: ++this.#number, event: this.#whole(event) ?? json });
		}
		this.#send(event, json);
	}

	/** The run could not go on outside its graph. */
	fail(ids: { readonly task_id: string; readonly workflow_run_id: string }, fault: ServiceFault): void {
		try {
			this.#recorder.finish(this.#seq, failedEnd(fault.message));
		} catch (error) {
			this.failure = error;
		}
		const event = { event: 'error', ...ids, status: fault.status, code: 'internal_server_error', message: fault.message } as const;
		this.#send(event, JSON.stringify(event));
	}

	/** The event with the node's whole values, if it carries less. */
	#whole(event: WorkflowEvent): string | undefined {
		const data = 'data' in event ? (event.data as { readonly id?: string } & Readonly<Record<string, unknown>>) : undefined;
		const record = this.#record;
		if (!record || data?.id !== record.id) {
			return undefined;
		}
		this.#record = undefined;
		const cut = data['inputs_truncated'] === true || data['outputs_truncated'] === true || data['process_data_truncated'] === true;
		return cut ? JSON.stringify({ ...event, data: { ...data, ...record } }) : undefined;
	}

	#send(event: WorkflowEvent, json: string): void {
		for (const listener of this.#listeners) {
			listener(event, json);
		}
	}
}

function endOf(data: RunData): RunEnd {
	return {
		status: data.status,
		outputs: data.outputs === null ? null : JSON.stringify(data.outputs),
		error: data.error ?? null,
		elapsedTime: data.elapsed_time,
		totalTokens: data.total_tokens,
		totalSteps: Number(data.total_steps),
		exceptionsCount: Number(data['exceptions_count'] ?? 0),
		finishedAt: Date.now(),
	};
}

function failedEnd(error: string): RunEnd {
	return {
		status: 'failed',
		outputs: null,
		error,
		elapsedTime: 0,
		totalTokens: 0,
		totalSteps: 0,
		exceptionsCount: 0,
		finishedAt: Date.now(),
	};
}
