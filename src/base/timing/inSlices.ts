import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work before other work of the process gets a turn. */
const sliceMs = 4;

/** Works like `Array.map`, but gives other work a turn in between. For mappings that take a few milliseconds per value. */
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
