/**
 * Does something with each item, a few at a time, in their order; ends early, without an error, where the signal tells. Rejects with the
 * first failure, after which no other item is begun, once nothing of it goes on any more.
 */
export async function inTurns<T>(
	items: Iterable<T>,
	atOnce: number,
	signal: AbortSignal | undefined,
	act: (item: T) => Promise<void>,
): Promise<void> {
	const left = items[Symbol.iterator]();
	let failure: { readonly error: unknown } | undefined;
	const work = async () => {
		for (let next = left.next(); !next.done && !signal?.aborted && !failure; next = left.next()) {
			try {
				await act(next.value);
			} catch (error) {
				failure ??= { error };
			}
		}
	};
	await Promise.all(Array.from({ length: atOnce }, work));
	if (failure) {
		throw failure.error;
	}
}
