import type { ShownOutput } from '../inspectorMessages.ts';

/** Maximum number of rows in the table. */
const mostRows = 1000;

/**
 * Returns outputs as a table. If the only output is a list of objects, each object is a row and each field a column. Otherwise each output
 * is a row, under the column titles `titles`.
 */
export function createOutputTable(
	outputs: readonly ShownOutput[],
	titles: readonly [string, string],
): { columns: string[]; rows: string[][] } {
	const [only] = outputs;
	const list = outputs.length === 1 && only && !only.isText && !only.cut ? parseObjects(only.text) : undefined;
	if (list) {
		const columns = [...new Set(list.flatMap(item => Object.keys(item)))];
		return { columns, rows: list.slice(0, mostRows).map(item => columns.map(column => formatCell(item[column]))) };
	}
	return { columns: [...titles], rows: outputs.map(({ name, text }) => [name, text]) };
}

function parseObjects(text: string): Record<string, unknown>[] | undefined {
	const value: unknown = JSON.parse(text);
	const isList = Array.isArray(value) && value.length > 0 && value.every(item => typeof item === 'object' && item !== null);
	return isList ? (value as Record<string, unknown>[]) : undefined;
}

function formatCell(value: unknown): string {
	return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
}
