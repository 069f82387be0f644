import type { WorkflowEvent, WorkflowPausedEvent } from '#contract/events.ts';
import type { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { RunData } from '#contract/workflows.ts';
import type { RunEnd, RunPause } from '../store/runRows.ts';
import type { RunListener } from './liveRun.ts';
import type { RunRecorder } from './runRecorder.ts';

/** The event of a pause that isn't recorded yet. */
interface HeldPause {
	readonly event: WorkflowPausedEvent;
	readonly json: string;
}

/** Records a run's events and sends them to its followers. The last event is only sent after the end of the run has been saved. */
export class EventWriter {
	readonly #recorder: RunRecorder;
	readonly #seq: number;
	readonly #listeners: ReadonlySet<RunListener>;
	#number: number;
	#paused: HeldPause | undefined;
	/** Why the end of the run couldn't be saved. The run must not be reported as finished then. */
	failure: unknown;

	/** @param after number of the run's last event before it was resumed */
	constructor(recorder: RunRecorder, seq: number, listeners: ReadonlySet<RunListener>, after = 0) {
		this.#number = after;
		this.#recorder = recorder;
		this.#seq = seq;
		this.#listeners = listeners;
	}

	/** Number of the last event, recorded or pending. */
	get lastNumber(): number {
		return this.#number;
	}

	emitEvent(event: WorkflowEvent): void {
		const json = JSON.stringify(event);
		if (event.event === 'workflow_finished') {
			try {
				const last = { run: this.#seq, number: ++this.#number, event: json };
				this.#recorder.finishRun(this.#seq, toRunEnd((event as { data: RunData }).data), [last]);
			} catch (error) {
				this.failure = error;
				return;
			}
		} else if (event.event === 'workflow_paused') {
			// `pauseRun` sends this after it has saved everything needed to resume
			this.#paused = { event: event as WorkflowPausedEvent, json };
			return;
		} else if (event.event !== 'text_chunk' && event.event !== 'reasoning_chunk') {
			this.#recorder.add({ run: this.#seq, number: ++this.#number, event: json });
		}
		this.#sendEvent(event, json);
	}

	/** Saves the pause of the run, then sends its event. Returns the event's data. Throws if the store can't save it. */
	pauseRun(pause: RunPause): WorkflowPausedEvent['data'] {
		const { event, json } = this.#paused as HeldPause;
		this.#recorder.pauseRun(this.#seq, pause, [{ run: this.#seq, number: ++this.#number, event: json }]);
		this.#sendEvent(event, json);
		return event.data;
	}

	/**
	 * Marks the run as failed, because of an error outside its graph or because its end couldn't be saved. Updates the store as soon as
	 * possible.
	 */
	failRun(ids: { readonly task_id: string; readonly workflow_run_id: string }, fault: ServiceFault): void {
		this.#recorder.settleRunLater(this.#seq, createFailedEnd(fault.message));
		const event = {
			event: 'error',
			...ids,
			message_id: ids.workflow_run_id,
			status: fault.status,
			code: fault.details.code ?? 'internal_server_error',
			message: fault.message,
		} as const;
		this.#sendEvent(event, JSON.stringify(event));
	}

	#sendEvent(event: WorkflowEvent, json: string): void {
		for (const listener of this.#listeners) {
			listener(event, json);
		}
	}
}

function toRunEnd(data: RunData): RunEnd {
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

function createFailedEnd(error: string): RunEnd {
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
