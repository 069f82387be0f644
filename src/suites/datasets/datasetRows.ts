import type { Translate } from '#base/text/localization.ts';
import type { DatasetFile, DatasetFormat } from '../suite.ts';
import type { DatasetRow } from './datasetRow.ts';
import { jsonLines, jsonList } from './jsonRows.ts';
import { separatedRows } from './separatedRows.ts';

/** Whether all values of a format are texts. */
export function isTextFormat(format: DatasetFormat): boolean {
	return format === 'csv' || format === 'tsv';
}

/** Format of a dataset by the ending of its name. */
export function formatOf(file: string): DatasetFormat | undefined {
	const ending = file.slice(file.lastIndexOf('.') + 1).toLowerCase();
	return ({ csv: 'csv', tsv: 'tsv', tab: 'tsv', jsonl: 'jsonl', ndjson: 'jsonl', json: 'json' } as const)[ending as 'csv'];
}

/**
 * Rows of a dataset, read as they are asked for. A row that cannot be read comes as its problem, and those after it come nevertheless as far as they can be
 * told apart. Throws a `DatasetError` where the file ends the reading.
 */
export function datasetRows(file: DatasetFile, t: Translate): AsyncGenerator<DatasetRow, void> {
	switch (file.format) {
		case 'csv':
			return separatedRows(file, ',', t);
		case 'tsv':
			return separatedRows(file, '\t', t);
		case 'jsonl':
			return jsonLines(file, t);
		case 'json':
			return jsonList(file, t);
	}
}
