import type { CellFilter, Listing } from '#pages/results/resultsMessages.ts';
import type { ComparedVariants } from '#suites/results/resultFile.ts';
import type { IndexedResult } from './resultIndex.ts';

/** A case with its results by variant, in the order of the variants. A variant without a result yet is `undefined`. */
export interface MatrixLine {
	/** Number of the case. */
	readonly at: number;
	readonly name: string;
	readonly cells: readonly (IndexedResult | undefined)[];
}

/** Arranges the results of variants as lines in the order of the suite. */
export function createMatrixLines(entries: readonly IndexedResult[], { names }: ComparedVariants): readonly MatrixLine[] {
	const cells = new Map<number, (IndexedResult | undefined)[]>();
	for (const entry of entries) {
		const at = Math.floor(entry.ordinal / names.length);
		const line = cells.get(at) ?? new Array<IndexedResult | undefined>(names.length).fill(undefined);
		line[entry.ordinal % names.length] = entry;
		cells.set(at, line);
	}
	return [...cells].sort(([a], [b]) => a - b).map(([at, line]) => ({ at, name: line.find(each => each !== undefined)!.name, cells: line }));
}

/** True if a filter applies to a case. A result that couldn't run isn't compared. */
export function isMatrixLineIn(filter: CellFilter, { cells }: MatrixLine, { names, baseline }: ComparedVariants): boolean {
	const ran = cells.flatMap(cell => (cell && cell.outcome !== 'not-run' ? [cell] : []));
	const [first] = ran;
	const base = cells[names.indexOf(baseline)];
	const isDifferent = (cell: IndexedResult) =>
		getPassedShare(cell) !== getPassedShare(first!) || Math.abs(cell.score - first!.score) > 1e-9;
	const isWorse = (cell: IndexedResult) => getPassedShare(cell) < getPassedShare(base!);
	const isFlaky = (cell: IndexedResult) => getPassedShare(cell) > 0 && getPassedShare(cell) < 1;
	return filter === 'differs' ? ran.some(isDifferent) : filter === 'flaky' ? ran.some(isFlaky) : ran.includes(base!) && ran.some(isWorse);
}

/** Keeps the lines that all chosen filters apply to, and that have a match of the search text, if there is one. */
export function filterMatrixLines(
	lines: readonly MatrixLine[],
	variants: ComparedVariants,
	{ cells: filters }: Pick<Listing, 'cells'>,
	matches: ReadonlySet<number> | undefined,
): readonly MatrixLine[] {
	return lines.filter(
		line =>
			filters.every(filter => isMatrixLineIn(filter, line, variants)) &&
			(!matches || line.cells.some(cell => cell !== undefined && matches.has(cell.offset))),
	);
}

function getPassedShare({ outcome, repeated }: IndexedResult): number {
	return repeated ? repeated.passed / repeated.runs : Number(outcome === 'passed');
}
