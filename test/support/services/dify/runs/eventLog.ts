import { EventEmitter, once } from 'node:events';
import type { Fields } from '../state.ts';

/** Events of a run, kept, so that several can read them from wherever they like. */
export class EventLog {
	readonly #events: Fields[] = [];
	readonly #emitter = new EventEmitter().setMaxListeners(0);
	#ended = false;

	get length(): number {
		return this.#events.length;
	}

	/** What has been so far. */
	get past(): readonly Fields[] {
		return this.#events;
	}

	push(...events: Fields[]): void {
		this.#events.push(...events);
		this.#emitter.emit('more');
	}

	end(): void {
		this.#ended = true;
		this.#emitter.emit('more');
	}

	/** Events from a place on, those to come too; up to and with the one that `isLast`. */
	async *from(place: number, isLast: (event: Fields) => boolean): AsyncGenerator<Fields> {
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
