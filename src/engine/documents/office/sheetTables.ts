import { CellCount, formatMarkdownTable } from '../markdownTable.ts';

/** Excel's own limits: columns per sheet and characters per cell. */
const maxColumns = 16_384;
const maxCellText = 32_767;

/** Collects the sheets of a workbook as Markdown tables, each under its name. Empty rows and sheets are omitted. */
export class SheetTables {
	readonly #tables: string[] = [];
	readonly #cells = new CellCount();
	#rows: string[][] = [];
	#row: string[] = [];
	#first = maxColumns;
	#last = -1;

	/** Sets a value in the current row; `column` counts from 0. */
	putCell(column: number, text: string): void {
		if (text !== '' && column >= 0 && column < maxColumns) {
			this.#cells.add();
			this.#row[column] = text.slice(0, maxCellText);
			this.#first = Math.min(this.#first, column);
			this.#last = Math.max(this.#last, column);
		}
	}

	endRow(): void {
		if (this.#row.length > 0) {
			this.#rows.push(this.#row);
			this.#row = [];
		}
	}

	/** @throws {NodeError} if the table is too large */
	endSheet(name: string): void {
		this.endRow();
		const [rows, first, last] = [this.#rows, this.#first, this.#last];
		[this.#rows, this.#first, this.#last] = [[], maxColumns, -1];
		if (rows.length > 0) {
			// checked before rows are padded: two cells at opposite ends of two rows make a wide table
			new CellCount().add((last - first + 1) * rows.length);
			const table = rows.map(row => Array.from({ length: Math.max(0, row.length - first) }, (_, index) => row[first + index] ?? ''));
			this.#tables.push(`## ${name}\n\n${formatMarkdownTable(table)}`);
		}
	}

	/** Returns all sheets. */
	toText(): string {
		return this.#tables.join('\n\n');
	}
}
