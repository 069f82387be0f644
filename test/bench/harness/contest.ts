/** Runs a contender once and returns its cost, in the same unit as its rivals'. */
export type Contender = () => Promise<number>;

/**
 * Runs one round of all contenders in random order, so that other work on the machine, and garbage and timers of a previous contender,
 * affect all of them alike.
 * @returns the cost of each
 */
export async function runContest<K extends string>(contenders: Readonly<Record<K, Contender>>): Promise<Record<K, number>> {
	const costs = {} as Record<K, number>;
	for (const name of shuffleItems(Object.keys(contenders) as K[])) {
		costs[name] = await contenders[name]();
	}
	return costs;
}

/** Runs `samples` contests and returns the median of each contender, for contenders that are too short for a round. */
export async function sampleMedians<K extends string>(
	contenders: Readonly<Record<K, Contender>>,
	samples: number,
): Promise<Record<K, number>> {
	return mapRecordValues(await sampleCosts(contenders, samples), computeMedian);
}

/** Runs `samples` contests and returns all costs of each contender. */
export async function sampleCosts<K extends string>(
	contenders: Readonly<Record<K, Contender>>,
	samples: number,
): Promise<Record<K, readonly number[]>> {
	const costs = mapRecordValues(contenders, () => [] as number[]);
	for (let i = 0; i < samples; i++) {
		for (const [name, cost] of Object.entries(await runContest(contenders)) as [K, number][]) {
			costs[name].push(cost);
		}
	}
	return costs;
}

function mapRecordValues<K extends string, A, B>(record: Readonly<Record<K, A>>, map: (value: A) => B): Record<K, B> {
	return Object.fromEntries(Object.entries<A>(record).map(([name, value]) => [name, map(value)])) as Record<K, B>;
}

/** Returns the items in random order. */
export function shuffleItems<T>(values: readonly T[]): T[] {
	return values
		.map(value => ({ value, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ value }) => value);
}

export function computeMedian(values: readonly number[]): number {
	return computeQuantile(values, 0.5);
}

/** @param q between 0 and 1; 0.99 for the 99th percentile */
export function computeQuantile(values: readonly number[], q: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (sorted.length - 1) * q;
	const low = Math.floor(at);
	return sorted[low]! + (sorted[Math.ceil(at)]! - sorted[low]!) * (at - low);
}

/** Returns the milliseconds of processor time of this process during a step, which excludes other work on the machine. */
export async function measureCpuMs(step: () => Promise<unknown>): Promise<number> {
	const before = process.cpuUsage();
	await step();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

/** Returns the milliseconds of a step. */
export async function measureWallMs(step: () => Promise<unknown>): Promise<number> {
	const started = performance.now();
	await step();
	return performance.now() - started;
}
