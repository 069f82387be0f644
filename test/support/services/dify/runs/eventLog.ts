import { EventEmitter, once } from 'node:events';
import type { Fields } from '../state.ts';

/** Saves the events of a run for several readers at different positions. */
export class EventLog {
	readonly #events: Fields[] = [];
	readonly #emitter = new EventEmitter().setMaxListeners(0);
	#ended = false;

	get length(): number {
		return this.#events.length;
	}

	/** Events received so far. */
	get past(): readonly Fields[] {
		return this.#events;
	}

	addEvents(...events: Fields[]): void {
		this.#events.push(...events);
		this.#emitter.emit('more');
	}

	endLog(): void {
		this.#ended = true;
		this.#emitter.emit('more');
	}

	/** Yields past and future events from a position, up to and including the first for which `isLast` is true. */
	async *readEventsFrom(place: number, isLast: (event: Fields) => boolean): AsyncGenerator<Fields> {
		for (let next = place; ; next += 1) {
			while (next >= this.#events.length) {
				if (this.#ended) {
					return;
				}
				await once(this.#emitter, 'more');
			}
			const event = this.#events[next] as Fields;
			yield event;
			if (isLast(event)) {
				return;
			}
		}
	}
}
