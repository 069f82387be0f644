import { html, nothing } from 'lit';
import type { Column, TableLook } from './columns.ts';

/** Pixels per arrow key. */
const step = 16;

/** How the header is operated. */
export interface HeadActions {
	/** ID of the column that is the header's tab stop. */
	readonly focused: string | undefined;
	focusColumn(id: string): void;
	/** `width`: `undefined` resets the column; `isDone`: false while the pointer moves. */
	resizeColumn(id: string, width: number | undefined, isDone: boolean): void;
}

/**
 * Renders the column headers. They are one tab stop: arrow keys move between them, Enter sorts, Shift with an arrow key resizes a column and
 * Delete resets its width. Borders are dragged with the mouse.
 */
export function renderTableHead<Row>(look: TableLook<Row>, shown: readonly Column<Row>[], actions: HeadActions): unknown {
	const { rowCss, columns, sort, onSort, strings } = look;
	const focused = shown.find(({ id }) => id === actions.focused) ?? shown[0];
	const onKeyDown = (event: KeyboardEvent, column: Column<Row>, isLast: boolean) => {
		const cell = event.currentTarget as HTMLElement;
		if ((event.target as HTMLElement).closest('[popover]')) {
			// keys of an open menu
			return;
		}
		const isArrow = event.key === 'ArrowLeft' || event.key === 'ArrowRight';
		if (isArrow && event.shiftKey && !isLast) {
			actions.resizeColumn(column.id, cell.offsetWidth + (event.key === 'ArrowRight' ? step : -step), true);
		} else if (event.key === 'Delete') {
			actions.resizeColumn(column.id, undefined, true);
		} else if (isArrow && !event.shiftKey) {
			const next = shown[shown.indexOf(column) + (event.key === 'ArrowRight' ? 1 : -1)];
			if (next) {
				actions.focusColumn(next.id);
			}
		} else if ((event.key === 'Enter' || event.key === ' ') && column.sort !== undefined) {
			onSort?.(column.sort);
		} else if ((event.key === 'Enter' || event.key === ' ') && event.target === cell) {
			cell.querySelector<HTMLElement>('[aria-haspopup]')?.click();
		} else {
			return;
		}
		event.preventDefault();
	};
	const renderBorder = ({ id }: Column<Row>) => html`<div
		class="columnBorder"
		title=${strings.resize}
		@pointerdown=${(event: PointerEvent) => {
			event.preventDefault();
			(event.currentTarget as HTMLElement).setPointerCapture(event.pointerId);
		}}
		@pointermove=${(event: PointerEvent) => isDragging(event) && actions.resizeColumn(id, getWidthAt(event), false)}
		@pointerup=${(event: PointerEvent) => isDragging(event) && actions.resizeColumn(id, getWidthAt(event), true)}
		@dblclick=${() => actions.resizeColumn(id, undefined, true)}
	></div>`;
	const renderColumnHeader = (column: Column<Row>, place: number) => {
		const { id, label, css = '', sort: by, head, isSticky } = column;
		const isSorted = by !== undefined && sort?.by === by;
		const isLast = place === shown.length - 1;
		return html`<div
			role="columnheader"
			id="column-${id}"
			class="${css} ${isSticky ? 'stickyCell' : ''}"
			tabindex=${column === focused ? '0' : '-1'}
			aria-sort=${by === undefined ? nothing : isSorted ? (sort?.descending ? 'descending' : 'ascending') : 'none'}
			aria-keyshortcuts=${isLast ? nothing : 'Shift+ArrowLeft Shift+ArrowRight'}
			@focus=${() => actions.focusColumn(id)}
			@keydown=${(event: KeyboardEvent) => onKeyDown(event, column, isLast)}
		>${
			head ??
			html`<span class="columnLabel" title=${label}>${
				by === undefined
					? label
					: html`<button type="button" class="columnButton" tabindex="-1" @click=${() => onSort?.(by)}>${label}<span
						class="codicon ${isSorted ? `codicon-arrow-${sort?.descending ? 'down' : 'up'}` : ''}"
						aria-hidden="true"
					></span></button>`
			}</span>`
		}${isLast ? nothing : renderBorder(column)}</div>`;
	};
	return columns.length === 0
		? nothing
		: html`<div role="rowgroup" class="tableHead"><div role="row" class="tableRow ${rowCss} headRow" aria-rowindex="1">${shown.map(renderColumnHeader)}</div></div>`;
}

function isDragging(event: PointerEvent): boolean {
	return (event.currentTarget as HTMLElement).hasPointerCapture(event.pointerId);
}

/** Returns the width at which the border of a column is at the pointer. */
function getWidthAt(event: PointerEvent): number {
	const cell = (event.currentTarget as HTMLElement).parentElement?.getBoundingClientRect();
	return cell === undefined ? 0 : event.clientX - cell.left - 8;
}
