import { NodeError } from '../nodes/nodeType.ts';

/** Cells of a table, those counted that a short row lacks: each takes some characters of the text. */
const maxCells = 500_000;
/** Characters of the text of a document. */
export const maxText = 10_000_000;

/**
 * Rows of cells as a Markdown table, the first row as its heading; nothing for no rows. `lineBreak`: what stands for one inside a cell.
 * @throws {NodeError} for a table that is too large
 */
export function markdownTable([heading, ...body]: readonly (readonly string[])[], lineBreak = ' '): string {
	if (!heading) {
		return '';
	}
	if (heading.length * (body.length + 1) > maxCells) {
		throw tooManyCells();
	}
	const cellText = (cell: string) => cell.trim().replaceAll('|', '\\|').replace(/\r?\n/g, lineBreak);
	let characters = 0;
	const line = (row: readonly string[]) => {
		const text = `| ${heading.map((_, index) => cellText(row[index] ?? '')).join(' | ')} |`;
		characters += text.length;
		if (characters > maxText) {
			throw new NodeError(`The text of the table is over ${maxText} characters, the most that can be read`, 'TextExtractionError');
		}
		return text;
	};
	return [line(heading), `| ${heading.map(() => '---').join(' | ')} |`, ...body.map(line)].join('\n');
}

/** Counts the cells of a document as they are read. */
export class CellCount {
	#cells = 0;

	/** @throws {NodeError} where they are too many */
	add(cells = 1): void {
		this.#cells += cells;
		if (this.#cells > maxCells) {
			throw tooManyCells();
		}
	}
}

function tooManyCells(): NodeError {
	return new NodeError(`The table has over ${maxCells} cells, the most that can be read; leave out rows or columns`, 'TextExtractionError');
}
