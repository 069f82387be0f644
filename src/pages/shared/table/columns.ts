import { html, nothing } from 'lit';

/** The content of a cell beyond plain text. */
interface CellView {
	readonly text: string;
	readonly css?: string;
	/** Tooltip; the text by default. */
	readonly title?: string;
	/** CSS classes of an icon before the text. */
	readonly icon?: string;
}

/** A column of a table. */
export interface Column<Row, By extends string = string> {
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
	/** Current sort order; `tabStops`: column headers are tab stops, because there is no other way to sort. */
	readonly sort?: { readonly by: By; readonly descending: boolean; readonly tabStops: boolean };
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

/** Renders the column headers. */
export function renderTableHead<Row>({ rowCss, columns, sort, onSort }: TableLook<Row>): unknown {
	const renderColumnHeader = ({ label, css = '', sort: by }: Column<Row>) =>
		by === undefined
			? html`<div role="columnheader" class=${css}>${label}</div>`
			: html`<div
				role="columnheader"
				class=${css}
				aria-sort=${sort?.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none'}
			><button type="button" class="columnButton" tabindex=${sort?.tabStops ? nothing : '-1'} @click=${() => onSort?.(by)}>${label}<span
				class="codicon ${sort?.by === by ? `codicon-arrow-${sort.descending ? 'down' : 'up'}` : ''}"
				aria-hidden="true"
			></span></button></div>`;
	return html`<div role="rowgroup" class="tableHead"><div role="row" class="tableRow ${rowCss} headRow" aria-rowindex="1">${columns.map(renderColumnHeader)}</div></div>`;
}

/** Renders a row. A row that hasn't arrived yet (`undefined`) is empty. */
export function renderTableRow<Row>(look: TableLook<Row>, row: Row | undefined, at: RowPlace, actions: RowActions): unknown {
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
			: look.columns.map(column => renderCell(column.css, row === undefined ? '' : column.formatCell(row)))
	}</div>`;
}

function renderCell(columnCss = '', cell: ReturnType<Column<never>['formatCell']>): unknown {
	const { text, css = '', title = text, icon } = typeof cell === 'string' ? { text: cell } : cell;
	return html`<div role="gridcell" class="${columnCss} ${css}" title=${title || nothing}>${icon === undefined ? nothing : html`<span class=${icon} aria-hidden="true"></span>`}${text}</div>`;
}
