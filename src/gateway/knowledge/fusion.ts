/** Determines how much less later positions of a list count. This is the usual constant of reciprocal rank fusion. */
const smoothing = 60;

/**
 * Returns what a position in a list adds to an item's rank.
 * @param place position, counted from 1
 */
export function getRankShare(place: number, weight = 1): number {
	return weight / (smoothing + place);
}

/**
 * Merges lists that are sorted by different criteria (keywords, vectors, another service's scores) with reciprocal rank fusion. Returns the
 * items in their combined order with their ranks. Items of equal rank stay in the order of the lists.
 */
export function mergeRankedLists<T>(
	lists: readonly { readonly things: readonly T[]; readonly weight: number }[],
): readonly { readonly thing: T; readonly rank: number }[] {
	const ranks = new Map<T, number>();
	for (const { things, weight } of lists) {
		for (const [index, thing] of things.entries()) {
			ranks.set(thing, (ranks.get(thing) ?? 0) + getRankShare(index + 1, weight));
		}
	}
	return [...ranks].map(([thing, rank]) => ({ thing, rank })).sort((left, right) => right.rank - left.rank);
}
