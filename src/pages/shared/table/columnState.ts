import { type ColumnLayout, type ColumnWidths, fitColumns, resizeColumn } from './columnLayout.ts';
import { type Column, isEmptyCell, type TableLook } from './columns.ts';

/** The widths of a table's columns, and which optional ones have had a value. */
export class ColumnState<Row> {
	/** Widths chosen by the user. */
	widths: ColumnWidths = {};
	/** ID of the column that has or had the focus. */
	focused: string | undefined;
	/** IDs of the optional columns that have had a value. They stay, so that columns don't jump while rows are filtered. */
	readonly #filled = new Set<string>();
	/** Rows that haven't been searched for values of optional columns. */
	#unsearched: readonly Row[] = [];

	/** Adds rows, whose values decide which optional columns are shown. */
	addRows(rows: readonly Row[]): void {
		this.#unsearched = this.#unsearched.concat(rows);
	}

	/** Resets a column if `width` is undefined. */
	resizeColumn(id: string, width: number | undefined): void {
		this.widths = resizeColumn(this.widths, id, width);
	}

	/** Chooses the columns that fit into a width in pixels, and sets their widths and the height of the header on the table. */
	layOut(element: HTMLElement, look: TableLook<Row>, headHeight: number): ColumnLayout<Column<Row>>['shown'] {
		const rows = this.#unsearched;
		this.#unsearched = [];
		for (const { id, isOptional, formatCell } of look.columns) {
			if (isOptional && !this.#filled.has(id) && rows.some(row => !isEmptyCell(formatCell(row)))) {
				this.#filled.add(id);
			}
		}
		const available = look.isWide ? Number.POSITIVE_INFINITY : element.clientWidth;
		const { shown, least, tracks } = fitColumns<Column<Row>>(look.columns, available, this.widths, this.#filled);
		element.style.setProperty('--columns', tracks);
		element.style.setProperty('--least', look.isWide ? `${least}px` : '0');
		element.style.setProperty('--head', `${headHeight}px`);
		return shown;
	}
}
