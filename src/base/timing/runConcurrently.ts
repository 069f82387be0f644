/**
 * Processes items in order, a few at once. If the signal fires, stops early without an error. After a failure, starts no further items and
 * rejects with the first error once the active ones have finished.
 */
export async function runConcurrently<T>(
	items: Iterable<T>,
	atOnce: number,
	signal: AbortSignal | undefined,
	act: (item: T) => Promise<void>,
): Promise<void> {
	const left = items[Symbol.iterator]();
	let failure: { readonly error: unknown } | undefined;
	const runNext = async () => {
		for (let next = left.next(); !next.done && !signal?.aborted && !failure; next = left.next()) {
			try {
				await act(next.value);
			} catch (error) {
				failure ??= { error };
			}
		}
	};
	await Promise.all(Array.from({ length: atOnce }, runNext));
	if (failure) {
		throw failure.error;
	}
}
