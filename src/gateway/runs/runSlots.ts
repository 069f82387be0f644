import { ServiceFault } from '#contract/faults/serviceFault.ts';

/** Maximum number of queued runs per slot. */
const waitingPerSlot = 40;

/**
 * A run's slot. `ready` resolves when it's the run's turn. Disposing of it frees the slot or leaves the queue. Doing so twice has no
 * effect.
 */
export interface RunSlot extends Disposable {
	readonly ready: Promise<void>;
}

/** Limits the number of concurrent runs. Other runs wait in order. */
export class RunSlots {
	readonly #limit: number;
	readonly #waiting = new Set<() => void>();
	#taken = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Number of running and queued runs. */
	get wanted(): number {
		return this.#taken + this.#waiting.size;
	}

	/** Returns a slot for a new run. Throws an error (429) immediately if too many runs are queued. */
	enqueueNewRun(agentName: string): RunSlot {
		if (this.#waiting.size >= this.#limit * waitingPerSlot) {
			// Dify's wording (wire facts 1.6)
			throw new ServiceFault(
				429,
				`Too many requests. Please try again later. The current maximum concurrent requests allowed for ${agentName} is ${this.#limit}.`,
			);
		}
		return this.enqueueResumedRun();
	}

	/** Returns a slot for a resumed run, however many runs are queued. */
	enqueueResumedRun(): RunSlot {
		if (this.#taken < this.#limit) {
			this.#taken++;
			return this.#createSlot(Promise.resolve());
		}
		const { promise, resolve } = Promise.withResolvers<void>();
		this.#waiting.add(resolve);
		return this.#createSlot(promise, resolve);
	}

	#createSlot(ready: Promise<void>, begin?: () => void): RunSlot {
		let held = true;
		return {
			ready,
			[Symbol.dispose]: () => {
				if (held && !(begin && this.#waiting.delete(begin))) {
					this.#startNextRun();
				}
				held = false;
			},
		};
	}

	#startNextRun(): void {
		const [next] = this.#waiting;
		if (next) {
			this.#waiting.delete(next);
			next();
		} else {
			this.#taken--;
		}
	}
}
