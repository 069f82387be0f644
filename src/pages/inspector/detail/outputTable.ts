import type { ShownOutput } from '../inspectorMessages.ts';

/** Maximum number of rows in the table. */
const mostRows = 1000;
/** Maximum number of columns, because objects whose fields all differ would be a table of millions of cells. */
const mostColumns = 100;

/**
 * Returns outputs as a table. If the only output is a list of objects, each object is a row and each field a column, unless there are too
 * many columns. Otherwise each output is a row, under the column titles `titles`. `cut`: true if there are more rows.
 */
export function createOutputTable(
	outputs: readonly ShownOutput[],
	titles: readonly [string, string],
): { columns: string[]; rows: string[][]; cut: boolean } {
	const [only] = outputs;
	const list = outputs.length === 1 && only && !only.isText && !only.cut ? parseObjects(only.text) : undefined;
	const fields = new Set(list?.flatMap(item => Object.keys(item)));
	if (list && fields.size <= mostColumns) {
		const columns = [...fields];
		return {
			columns,
			rows: list.slice(0, mostRows).map(item => columns.map(column => formatCell(item[column]))),
			cut: list.length > mostRows,
		};
	}
	return { columns: [...titles], rows: outputs.slice(0, mostRows).map(({ name, text }) => [name, text]), cut: outputs.length > mostRows };
}

function parseObjects(text: string): Record<string, unknown>[] | undefined {
	const value: unknown = JSON.parse(text);
	const isList = Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'object' && item !== null);
	return isList ? (value as Record<string, unknown>[]) : undefined;
}

function formatCell(value: unknown): string {
	return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
