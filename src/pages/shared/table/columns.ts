import { html, nothing } from 'lit';
import type { CellSelection } from './cellSelection.ts';
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
	/** Short text between the icon and the text. */
	readonly lead?: string;
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
	/** Content of the header, instead of the label. A menu button in it opens with Enter. */
	readonly head?: unknown;
	/** True if each of its cells can be selected. */
	readonly hasCells?: boolean;
	/** True to keep the column in view when the table is scrolled sideways. */
	readonly isSticky?: boolean;
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
	/** True to scroll sideways instead of hiding columns that don't fit. */
	readonly isWide?: boolean;
	/** Height of the header in pixels if its columns have more than a line. */
	readonly headHeight?: number;
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
	/** The selected cells, if cells are selected instead of rows. */
	readonly cells?: CellSelection | undefined;
}

/** Actions of rows. */
export interface RowActions {
	handleClick(place: number, event: MouseEvent): void;
	openRow(place: number): void;
}

/** Renders a row. A row that hasn't arrived yet (`undefined`) is empty. */
export function renderTableRow<Row extends { readonly id: string }>(
	look: TableLook<Row>,
	shown: readonly Column<Row>[],
	row: Row | undefined,
	at: RowPlace,
	actions: RowActions,
): unknown {
	const { place, top, isActive, isSelected, cells } = at;
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
			: shown.map(column => {
					const cell = row === undefined ? '' : column.formatCell(row);
					return cells ? renderSelectableCell(column, cell, { place, row: row?.id, isActive, cells }) : renderCell(column, cell);
				})
	}</div>`;
}

/** Renders a cell that can be active and selected. */
function renderSelectableCell<Row>(
	column: Column<Row>,
	cell: string | CellView,
	{
		place,
		row,
		isActive,
		cells,
	}: { readonly place: number; readonly row: string | undefined; readonly isActive: boolean; readonly cells: CellSelection },
): unknown {
	const isChosen = row !== undefined && column.hasCells === true && cells.has({ row, column: column.id });
	const state = `${isActive && cells.column === column.id ? 'activeCell' : ''} ${isChosen ? 'chosenCell' : ''}`;
	const { css = '', title } = typeof cell === 'string' ? { title: cell } : { title: cell.text, ...cell };
	return html`<div
		role="gridcell"
		id="cell-${place}-${column.id}"
		data-column=${column.id}
		class="${column.css ?? ''} ${css} ${column.isSticky ? 'stickyCell' : ''} ${state}"
		title=${title || nothing}
		aria-selected=${column.hasCells ? String(isChosen) : nothing}
	>${renderContent(cell)}</div>`;
}

function renderCell<Row>({ css: columnCss = '' }: Column<Row>, cell: string | CellView): unknown {
	const { text, css = '', title = text } = typeof cell === 'string' ? { text: cell } : cell;
	return html`<div role="gridcell" class="${columnCss} ${css}" title=${title || nothing}>${renderContent(cell)}</div>`;
}

function renderContent(cell: string | CellView): unknown {
	const { text, icon, lead, bar } = typeof cell === 'string' ? { text: cell } : cell;
	if (bar !== undefined) {
		return html`<span class="amount" style="width: ${bar * 100}%" aria-hidden="true"></span>`;
	}
	return icon === undefined
		? text
		: html`<span class=${icon} aria-hidden="true"></span>${lead ? html`<span class="cellLead">${lead}</span>` : nothing}<span class="iconText">${text}</span>`;
}

/** Returns true if a cell shows nothing. */
export function isEmptyCell(cell: string | CellView): boolean {
	return (typeof cell === 'string' ? cell : cell.text) === '';
}
