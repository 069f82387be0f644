import { isDeepEqual } from '#base/records/plainValues.ts';
import type { GeneratedRow } from '../generation/runSample.ts';
import type { SuiteDataset } from '../suite.ts';
import { isTextFormat } from './datasetRows.ts';
import { getOnlyColumn } from './templates.ts';

/** The cells of a run for a dataset. */
interface PlacedRun {
	/** By column. */
	readonly cells: Readonly<Record<string, unknown>>;
	/** Columns of inputs, which make a row different from others. */
	readonly inputColumns: readonly string[];
	/** Names of inputs that the dataset has no column for. */
	readonly unplaced: readonly string[];
}

const expected = 'expect:';

/**
 * Puts the row of a run into the columns of a dataset: where its templates read inputs, message and expected outputs from, or else into the
 * columns with the same names.
 *
 * @param row inputs, `query` and `expect:NAME` of the run; columns that start with `$` are written only if the dataset has them
 * @param isMessage true if `query` is the message of a chat agent, and not an input with this name
 * @param columns of the dataset; in JSON formats, a row can have others
 */
export function placeRun(dataset: SuiteDataset, row: GeneratedRow, isMessage: boolean, columns: readonly string[]): PlacedRun {
	const inputs: Record<string, unknown> = {};
	const others: Record<string, unknown> = {};
	const unplaced: string[] = [];
	for (const [name, value] of Object.entries(row)) {
		if (name.startsWith('$') || name.startsWith(expected)) {
			Object.assign(others, columns.includes(name) && { [name]: value });
			continue;
		}
		const template = isMessage && name === 'query' ? dataset.query : dataset.inputs ? dataset.inputs[name] : `{{${name}}}`;
		const column = getOnlyColumn(template);
		if (column !== undefined && (!isTextFormat(dataset.format) || columns.includes(column))) {
			inputs[column] = value;
		} else if (!isDeepEqual(template, value)) {
			unplaced.push(name);
		}
	}
	for (const { kind, fields } of dataset.checks) {
		const column = kind === 'equals' && typeof fields['output'] === 'string' ? getOnlyColumn(fields['equals']) : undefined;
		const output = `${expected}${String(fields['output'])}`;
		if (column !== undefined && Object.hasOwn(row, output)) {
			others[column] = row[output];
		}
	}
	const name = getOnlyColumn(dataset.name);
	return {
		cells: { ...(name !== undefined && name !== 'row' && columns.includes(name) && { [name]: row['$name'] }), ...others, ...inputs },
		inputColumns: Object.keys(inputs),
		unplaced,
	};
}
