import { plainWords } from '#base/text/plainWords.ts';
import type { Suite, SuiteDataset } from '../suite.ts';
import { DatasetError, type DatasetRow } from './datasetRow.ts';
import { datasetRows } from './datasetRows.ts';
import { filled, MissingColumn } from './templates.ts';

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
	if (!suite.dataset) {
		return;
	}
	try {
		for await (const row of datasetRows(suite.dataset, plainWords)) {
			const name = row.row >= from && 'values' in row ? rowName(suite.dataset, row) : undefined;
			if (name !== undefined) {
				yield { ordinal: rowOrdinal(suite, row.row), name, row: row.row, line: row.line };
			}
		}
	} catch (error) {
		// a run tells what ends the reading
		if (!(error instanceof DatasetError)) {
			throw error;
		}
	}
}

/** A row of a suite's dataset by its number, from 1; `undefined` where there are not so many. Rejects with a `DatasetError`. */
export async function rowAt(suite: Suite, number: number): Promise<DatasetRow | undefined> {
	if (suite.dataset) {
		for await (const row of datasetRows(suite.dataset, plainWords)) {
			if (row.row === number) {
				return row;
			}
		}
	}
	return undefined;
}

/** Number of a row among the cases of its suite. */
export function rowOrdinal(suite: Suite, row: number): number {
	return suite.cases.length + row - 1;
}

/** Values that templates of a row take: its columns, and its number as `row` where no column is called that. */
export function templateValues(row: Extract<DatasetRow, { values: unknown }>): Readonly<Record<string, unknown>> {
	return { row: row.row, ...row.values };
}

/** Name of a row; `undefined` where its template names a column that the row does not have. */
export function rowName(dataset: SuiteDataset, row: Extract<DatasetRow, { values: unknown }>): string | undefined {
	try {
		return String(filled(dataset.name, templateValues(row)));
	} catch (error) {
		if (error instanceof MissingColumn) {
			return undefined;
		}
		throw error;
	}
}
