import type { Translate } from '#base/text/localization.ts';
import type { DatasetFile, DatasetFormat } from '../suite.ts';
import type { DatasetRow } from './datasetRow.ts';
import { readJsonLines, readJsonList } from './jsonRows.ts';
import { readSeparatedRows } from './separatedRows.ts';

/** True if all values of a format are strings. */
export function isTextFormat(format: DatasetFormat): boolean {
	return format === 'csv' || format === 'tsv';
}

/** Detects the format of a dataset by its file extension. */
export function detectDatasetFormat(file: string): DatasetFormat | undefined {
	const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
	return ({ csv: 'csv', tsv: 'tsv', tab: 'tsv', jsonl: 'jsonl', ndjson: 'jsonl', json: 'json' } as const)[ending as 'csv'];
}

/**
 * Reads the rows of a dataset on demand. A row that can't be read is reported as a problem, and reading continues if possible. Throws a
 * {@link DatasetError} if the file can't be read further.
 */
export function readDatasetRows(file: DatasetFile, t: Translate): AsyncGenerator<DatasetRow, void> {
	switch (file.format) {
		case 'csv':
			return readSeparatedRows(file, ',', t);
		case 'tsv':
			return readSeparatedRows(file, '\t', t);
		case 'jsonl':
			return readJsonLines(file, t);
		case 'json':
			return readJsonList(file, t);
	}
}
