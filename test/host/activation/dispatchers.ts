/** Symbols under which undici stores the process-wide fetch dispatchers, which all extensions in the host share. */
const places = [Symbol.for('undici.globalDispatcher.1'), Symbol.for('undici.globalDispatcher.2')];

/** Returns the current dispatchers; undefined for each one that isn't set. */
export const getDispatchers = (): unknown[] => places.map(place => Reflect.get(globalThis, place));

/**
 * Removes the dispatchers while `act` runs, because undici sets missing ones, even when it is loaded a second time.
 * @returns the dispatchers after `act`, all undefined if none was set
 */
export function getDispatchersAfter(act: () => void): unknown[] {
	const before = getDispatchers();
	const setDispatchers = (values: readonly unknown[]): void => {
		for (const [i, place] of places.entries()) {
			if (Reflect.has(globalThis, place)) {
				Reflect.set(globalThis, place, values[i]);
			}
		}
	};
	setDispatchers([undefined, undefined]);
	try {
		act();
		return getDispatchers().filter(dispatcher => dispatcher !== undefined);
	} finally {
		setDispatchers(before);
	}
}
