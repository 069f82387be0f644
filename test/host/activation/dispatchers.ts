/** Where undici keeps the process-wide fetch dispatchers, which belong to every extension in the host. */
const places = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/** The dispatchers as they are; undefined where none has been set. */
export const dispatchers = (): unknown[] => places.map(place => Reflect.get(globalThis, place));

/**
 * Takes the dispatchers away while `act` runs: undici sets them where it finds none, also when it is loaded for the second time.
 * @returns those that are there afterwards: none, if nothing has set any
 */
export function dispatchersSetBy(act: () => void): unknown[] {
	const before = dispatchers();
	const set = (values: readonly unknown[]): void => {
		for (const [i, place] of places.entries()) {
			if (Reflect.has(globalThis, place)) {
				Reflect.set(globalThis, place, values[i]);
			}
		}
	};
	set([undefined, undefined]);
	try {
		act();
		return dispatchers().filter(dispatcher => dispatcher !== undefined);
	} finally {
		set(before);
	}
}
