/** What separates the lines (RFC 4180). */
const lineEnd = '\r\n';

/** Characters with which spreadsheets begin a formula, in their full width too, and those that they leave out before one. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * A record of a CSV file, with its line end (RFC 4180). Numbers stand as they are; a text that a spreadsheet would run as a formula has an
 * apostrophe before it.
 */
export function csvLine(cells: readonly (string | number)[]): string {
	return `${cells.map(cellOf).join(',')}${lineEnd}`;
}

function cellOf(value: string | number): string {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? String(value) : '';
	}
	const text = formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value;
	return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
