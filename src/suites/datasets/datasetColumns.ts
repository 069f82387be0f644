import type { Translate } from '#base/text/localization.ts';
import type { DatasetFile } from '../suite.ts';
import { readDatasetRows } from './datasetRows.ts';

/** Maximum number of rows to try to read. */
const mostRows = 100;

/** Reads the columns of a dataset from its first readable row; `undefined` if it has no rows. Rejects with a {@link DatasetError}. */
export async function readDatasetColumns(file: DatasetFile, t: Translate): Promise<readonly string[] | undefined> {
	let looked = 0;
	for await (const row of readDatasetRows(file, t)) {
		if ('values' in row) {
			return Object.keys(row.values);
		}
		if (++looked > mostRows) {
			break;
		}
	}
	return undefined;
}
