/** How far the places of a list count less, the lower they are: the usual constant of reciprocal rank fusion. */
const smoothing = 60;

/** What a place in a list adds to the rank of a thing. `place` counts from 1. */
export function rankShare(place: number, weight = 1): number {
	return weight / (smoothing + place);
}

/**
 * Joins lists that are each sorted by something of their own (words, vectors, another service's scores): by reciprocal rank fusion. Returns the things in
 * their common order, with the sum of their shares; things of equal rank stay in the order of the lists.
 */
export function fused<T>(
	lists: readonly { readonly things: readonly T[]; readonly weight: number }[],
): readonly { readonly thing: T; readonly rank: number }[] {
	const ranks = new Map<T, number>();
	for (const { things, weight } of lists) {
		for (const [index, thing] of things.entries()) {
			ranks.set(thing, (ranks.get(thing) ?? 0) + rankShare(index + 1, weight));
		}
	}
	return [...ranks].map(([thing, rank]) => ({ thing, rank })).sort((left, right) => right.rank - left.rank);
}
