import { sortWithYields } from '#base/timing/sortInTurns.ts';
import { type Listing, outcomes } from '#pages/results/resultsMessages.ts';
import type { MatrixLine } from './matrixLines.ts';
import type { IndexedResult } from './resultIndex.ts';

/** A line of the list: a case, a case with its variants, or the header of a group. */
export type ListedLine =
	| { readonly entry: IndexedResult }
	| MatrixLine
	| { readonly group: string; readonly count: number; readonly folded: boolean };

/** File offsets of the results that match the search text, if there is one, and the collapsed groups. */
interface ListParts {
	readonly matches?: ReadonlySet<number> | undefined;
	readonly folded?: ReadonlySet<string>;
}

/** Filters, sorts and groups results. Gives other work a turn in between. */
export async function sortResults(
	entries: readonly IndexedResult[],
	listing: Listing,
	{ matches: holding, folded }: ListParts,
): Promise<ListedLine[]> {
	const { outcome, change } = listing;
	const chosen = entries.filter(
		entry =>
			(outcome === undefined || entry.outcome === outcome) &&
			(change === undefined || entry.change === change) &&
			(!holding || holding.has(entry.offset)),
	);
	const sorted = await sortWithYields(chosen, createComparator(listing));
	return listing.grouped ? groupByFailure(sorted, folded) : sorted.map(entry => ({ entry }));
}

function createComparator({ sort, descending }: Listing): (a: IndexedResult, b: IndexedResult) => number {
	const sign = descending ? -1 : 1;
	const compareField = (a: IndexedResult, b: IndexedResult): number => {
		switch (sort) {
			case 'order':
				return 0;
			case 'name':
				return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
			case 'outcome':
				return outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome);
			default:
				return a[sort] - b[sort];
		}
	};
	return (a, b) => sign * (compareField(a, b) || a.ordinal - b.ordinal);
}

function groupByFailure(entries: readonly IndexedResult[], folded: ReadonlySet<string> | undefined): ListedLine[] {
	const groups = [...Map.groupBy(entries, ({ failure }) => failure)];
	// passed cases come last, however many there are
	groups.sort(([a, some], [b, others]) => Number(a === '') - Number(b === '') || others.length - some.length);
	return groups.flatMap(([group, some]): ListedLine[] =>
		folded?.has(group)
			? [{ group, count: some.length, folded: true }]
			: [{ group, count: some.length, folded: false }, ...some.map(entry => ({ entry }))],
	);
}
