import type { WorkflowEvent, WorkflowPausedEvent } from '#contract/events.ts';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunData } from '#contract/workflows.ts';
import type { RunEnd, RunPause } from '../store/runRows.ts';
import type { RunListener } from './liveRun.ts';
import type { RunRecorder } from './runRecorder.ts';

/** The event of a pause that is not written yet. */
interface HeldPause {
	readonly event: WorkflowPausedEvent;
	readonly json: string;
}

/** Writes a run's events to the store and to those who follow it; the last one only once its end is kept. */
export class EventWriter {
	readonly #recorder: RunRecorder;
	readonly #seq: number;
	readonly #listeners: ReadonlySet<RunListener>;
	#number: number;
	#paused: HeldPause | undefined;
	/** Why the run's end could not be written; nobody is told then that it has ended well. */
	failure: unknown;

	/** @param after number of the run's last event, where it goes on after a pause */
	constructor(recorder: RunRecorder, seq: number, listeners: ReadonlySet<RunListener>, after = 0) {
		this.#number = after;
		this.#recorder = recorder;
		this.#seq = seq;
		this.#listeners = listeners;
	}

	/** Number of the last event that was written, or waits to be. */
	get lastNumber(): number {
		return this.#number;
	}

	emit(event: WorkflowEvent): void {
		const json = JSON.stringify(event);
		if (event.event === 'workflow_finished') {
			try {
				const last = { run: this.#seq, number: ++this.#number, event: json };
				this.#recorder.finish(this.#seq, endOf((event as { data: RunData }).data), [last]);
			} catch (error) {
				this.failure = error;
				return;
			}
		} else if (event.event === 'workflow_paused') {
			// told by `pause`, once all is kept that is needed to go on
			this.#paused = { event: event as WorkflowPausedEvent, json };
			return;
		} else if (event.event !== 'text_chunk' && event.event !== 'reasoning_chunk') {
			this.#recorder.add({ run: this.#seq, number: ++this.#number, event: json });
		}
		this.#send(event, json);
	}

	/** Writes that the run waits for a person, then tells it; returns what was told. Throws where the store cannot take it. */
	pause(pause: RunPause): WorkflowPausedEvent['data'] {
		const { event, json } = this.#paused as HeldPause;
		this.#recorder.pause(this.#seq, pause, [{ run: this.#seq, number: ++this.#number, event: json }]);
		this.#send(event, json);
		return event.data;
	}

	/** The run could not go on outside its graph, or its end could not be written: it has failed, in the store too, as soon as that takes it. */
	fail(ids: { readonly task_id: string; readonly workflow_run_id: string }, fault: ServiceFault): void {
		this.#recorder.settle(this.#seq, failedEnd(fault.message));
		const event = {
			event: 'error',
			...ids,
			message_id: ids.workflow_run_id,
			status: fault.status,
			code: fault.details.code ?? 'internal_server_error',
			message: fault.message,
		} as const;
		this.#send(event, JSON.stringify(event));
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
