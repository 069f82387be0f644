import type { WorkflowEvent } from '#contract/events.ts';
import { toTimestampMs } from '#contract/timestamps.ts';

/** Fields of an event that determine its time. */
interface TimedData {
	readonly id?: unknown;
	readonly created_at?: unknown;
	readonly elapsed_time?: unknown;
}

/** Resolution of most services' timestamps, in milliseconds. */
const stampMs = 1000;

/**
 * Reconstructs the times of a replayed run's events, in Unix milliseconds: from their timestamps, and within the same second in the order
 * of arrival. A node ends when its reported duration has passed since its start.
 */
export class ReplayedTimes {
	readonly #begun = new Map<unknown, number>();
	#last: number;

	/** `startedAt`: when the run began, in Unix milliseconds. */
	constructor(startedAt: number) {
		this.#last = startedAt;
	}

	/** Returns the time of the next event. */
	calculateEventTime(event: WorkflowEvent): number {
		const data = ('data' in event && typeof event.data === 'object' && event.data !== null ? event.data : {}) as TimedData;
		const begun = event.event.endsWith('_finished') || event.event.endsWith('_completed') ? this.#begun.get(data.id) : undefined;
		const took = typeof data.elapsed_time === 'number' && data.elapsed_time >= 0 ? data.elapsed_time : undefined;
		// the reported duration can be out of range
		const ended = begun !== undefined && took !== undefined ? begun + took * 1000 : Number.NaN;
		const at = Number.isNaN(new Date(ended).getTime()) ? this.#resolveTimestamp(toTimestampMs(data.created_at)) : ended;
		if (event.event.endsWith('_started')) {
			this.#begun.set(data.id, at);
		}
		this.#last = Math.max(this.#last, at);
		return at;
	}

	#resolveTimestamp(stamp: number | undefined): number {
		if (stamp === undefined) {
			return this.#last;
		}
		// earlier events narrow down the time of this one within its second; nodes that ended later ran in parallel
		return stamp % stampMs === 0 && this.#last >= stamp && this.#last < stamp + stampMs ? this.#last : stamp;
	}
}
