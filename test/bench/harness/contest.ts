/** Runs a contender once and says what it cost, in any unit that its rivals use too. */
export type Contender = () => Promise<number>;

export interface ContestOptions {
	/** Rounds that are not counted: code compiles, connections open. */
	readonly warmUp: number;
	readonly rounds: number;
}

/**
 * Runs all contenders in every round, in random order, so that what else the machine does meets all of them alike, and what one leaves behind
 * (garbage, timers) is not always the same one's to bear.
 * @returns the median of each
 */
export async function contest<K extends string>(
	contenders: Readonly<Record<K, Contender>>,
	{ warmUp, rounds }: ContestOptions,
): Promise<Record<K, number>> {
	const names = Object.keys(contenders) as K[];
	const costs = Object.fromEntries(names.map(name => [name, [] as number[]])) as Record<K, number[]>;
	for (let round = -warmUp; round < rounds; round++) {
		for (const name of shuffled(names)) {
			const cost = await contenders[name]();
			if (round >= 0) {
				costs[name].push(cost);
			}
		}
	}
	return Object.fromEntries(names.map(name => [name, median(costs[name])])) as Record<K, number>;
}

/** The same in random order. */
export function shuffled<T>(values: readonly T[]): T[] {
	return values
		.map(value => ({ value, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ value }) => value);
}

export function median(values: readonly number[]): number {
	return quantile(values, 0.5);
}

/** @param q between 0 and 1; 0.99 for the 99th percentile */
export function quantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (sorted.length - 1) * q;
	const low = Math.floor(at);
	return sorted[low]! + (sorted[Math.ceil(at)]! - sorted[low]!) * (at - low);
}

/** Milliseconds of this process's processors that a step took: what others do on the machine does not count. */
export async function cpuMs(step: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await step();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Milliseconds that a step took. */
export async function wallMs(step: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await step();
	return performance.now() - started;
}
