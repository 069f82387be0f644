import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Suite, SuiteDataset } from '../suite.ts';
import { DatasetError, type DatasetRow } from './datasetRow.ts';
import { readDatasetRows } from './datasetRows.ts';
import { fillTemplate, MissingColumn, TooLongTemplate } from './templates.ts';

/** A dataset row as shown in lists. */
export interface DatasetCase {
	readonly ordinal: number;
	readonly name: string;
	/** Row number from 1, including rows that can't be read. */
	readonly row: number;
	/** First line in the dataset, from 1. */
	readonly line: number;
}

/** Reads the rows of a suite's dataset from a row number (from 1), on demand, for lists with pages. Skips rows that can't be read. */
export async function* readDatasetCases(suite: Suite, from = 1): AsyncGenerator<DatasetCase, void> {
	if (!suite.dataset) {
		return;
	}
	try {
		for await (const row of readDatasetRows(suite.dataset, fillPlaceholders)) {
			const name = row.row >= from && 'values' in row ? formatRowName(suite.dataset, row) : undefined;
			if (name !== undefined) {
				yield { ordinal: getRowOrdinal(suite, row.row), name, row: row.row, line: row.line };
			}
		}
	} catch (error) {
		// the error is reported when the suite runs
		if (!(error instanceof DatasetError)) {
			throw error;
		}
	}
}

/** Reads a row of a suite's dataset by its number, from 1; `undefined` if there are fewer. Rejects with a {@link DatasetError}. */
export async function readDatasetRow(suite: Suite, number: number): Promise<DatasetRow | undefined> {
	if (suite.dataset) {
		for await (const row of readDatasetRows(suite.dataset, fillPlaceholders)) {
			if (row.row === number) {
				return row;
			}
		}
	}
	return undefined;
}

/** Returns the ordinal of a row among the cases of its suite. */
export function getRowOrdinal(suite: Suite, row: number): number {
	return suite.cases.length + row - 1;
}

/** Returns the values for the templates of a row: its columns, and its number as `row` unless a column has that name. */
export function getTemplateValues(row: Extract<DatasetRow, { values: unknown }>): Readonly<Record<string, unknown>> {
	return { row: row.row, ...row.values };
}

/** Formats the name of a row; `undefined` if its template uses a missing column, or gets too long. */
export function formatRowName(dataset: SuiteDataset, row: Extract<DatasetRow, { values: unknown }>): string | undefined {
	try {
		return String(fillTemplate(dataset.name, getTemplateValues(row)));
	} catch (error) {
		if (error instanceof MissingColumn || error instanceof TooLongTemplate) {
			return undefined;
		}
		throw error;
	}
}
