import { ServiceFault } from '../server/serviceFault.ts';

/** Runs that may wait for a turn, for each that may run. */
const waitingPerSlot = 40;

/** Lets a number of runs go on at a time; the others wait in the order they came. */
export class RunSlots {
	readonly #limit: number;
	readonly #waiting: (() => void)[] = [];
	#taken = 0;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** Number of runs that have a turn or wait for one. */
	get wanted(): number {
		return this.#taken + this.#waiting.length;
	}

	/** Resolves when it is this run's turn; {@link release} gives the turn on. Throws a fault (429), at once, when too many wait. */
	take(agentName: string): Promise<void> {
		if (this.#taken < this.#limit) {
			this.#taken++;
			return Promise.resolve();
		}
		if (this.#waiting.length >= this.#limit * waitingPerSlot) {
			// Dify's words (wire facts 1.6)
			throw new ServiceFault(
				429,
				`Too many requests. Please try again later. The current maximum concurrent requests allowed for ${agentName} is ${this.#limit}.`,
			);
		}
		return new Promise<void>(resolve => this.#waiting.push(resolve));
	}

	release(): void {
		const next = this.#waiting.shift();
		if (next) {
			next();
		} else {
			this.#taken--;
		}
	}
}
