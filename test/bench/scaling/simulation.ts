import { createRandomNumbers } from '../../../scripts/lib/randomNumbers.ts';
import { RunSlots } from '../../../src/gateway/runs/runSlots.ts';
import { computeQuantile } from '../harness/contest.ts';

/** Callers that start runs independently of each other, and a gateway. */
export interface Load {
	/** Runs at once (`--max-concurrent-runs`). */
	readonly slots: number;
	/** Runs that callers start per second, on average. */
	readonly arrivals: number;
	/** Seconds that a run waits for its models, on average. */
	readonly modelSeconds: number;
	/** Seconds of the gateway's only processor per run, on average. */
	readonly processorSeconds: number;
}

/** What callers notice, in seconds. */
export interface Waits {
	/** Time until a run gets a slot. */
	readonly meanWait: number;
	readonly p99Wait: number;
	/** Time from the request to the end of the run. */
	readonly meanTotal: number;
	/** Fraction of runs that were refused (429) because the queue was full. */
	readonly refused: number;
}

/**
 * Simulates runs one event after another, without waiting: they arrive at random, queue in the gateway's own slots, share one processor in
 * order, and wait for their models, all for exponentially distributed times. The same seed gives the same result.
 */
export async function simulateRuns(load: Load, runs: number, seed = 1): Promise<Waits> {
	const random = createRandomNumbers(seed);
	const pickDuration = (mean: number): number => (mean === 0 ? 0 : -Math.log(1 - random()) * mean);
	const slots = new RunSlots(load.slots);
	const agenda = new Agenda();
	const waits: number[] = [];
	const totals: number[] = [];
	let processorFree = 0;
	let refused = 0;

	const startRun = (): void => {
		const arrived = agenda.now;
		let slot: ReturnType<RunSlots['enqueueNewRun']>;
		try {
			slot = slots.enqueueNewRun('simulated');
		} catch {
			refused++;
			return;
		}
		void slot.ready.then(() => {
			waits.push(agenda.now - arrived);
			processorFree = Math.max(processorFree, agenda.now) + pickDuration(load.processorSeconds);
			agenda.add(processorFree + pickDuration(load.modelSeconds), () => {
				totals.push(agenda.now - arrived);
				slot[Symbol.dispose]();
			});
		});
	};

	const scheduleArrivals = (left: number): void => {
		if (left > 0) {
			agenda.add(agenda.now + pickDuration(1 / load.arrivals), () => {
				scheduleArrivals(left - 1);
				startRun();
			});
		}
	};
	scheduleArrivals(runs);
	while (agenda.runNext()) {
		// a run whose slot became free continues in a microtask
		await undefined;
	}
	return {
		meanWait: computeMean(waits),
		p99Wait: computeQuantile(waits, 0.99),
		meanTotal: computeMean(totals),
		refused: refused / runs,
	};
}

/**
 * Returns the mean seconds until a run gets a slot, by the formula for M/M/c queues (Erlang C): exponential times, `slots` servers and an
 * endless queue. Infinite if runs arrive faster than they end. Ignores the processor.
 */
export function computeMeanWait({ slots, arrivals, modelSeconds }: Omit<Load, 'processorSeconds'>): number {
	const offered = arrivals * modelSeconds;
	if (offered >= slots) {
		return Number.POSITIVE_INFINITY;
	}
	let blocked = 1;
	for (let server = 1; server <= slots; server++) {
		blocked = (offered * blocked) / (server + offered * blocked);
	}
	const waiting = blocked / (1 - (offered / slots) * (1 - blocked));
	return (waiting * modelSeconds) / (slots - offered);
}

/** Returns the runs per second beyond which the queue only grows. */
export function computeMostArrivals({ slots, modelSeconds, processorSeconds }: Omit<Load, 'arrivals'>): number {
	return Math.min(slots / (modelSeconds + processorSeconds), 1 / processorSeconds);
}

/** Steps at points in simulated time, in a binary heap. Steps at the same time run in the order in which they were added. */
class Agenda {
	now = 0;
	readonly #steps: { readonly at: number; readonly number: number; readonly run: () => void }[] = [];
	#added = 0;

	add(at: number, run: () => void): void {
		const steps = this.#steps;
		let place = steps.push({ at, number: this.#added++, run }) - 1;
		while (place > 0 && this.#isEarlier(place, (place - 1) >> 1)) {
			this.#swap(place, (place - 1) >> 1);
			place = (place - 1) >> 1;
		}
	}

	/** Runs the next step. Returns false if there is none. */
	runNext(): boolean {
		const steps = this.#steps;
		this.#swap(0, steps.length - 1);
		const next = steps.pop();
		for (let place = 0; ; ) {
			let child = 2 * place + 1;
			if (child + 1 < steps.length && this.#isEarlier(child + 1, child)) {
				child++;
			}
			if (child >= steps.length || !this.#isEarlier(child, place)) {
				break;
			}
			this.#swap(place, child);
			place = child;
		}
		if (next) {
			this.now = next.at;
			next.run();
		}
		return next !== undefined;
	}

	#isEarlier(a: number, b: number): boolean {
		const [first, second] = [this.#steps[a]!, this.#steps[b]!];
		return first.at < second.at || (first.at === second.at && first.number < second.number);
	}

	#swap(a: number, b: number): void {
		const steps = this.#steps;
		if (a !== b && b >= 0) {
			[steps[a], steps[b]] = [steps[b]!, steps[a]!];
		}
	}
}

const computeMean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
