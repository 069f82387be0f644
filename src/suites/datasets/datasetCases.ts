import type { Suite } from '../suite.ts';

/** A row of a dataset, as lists show it. */
export interface DatasetCase {
	readonly ordinal: number;
	readonly name: string;
	/** From 1; rows that cannot be read count. */
	readonly row: number;
	/** Line of the dataset where it begins, from 1. */
	readonly line: number;
}

/** Rows of a suite's dataset from a row on (from 1), read as far as they are asked for: for lists in pages. Rows that cannot be read are left out. */
export async function* datasetCases(suite: Suite, from = 1): AsyncGenerator<DatasetCase, void> {
	throw new Error(`not written yet: ${suite.name} ${from}`);
}
