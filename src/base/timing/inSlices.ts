import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work before other work of the process gets a turn. */
const sliceMs = 4;

/**
 * Maps values one after another, as `Array.map` does, but lets others have their turn in between. For work of some milliseconds a value.
 */
export async function mapInSlices<T, R>(values: Iterable<T>, map: (value: T) => R): Promise<R[]> {
	const mapped: R[] = [];
	let began = performance.now();
	for (const value of values) {
		mapped.push(map(value));
		if (performance.now() - began > sliceMs) {
			await setImmediate();
			began = performance.now();
		}
	}
	return mapped;
}
