/**
 * Waits for a state that no locator shows, such as the content of a log file. Polls until `look` returns a value.
 * @param what names the state in the error, for example "the line “succeeded” in the channel Runs"
 * @param look gets the number of previous attempts, for callbacks that wait themselves (see {@link getRepeatDelay})
 * @throws after `limit` milliseconds
 */
export async function waitUntil<T>(what: string, look: (tries: number) => T | Promise<T>, limit = 60_000): Promise<NonNullable<T>> {
	const end = performance.now() + limit;
	for (let tries = 0; ; tries++) {
		const seen = await look(tries);
		if (seen) {
			return seen;
		}
		if (performance.now() > end) {
			throw new Error(`Waited ${limit} ms for ${what}, which didn't happen`);
		}
		await new Promise(resolve => setTimeout(resolve, 25));
	}
}

/**
 * Returns the milliseconds to wait for the effect of a gesture before the gesture is repeated. A page that is still rendering can lose the
 * first gestures, and a slow machine can need longer.
 */
export function getRepeatDelay(tries: number): number {
	return 2000 * 2 ** Math.min(tries, 3);
}
