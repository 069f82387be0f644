import { setImmediate as nextTurn } from 'node:timers/promises';
import type { RunRow } from '../store/runRows.ts';
import type { Store } from '../store/store.ts';
import { finishedEvent } from './finishedEvent.ts';
import type { LiveRun, RunListener } from './liveRun.ts';
import type { RunRecorder } from './runRecorder.ts';
import type { RunService } from './runService.ts';

/** Who reads a run's events. */
export interface RunEventReader {
	send(json: string): void;
	/** Resolves when it has taken nearly all that was sent, or is gone. */
	room(): Promise<void>;
}

/** What is read of a run. */
interface ReplayOrder {
	/** Whether all events that have been come first; else those after the last pause that was answered, and of a run without one only those to come. */
	readonly fromStart: boolean;
	/** Whether to go on reading while the run waits for a person. */
	readonly acrossPauses: boolean;
}

/** Hands over the events of runs to those who come later: what is written, then what comes. */
export class RunReplay {
	readonly #store: Store;
	readonly #runs: Pick<RunService, 'live' | 'waiting'>;
	readonly #recorder: RunRecorder;

	constructor(store: Store, runs: Pick<RunService, 'live' | 'waiting'>, recorder: RunRecorder) {
		this.#store = store;
		this.#runs = runs;
		this.#recorder = recorder;
	}

	/**
	 * Hands over the events of a run until it has ended, waits for a person, or `signal` aborts. What is written is read a page at a time, as `reader`
	 * has room for it. Pieces of text that came before are left out: the last event has the whole.
	 */
	async follow(row: RunRow, order: ReplayOrder, signal: AbortSignal, reader: RunEventReader): Promise<void> {
		const gone = aborted(signal);
		let after = order.fromStart ? 0 : this.#firstOf(row);
		let lastEvent = '';
		while (!signal.aborted) {
			const read = await this.#written(row.seq, after, signal, reader);
			after = read.after;
			lastEvent = read.lastEvent ?? lastEvent;
			const live = this.#runs.live(row.task_id);
			const now = this.#store.runs.rows([row.seq])[0] ?? row;
			if (live) {
				lastEvent = '';
				if (await this.#coming(live, gone, reader)) {
					return;
				}
				after = live.lastNumber();
			} else if (now.status !== 'paused') {
				if (!lastEvent.startsWith('{"event":"workflow_finished"')) {
					reader.send(JSON.stringify(finishedEvent(now)));
				}
				return;
			}
			const paused = this.#store.runs.rows([row.seq])[0]?.status === 'paused';
			if (paused && !order.acrossPauses && (live || lastEvent !== '')) {
				return;
			}
			if (paused) {
				await Promise.race([this.#runs.waiting.changed(row.seq), gone]);
			}
		}
	}

	/** All events of a run that have been, as JSON texts, read a page at a time. */
	*recorded({ seq }: RunRow): Iterable<string> {
		this.#recorder.flush();
		for (let after = 0; ; ) {
			const { events, last } = this.#store.runs.eventPage(seq, after);
			if (events.length === 0) {
				return;
			}
			yield* events;
			after = last;
		}
	}

	/**
	 * Number of the event after which a reader begins who does not want all. Whoever comes after an answer must miss nothing of what came of it, even
	 * where the run has paused again since.
	 */
	#firstOf(row: RunRow): number {
		this.#recorder.flush();
		const [last, before] = this.#store.runs.lastPauses(row.seq);
		if (last !== undefined) {
			return row.status === 'paused' ? (before ?? last) : last;
		}
		const number = this.#store.runs.lastEvent(row.seq);
		return row.finished_at === null ? number : Math.max(0, number - 1);
	}

	async #written(
		seq: number,
		from: number,
		signal: AbortSignal,
		reader: RunEventReader,
	): Promise<{ readonly after: number; readonly lastEvent: string | undefined }> {
		let after = from;
		let lastEvent: string | undefined;
		while (!signal.aborted) {
			this.#recorder.flush();
			const { events, last } = this.#store.runs.eventPage(seq, after);
			if (events.length === 0) {
				break;
			}
			for (const event of events) {
				reader.send(event);
			}
			after = last;
			lastEvent = events.at(-1);
			await reader.room();
			await nextTurn();
		}
		return { after, lastEvent };
	}

	/** Hands over what comes; resolves to whether there is no more to come, but for what comes after a pause. */
	async #coming(live: LiveRun, gone: Promise<unknown>, reader: RunEventReader): Promise<boolean> {
		const listener: RunListener = (_event, json) => reader.send(json);
		live.listeners.add(listener);
		const ended = live.done.then(
			({ data }) => data.status !== 'paused',
			() => true,
		);
		const over = await Promise.race([ended, gone.then(() => true)]);
		live.listeners.delete(listener);
		return over;
	}
}

function aborted(signal: AbortSignal): Promise<unknown> {
	return new Promise(resolve => {
		signal.addEventListener('abort', resolve);
		if (signal.aborted) {
			resolve(undefined);
		}
	});
}
