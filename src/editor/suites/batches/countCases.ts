import { datasetCases } from '#suites/datasets/datasetCases.ts';
import type { Suite } from '#suites/suite.ts';

/** How many rows a dataset has. */
interface RowCount {
	/** Rows that can be read. */
	readonly count: number;
	/** Number of the last of them, from 1; 0 where there is none. */
	readonly last: number;
}

/** The last count: suites are counted for lists and for progress, one after the other. */
let last: { readonly fingerprint: string; readonly rows: Promise<RowCount> } | undefined;

/** Counts the rows of the dataset of a suite; reads all of it once. */
export function countRows(suite: Suite): Promise<RowCount> {
	if (last?.fingerprint !== suite.fingerprint) {
		last = { fingerprint: suite.fingerprint, rows: countDatasetRows(suite) };
	}
	return last.rows;
}

/** Cases of a suite, with the rows of its dataset. */
export async function countCases(suite: Suite): Promise<number> {
	return suite.cases.length + (suite.dataset ? (await countRows(suite)).count : 0);
}

async function countDatasetRows(suite: Suite): Promise<RowCount> {
	let [rows, lastRow] = [0, 0];
	for await (const { row } of datasetCases(suite)) {
		rows++;
		lastRow = row;
	}
	return { count: rows, last: lastRow };
}
