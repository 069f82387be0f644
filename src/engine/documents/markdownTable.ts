import { NodeError } from '../nodes/nodeError.ts';

/** Maximum number of cells of a table, including cells added to fill up short rows. */
const maxCells = 500_000;
/** Maximum length in characters of a document's text. */
export const maxText = 10_000_000;

/**
 * Formats rows of cells as a Markdown table with the first row as heading, widened to the longest row. Returns an empty string for no rows.
 * @param lineBreak replaces line breaks inside a cell
 * @throws {NodeError} if the table is too large
 */
export function formatMarkdownTable([heading, ...body]: readonly (readonly string[])[], lineBreak = ' '): string {
	if (!heading) {
		return '';
	}
	const columns = body.reduce((most, row) => Math.max(most, row.findLastIndex(cell => cell.trim() !== '') + 1), heading.length);
	if (columns * (body.length + 1) > maxCells) {
		throw createTooManyCellsError();
	}
	const escapeCell = (cell: string) => cell.trim().replaceAll('|', '\\|').replace(/\r?\n/g, lineBreak);
	let characters = 0;
	const formatRow = (row: readonly string[]) => {
		const text = `| ${Array.from({ length: columns }, (_, index) => escapeCell(row[index] ?? '')).join(' | ')} |`;
		characters += text.length;
		if (characters > maxText) {
			throw new NodeError(`The text of the table is longer than ${maxText} characters, the limit for documents`, 'TextExtractionError');
		}
		return text;
	};
	return [formatRow(heading), `| ${Array<string>(columns).fill('---').join(' | ')} |`, ...body.map(formatRow)].join('\n');
}

/** Counts the cells of a document while it is read. */
export class CellCount {
	#cells = 0;

	/** @throws {NodeError} if there are too many cells */
	add(cells = 1): void {
		this.#cells += cells;
		if (this.#cells > maxCells) {
			throw createTooManyCellsError();
		}
	}
}

function createTooManyCellsError(): NodeError {
	return new NodeError(
		`The table has more than ${maxCells} cells, the limit for documents. Remove rows or columns.`,
		'TextExtractionError',
	);
}
