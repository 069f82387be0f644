import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Runs that may wait for a turn, for each that may run. */
const waitingPerSlot = 40;

/** A run's place: it has its turn when `ready` resolves, and gives its place on, or up, when it is disposed of. Disposing twice does nothing. */
export interface RunSlot extends Disposable {
	readonly ready: Promise<void>;
}

/** Lets a number of runs go on at a time; the others wait in the order they came. */
export class RunSlots {
	readonly #limit: number;
	readonly #waiting = new Set<() => void>();
	#taken = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Number of runs that have a turn or wait for one. */
	get wanted(): number {
		return this.#taken + this.#waiting.size;
	}

	/** A place for a run that begins. Throws a fault (429), at once, when too many wait. */
	take(agentName: string): RunSlot {
		if (this.#waiting.size >= this.#limit * waitingPerSlot) {
			// Dify's words (wire facts 1.6)
			throw new ServiceFault(
				429,
				`Too many requests. Please try again later. The current maximum concurrent requests allowed for ${agentName} is ${this.#limit}.`,
			);
		}
		return this.queue();
	}

	/** A place for a run that was begun before, however many wait. */
	queue(): RunSlot {
		if (this.#taken < this.#limit) {
			this.#taken++;
			return this.#slot(Promise.resolve());
		}
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.add(resolve);
		return this.#slot(promise, resolve);
	}

	#slot(ready: Promise<void>, begin?: () => void): RunSlot {
		let held = true;
		return {
			ready,
			[Symbol.dispose]: () => {
				if (held && !(begin && this.#waiting.delete(begin))) {
					this.#release();
				}
				held = false;
			},
		};
	}

	#release(): void {
		const [next] = this.#waiting;
		if (next) {
			this.#waiting.delete(next);
			next();
		} else {
			this.#taken--;
		}
	}
}
