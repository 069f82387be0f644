/**
 * Waits for a state that no locator shows, such as the content of a log file: looks again and again until `look` gives something.
 * @param what names the state in the error, as in "the line “succeeded” in the channel Runs"
 * @throws after `limit` milliseconds
 */
export async function waitUntil<T>(what: string, look: () => T | Promise<T>, limit = 15_000): Promise<NonNullable<T>> {
	const end = performance.now() + limit;
	for (;;) {
		const seen = await look();
		if (seen) {
			return seen;
		}
		if (performance.now() > end) {
			throw new Error(`Waited ${limit} ms in vain for ${what}`);
		}
		await new Promise(resolve => setTimeout(resolve, 25));
	}
}
