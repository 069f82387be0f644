/** Runs a contender once and says what it cost, in any unit that its rivals use too. */
export type Contender = () => Promise<number>;

/**
 * One round: all contenders run, in random order, so that what else the machine does meets all of them alike, and what one leaves behind
 * (garbage, timers) is not always the same one's to bear.
 * @returns the cost of each
 */
export async function contest<K extends string>(contenders: Readonly<Record<K, Contender>>): Promise<Record<K, number>> {
	const costs = {} as Record<K, number>;
	for (const name of shuffled(Object.keys(contenders) as K[])) {
		costs[name] = await contenders[name]();
	}
	return costs;
}

/** As many contests as `samples` says; the median of each contender. For what is too short to stand for a round alone. */
export async function sampled<K extends string>(contenders: Readonly<Record<K, Contender>>, samples: number): Promise<Record<K, number>> {
	return mapped(await samplesOf(contenders, samples), median);
}

/** As many contests as `samples` says; what each contender cost in each. */
export async function samplesOf<K extends string>(
	contenders: Readonly<Record<K, Contender>>,
	samples: number,
): Promise<Record<K, readonly number[]>> {
	const costs = mapped(contenders, () => [] as number[]);
	for (let i = 0; i < samples; i++) {
		for (const [name, cost] of Object.entries(await contest(contenders)) as [K, number][]) {
			costs[name].push(cost);
		}
	}
	return costs;
}

function mapped<K extends string, A, B>(record: Readonly<Record<K, A>>, map: (value: A) => B): Record<K, B> {
	return Object.fromEntries(Object.entries<A>(record).map(([name, value]) => [name, map(value)])) as Record<K, B>;
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
