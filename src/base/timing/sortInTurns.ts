import { EventLoopYield } from './eventLoopYield.ts';

/** Number of items sorted or merged between checks of the time. */
const run = 2000;

/** Sorts like `toSorted`, but gives other work a turn in between. Sorts chunks and merges them pairwise. */
export async function sortWithYields<T>(items: readonly T[], compare: (a: T, b: T) => number): Promise<T[]> {
	const yielder = new EventLoopYield();
	let runs: T[][] = [];
	for (let from = 0; from < items.length; from += run) {
		runs.push(items.slice(from, from + run).sort(compare));
		if (yielder.isDue) {
			await yielder.yieldTurn();
		}
	}
	while (runs.length > 1) {
		const merged: T[][] = [];
		for (let at = 0; at < runs.length; at += 2) {
			const [first, second] = [runs[at]!, runs[at + 1]];
			merged.push(second ? await mergeSorted(first, second, compare, yielder) : first);
		}
		runs = merged;
	}
	return runs[0] ?? [];
}

async function mergeSorted<T>(
	first: readonly T[],
	second: readonly T[],
	compare: (a: T, b: T) => number,
	yielder: EventLoopYield,
): Promise<T[]> {
	const all: T[] = [];
	let [i, k] = [0, 0];
	while (i < first.length && k < second.length) {
		// keep the sort stable
		all.push(compare(first[i]!, second[k]!) <= 0 ? first[i++]! : second[k++]!);
		if (all.length % run === 0 && yielder.isDue) {
			await yielder.yieldTurn();
		}
	}
	return all.concat(i < first.length ? first.slice(i) : second.slice(k));
}
