import type { Translate } from '#base/text/localization.ts';
import type { DatasetFile } from '../suite.ts';
import { datasetRows } from './datasetRows.ts';

/** Rows that are looked at for one that can be read. */
const mostRows = 100;

/** Columns of a dataset: those of its first row that can be read. `undefined` for one without rows. Rejects with a `DatasetError`. */
export async function datasetColumns(file: DatasetFile, t: Translate): Promise<readonly string[] | undefined> {
	let looked = 0;
	for await (const row of datasetRows(file, t)) {
		if ('values' in row) {
			return Object.keys(row.values);
		}
		if (++looked > mostRows) {
			break;
		}
	}
	return undefined;
}
