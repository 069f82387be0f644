/**
 * Waits for a state that no locator shows, such as the content of a log file: looks again and again until `look` gives something.
 * @param what names the state in the error, as in "the line “succeeded” in the channel Runs"
 * @param look is given the number of looks before, for one that waits itself (see `patience`)
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
			throw new Error(`Waited ${limit} ms in vain for ${what}`);
		}
		await new Promise(resolve => setTimeout(resolve, 25));
	}
}

/**
 * Milliseconds to wait for what a gesture should bring, before it is made again: the first ones may be lost to a page that is drawn anew, and a slow
 * machine may need longer for any.
 */
export function patience(tries: number): number {
	return 2000 * 2 ** Math.min(tries, 3);
}
