/** Line separator (RFC 4180). */
const lineEnd = '\r\n';

/** Characters that start a formula in spreadsheets (including full-width ones), and characters that spreadsheets skip before a formula. */
const formula = /^[=+\-@＝＋－＠\t\r\n]/;

/** Formats a CSV record with its line end (RFC 4180). Adds an apostrophe before text that a spreadsheet would run as a formula. */
export function formatCsvLine(cells: readonly (string | number)[]): string {
	return `${cells.map(formatCsvCell).join(',')}${lineEnd}`;
}

function formatCsvCell(value: string | number): string {
	if (typeof value === 'number') {
		return Number.isFinite(value) ? String(value) : '';
	}
	return quoteCsvCell(formula.test(value.trimStart()) || formula.test(value) ? `'${value}` : value);
}

/** Quotes the text of a CSV field if needed, and changes nothing else. */
export function quoteCsvCell(text: string): string {
	return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
