import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunRow } from '../store/runRows.ts';
import type { Store } from '../store/store.ts';
import { createFinishedEvent } from './finishedEvent.ts';
import type { LiveRun, RunListener } from './liveRun.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunService } from './runService.ts';

/** A reader of a run's events. */
export interface RunEventReader {
	send(json: string): void;
	/** Resolves when the reader has received nearly everything or has disconnected. */
	waitForRoom(): Promise<void>;
}

/** Selects the events of a run to read. */
interface ReplayOrder {
	/**
	 * True for all events from the start. Otherwise, events after the last answered pause are read, or only new ones if there was no pause.
	 */
	readonly fromStart: boolean;
	/** True to continue reading while the run is paused. */
	readonly acrossPauses: boolean;
}

/** Sends the events of runs to readers that join later: first the recorded events, then new ones. */
export class RunReplay {
	readonly #store: Store;
	readonly #runs: Pick<RunService, 'getLiveRun' | 'waiting'>;
	readonly #recorder: RunRecorder;

	constructor(store: Store, runs: Pick<RunService, 'getLiveRun' | 'waiting'>, recorder: RunRecorder) {
		this.#store = store;
		this.#runs = runs;
		this.#recorder = recorder;
	}

	/**
	 * Sends the events of a run until it has ended or paused, or `signal` aborts. Reads recorded events page by page, as fast as `reader`
	 * accepts them. Skips recorded text chunks, because the last event has the whole text.
	 */
	async followRun(row: RunRow, order: ReplayOrder, signal: AbortSignal, reader: RunEventReader): Promise<void> {
		const gone = waitForAbort(signal);
		let after = order.fromStart ? 0 : this.#findStartNumber(row);
		let lastEvent = '';
		while (!signal.aborted) {
			const read = await this.#sendRecordedEvents(row.seq, after, signal, reader);
			after = read.after;
			lastEvent = read.lastEvent ?? lastEvent;
			const live = this.#runs.getLiveRun(row.task_id);
			const now = this.#store.runs.getRows([row.seq])[0] ?? row;
			if (live) {
				lastEvent = '';
				if (await this.#sendNewEvents(live, gone, reader)) {
					return;
				}
				after = live.getLastNumber();
			} else if (now.status !== 'paused') {
				if (!lastEvent.startsWith('{"event":"workflow_finished"')) {
					reader.send(JSON.stringify(createFinishedEvent(now)));
				}
				return;
			}
			const paused = this.#store.runs.getRows([row.seq])[0]?.status === 'paused';
			if (paused && !order.acrossPauses && (live || lastEvent !== '')) {
				return;
			}
			if (paused) {
				await Promise.race([this.#runs.waiting.waitForChange(row.seq), gone]);
			}
		}
	}

	/** Reads all recorded events of a run as JSON texts, page by page. */
	*readRecordedEvents({ seq }: RunRow): Iterable<string> {
		this.#recorder.flushEvents();
		for (let after = 0; ; ) {
			const { events, last } = this.#store.runs.getEventPage(seq, after);
			if (events.length === 0) {
				return;
			}
			yield* events;
			after = last;
		}
	}

	/**
	 * Returns the number of the event after which to start for a reader that doesn't want all events. A reader that joins after an answer must
	 * not miss any of its effects, even if the run has paused again since.
	 */
	#findStartNumber(row: RunRow): number {
		this.#recorder.flushEvents();
		const [last, before] = this.#store.runs.getLastPauses(row.seq);
		if (last !== undefined) {
			return row.status === 'paused' ? (before ?? last) : last;
		}
		const number = this.#store.runs.getLastEventNumber(row.seq);
		return row.finished_at === null ? number : Math.max(0, number - 1);
	}

	async #sendRecordedEvents(
		seq: number,
		from: number,
		signal: AbortSignal,
		reader: RunEventReader,
	): Promise<{ readonly after: number; readonly lastEvent: string | undefined }> {
		let after = from;
		let lastEvent: string | undefined;
		while (!signal.aborted) {
			this.#recorder.flushEvents();
			const { events, last } = this.#store.runs.getEventPage(seq, after);
			if (events.length === 0) {
				break;
			}
			for (const event of events) {
				reader.send(event);
			}
			after = last;
			lastEvent = events.at(-1);
			await reader.waitForRoom();
			await nextTurn();
		}
		return { after, lastEvent };
	}

	/** Sends new events. Resolves to true if no more will follow, except after a pause. */
	async #sendNewEvents(live: LiveRun, gone: Promise<unknown>, reader: RunEventReader): Promise<boolean> {
		const onEvent: RunListener = (_event, json) => reader.send(json);
		live.listeners.add(onEvent);
		const ended = live.done.then(
			({ data }) => data.status !== 'paused',
			() => true,
		);
		const over = await Promise.race([ended, gone.then(() => true)]);
		live.listeners.delete(onEvent);
		return over;
	}
}

function waitForAbort(signal: AbortSignal): Promise<unknown> {
	return new Promise(resolve => {
		signal.addEventListener('abort', resolve);
		if (signal.aborted) {
			resolve(undefined);
		}
	});
}
