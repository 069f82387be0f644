import { setImmediate } from 'node:timers/promises';

/** Milliseconds of work before other work of the process gets a turn. */
const sliceMs = 4;

/** Like `Array.map`, but lets other work run in between. For work of some milliseconds per value. */
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
