import type { WorkflowEvent } from '#contract/events.ts';
import { timestampToMs } from '#contract/timestamps.ts';

/** What tells when an event of the past was. */
interface TimedData {
	readonly id?: unknown;
	readonly created_at?: unknown;
	readonly elapsed_time?: unknown;
}

/** Stamps of most services are whole seconds: what they say is true to this, in milliseconds. */
const stampMs = 1000;

/**
 * When the events of a run were that is replayed long after, in Unix milliseconds: as their stamps say, and within the second of a stamp in
 * the order in which they come. A node ends when its time has passed since it began.
 */
export class ReplayedTimes {
	readonly #begun = new Map<unknown, number>();
	#last: number;

	/** `startedAt`: when the run began, in Unix milliseconds. */
	constructor(startedAt: number) {
		this.#last = startedAt;
	}

	/** The time of the next event. */
	of(event: WorkflowEvent): number {
		const data = ('data' in event && typeof event.data === 'object' && event.data !== null ? event.data : {}) as TimedData;
		const begun = event.event.endsWith('_finished') || event.event.endsWith('_completed') ? this.#begun.get(data.id) : undefined;
		const took = typeof data.elapsed_time === 'number' && data.elapsed_time >= 0 ? data.elapsed_time : undefined;
		// no time may come of it that is none
		const ended = begun !== undefined && took !== undefined ? begun + took * 1000 : Number.NaN;
		const at = Number.isNaN(new Date(ended).getTime()) ? this.#stamped(timestampToMs(data.created_at)) : ended;
		if (event.event.endsWith('_started')) {
			this.#begun.set(data.id, at);
		}
		this.#last = Math.max(this.#last, at);
		return at;
	}

	#stamped(stamp: number | undefined): number {
		if (stamp === undefined) {
			return this.#last;
		}
		// what came before it says where in its second it was; nodes that ended later ran beside it
		return stamp % stampMs === 0 && this.#last >= stamp && this.#last < stamp + stampMs ? this.#last : stamp;
	}
}
