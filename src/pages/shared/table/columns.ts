import { html, nothing } from 'lit';
import type { ColumnSize } from './columnLayout.ts';
import type { TableStrings } from './tableStrings.ts';

/** The content of a cell beyond plain text. */
interface CellView {
	readonly text: string;
	readonly css?: string;
	/** Tooltip; the text by default. */
	readonly title?: string;
	/** CSS classes of an icon before the text. */
	readonly icon?: string;
	/** Length of a bar instead of the text, from 0 to 1. */
	readonly bar?: number;
}

/** A column of a table. */
export interface Column<Row, By extends string = string> extends ColumnSize {
	readonly label: string;
	/** CSS class of its header and cells. */
	readonly css?: string;
	/** Sort key for a click on the header. */
	readonly sort?: By;
	readonly formatCell: (row: Row) => string | CellView;
}

/** A full-width row that groups the rows below it. */
export interface Heading {
	readonly css: string;
	readonly title: string;
	readonly content: unknown;
}

/** Describes how a table shows its rows. */
export interface TableLook<Row, By extends string = string> {
	/** Accessible name of the table. */
	readonly label: string;
	/** CSS class of its rows. */
	readonly rowCss: string;
	readonly columns: readonly Column<Row, By>[];
	readonly strings: TableStrings;
	readonly sort?: { readonly by: By; readonly descending: boolean };
	onSort?(by: By): void;
	renderHeading?(row: Row): Heading | undefined;
	/** Data of the active row for VS Code's context menu; a table without it has no menu. */
	formatContext?(active: Row | undefined): object;
}

/** Position of a row. */
interface RowPlace {
	/** Index of the row, from 0. */
	readonly place: number;
	/** Offset in pixels. */
	readonly top: number;
	readonly isActive: boolean;
	readonly isSelected: boolean;
}

/** Actions of rows. */
export interface RowActions {
	handleClick(place: number, event: MouseEvent): void;
	openRow(place: number): void;
}

/** Renders a row. A row that hasn't arrived yet (`undefined`) is empty. */
export function renderTableRow<Row>(
	look: TableLook<Row>,
	shown: readonly Column<Row>[],
	row: Row | undefined,
	at: RowPlace,
	actions: RowActions,
): unknown {
	const { place, top, isActive, isSelected } = at;
	const heading = row === undefined ? undefined : look.renderHeading?.(row);
	const onClick = (event: MouseEvent) => actions.handleClick(place, event);
	return html`<div
		role="row"
		id="row-${place}"
		class="tableRow ${look.rowCss} ${isActive ? 'active' : ''} ${isSelected ? 'selected' : ''} ${heading?.css ?? ''}"
		style="top: ${top}px"
		aria-rowindex=${place + 2}
		aria-selected=${isSelected ? 'true' : 'false'}
		aria-busy=${row === undefined ? 'true' : nothing}
		@click=${onClick}
		@contextmenu=${look.formatContext ? onClick : nothing}
		@dblclick=${() => actions.openRow(place)}
	>${
		heading
			? html`<div role="gridcell" title=${heading.title}>${heading.content}</div>`
			: shown.map(column => renderCell(column.css, row === undefined ? '' : column.formatCell(row)))
	}</div>`;
}

function renderCell(columnCss = '', cell: string | CellView): unknown {
	const { text, css = '', title = text, icon, bar } = typeof cell === 'string' ? { text: cell } : cell;
	return html`<div role="gridcell" class="${columnCss} ${css}" title=${title || nothing}>${
		bar === undefined
			? icon === undefined
				? text
				: html`<span class=${icon} aria-hidden="true"></span><span class="iconText">${text}</span>`
			: html`<span class="amount" style="width: ${bar * 100}%" aria-hidden="true"></span>`
	}</div>`;
}

/** Returns true if a cell shows nothing. */
export function isEmptyCell(cell: string | CellView): boolean {
	return (typeof cell === 'string' ? cell : cell.text) === '';
}
