import { html, nothing } from 'lit';

/** What a cell shows beyond its text. */
interface CellView {
	readonly text: string;
	readonly css?: string;
	/** Shown on hover; the text unless it says otherwise. */
	readonly title?: string;
	/** Classes of an icon before the text. */
	readonly icon?: string;
}

/** A column of a table. */
export interface Column<Row, By extends string = string> {
	readonly label: string;
	/** Class of its head and its cells. */
	readonly css?: string;
	/** What a click on its head sorts by. */
	readonly sort?: By;
	readonly cell: (row: Row) => string | CellView;
}

/** A row of full width that others are grouped under. */
export interface Heading {
	readonly css: string;
	readonly title: string;
	readonly content: unknown;
}

/** What a table shows of its rows. */
export interface TableLook<Row, By extends string = string> {
	/** Names the table for readers. */
	readonly label: string;
	/** Class of its rows. */
	readonly rowCss: string;
	readonly columns: readonly Column<Row, By>[];
	/** What rows are sorted by; `tabStops`: the heads of columns are reached by Tab, because nothing else sorts. */
	readonly sort?: { readonly by: By; readonly descending: boolean; readonly tabStops: boolean };
	sorted?(by: By): void;
	heading?(row: Row): Heading | undefined;
	/** Data of the active row for VS Code's own menu; a table without it has no menu. */
	context?(active: Row | undefined): object;
}

/** Where a row is. */
interface RowPlace {
	/** From 0. */
	readonly place: number;
	/** In pixels. */
	readonly top: number;
	readonly isActive: boolean;
	readonly isSelected: boolean;
}

/** What rows report. */
export interface RowActions {
	click(place: number, event: MouseEvent): void;
	open(place: number): void;
}

/** The heads of the columns. */
export function headView<Row>({ rowCss, columns, sort, sorted }: TableLook<Row>): unknown {
	const head = ({ label, css = '', sort: by }: Column<Row>) =>
		by === undefined
			? html`<div role="columnheader" class=${css}>${label}</div>`
			: html`<div
				role="columnheader"
				class=${css}
				aria-sort=${sort?.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none'}
			><button type="button" class="columnButton" tabindex=${sort?.tabStops ? nothing : '-1'} @click=${() => sorted?.(by)}>${label}<span
				class="codicon ${sort?.by === by ? `codicon-arrow-${sort.descending ? 'down' : 'up'}` : ''}"
				aria-hidden="true"
			></span></button></div>`;
	return html`<div role="rowgroup" class="tableHead"><div role="row" class="tableRow ${rowCss} headRow" aria-rowindex="1">${columns.map(head)}</div></div>`;
}

/** A row; one that hasn't arrived yet (`undefined`) is empty. */
export function rowView<Row>(look: TableLook<Row>, row: Row | undefined, at: RowPlace, actions: RowActions): unknown {
	const { place, top, isActive, isSelected } = at;
	const heading = row === undefined ? undefined : look.heading?.(row);
	const click = (event: MouseEvent) => actions.click(place, event);
	return html`<div
		role="row"
		id="row-${place}"
		class="tableRow ${look.rowCss} ${isActive ? 'active' : ''} ${isSelected ? 'selected' : ''} ${heading?.css ?? ''}"
		style="top: ${top}px"
		aria-rowindex=${place + 2}
		aria-selected=${isSelected ? 'true' : 'false'}
		aria-busy=${row === undefined ? 'true' : nothing}
		@click=${click}
		@contextmenu=${look.context ? click : nothing}
		@dblclick=${() => actions.open(place)}
	>${
		heading
			? html`<div role="gridcell" title=${heading.title}>${heading.content}</div>`
			: look.columns.map(column => cellView(column.css, row === undefined ? '' : column.cell(row)))
	}</div>`;
}

function cellView(columnCss = '', cell: ReturnType<Column<never>['cell']>): unknown {
	const { text, css = '', title = text, icon } = typeof cell === 'string' ? { text: cell } : cell;
	return html`<div role="gridcell" class="${columnCss} ${css}" title=${title || nothing}>${icon === undefined ? nothing : html`<span class=${icon} aria-hidden="true"></span>`}${text}</div>`;
}
