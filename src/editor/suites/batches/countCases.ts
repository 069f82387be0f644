import { readDatasetCases } from '#suites/datasets/datasetCases.ts';
import type { Suite } from '#suites/suite.ts';

interface RowCount {
	/** Number of rows that can be read. */
	readonly count: number;
	/** Number of the last readable row, starting at 1. 0 if there are none. */
	readonly last: number;
}

/** Caches the last count, because lists and the progress count the same suite. */
let last: { readonly fingerprint: string; readonly rows: Promise<RowCount> } | undefined;

/** Counts the rows of a suite's dataset. Reads the complete dataset, but only once. */
export function countRows(suite: Suite): Promise<RowCount> {
	if (last?.fingerprint !== suite.fingerprint) {
		last = { fingerprint: suite.fingerprint, rows: countDatasetRows(suite) };
	}
	return last.rows;
}

/** Counts the cases of a suite, including the rows of its dataset. */
export async function countCases(suite: Suite): Promise<number> {
	return suite.cases.length + (suite.dataset ? (await countRows(suite)).count : 0);
}

async function countDatasetRows(suite: Suite): Promise<RowCount> {
	let [rows, lastRow] = [0, 0];
	for await (const { row } of readDatasetCases(suite)) {
		rows++;
		lastRow = row;
	}
	return { count: rows, last: lastRow };
}
