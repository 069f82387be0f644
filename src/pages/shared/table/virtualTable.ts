import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type CellMove, CellSelection, findCellMove } from './cellSelection.ts';
import type { ColumnWidths } from './columnLayout.ts';
import { ColumnState } from './columnState.ts';
import { type RowActions, renderTableRow, type TableLook } from './columns.ts';
import { RowCache, type TableRow } from './rowCache.ts';
import { RowElements } from './rowElements.ts';
import { findRowMove, Selection } from './selection.ts';
import type { TableEvents, TableState } from './tableEvents.ts';
import { type HeadActions, renderTableHead } from './tableHead.ts';

/** Height of a row in pixels, as in table.css. */
const rowHeight = 22;
const defaultHeadHeight = 24;
/** Number of rows rendered above and below the visible ones. */
const margin = 8;
/** Delay before visible rows are reported, in milliseconds, so that scrolling past rows requests no previews. */
const settledMs = 80;
/** Number of screens before the end at which the next page is requested. */
const screensAhead = 3;

/**
 * Shows a long list as a grid. Only rows near the visible area are rendered and cached. The grid is one tab stop; the arrow keys move the
 * active row, which `aria-activedescendant` names.
 */
export class VirtualTable<Row extends TableRow> implements RowActions, HeadActions {
	/** The scrolling element. */
	readonly element = document.createElement('div');
	readonly rows = new RowCache<Row>();
	readonly selection = new Selection();
	/** Selects cells instead of rows if the table has columns for that. */
	readonly cells = new CellSelection();
	readonly #events: TableEvents<Row>;
	#look: TableLook<Row> | undefined;
	#generation = -1;
	readonly #columns = new ColumnState<Row>();
	readonly #elements = new RowElements();
	#frame: number | undefined;
	#settling: number | undefined;

	constructor(events: TableEvents<Row>) {
		this.#events = events;
		this.element.className = 'grid';
		this.element.tabIndex = 0;
		this.element.setAttribute('role', 'grid');
		this.element.setAttribute('aria-multiselectable', 'true');
		this.element.addEventListener('keydown', event => this.#handleKey(event));
		this.element.addEventListener('scroll', () => this.scheduleRender());
		new ResizeObserver(() => this.scheduleRender()).observe(this.element);
	}

	/** The active row. */
	get active(): Row | undefined {
		return this.rows.get(this.selection.place);
	}

	/** Applies remembered widths. */
	set widths(widths: ColumnWidths) {
		this.#columns.widths = widths;
		this.scheduleRender();
	}

	get focused(): string | undefined {
		return this.#columns.focused;
	}

	/** Applies a state, optionally with rows. If rows were added at the top, the visible ones stay in place. */
	applyState(
		{ generation, count, added }: TableState,
		look: TableLook<Row>,
		rows?: { readonly from: number; readonly rows: readonly Row[] },
	): void {
		const isOther = generation !== this.#generation;
		this.#look = look;
		this.#generation = generation;
		this.rows.startList(generation, count);
		if (rows) {
			this.rows.addRows(generation, rows.from, rows.rows);
			this.#columns.addRows(rows.rows);
		}
		this.selection.updateIndex(this.rows);
		if (isOther && added > 0 && this.element.scrollTop > 0) {
			this.#render();
			this.element.scrollTop += added * rowHeight;
		}
		this.#render();
	}

	addRows(generation: number, from: number, rows: readonly Row[]): void {
		this.rows.addRows(generation, from, rows);
		this.#columns.addRows(rows);
		this.selection.updateIndex(this.rows);
		this.scheduleRender();
	}

	/** Resets for another list. */
	clear(): void {
		this.selection.clear();
		this.cells.clear();
		this.element.scrollTop = 0;
	}

	scheduleRender(): void {
		this.#frame ??= requestAnimationFrame(() => this.#render());
	}

	#render(): void {
		if (this.#frame !== undefined) {
			cancelAnimationFrame(this.#frame);
			this.#frame = undefined;
		}
		const look = this.#look;
		if (!look) {
			return;
		}
		const { count } = this.rows;
		const { scrollTop, clientHeight } = this.element;
		const from = Math.max(0, Math.floor(scrollTop / rowHeight) - margin);
		const to = Math.min(count, Math.ceil((scrollTop + clientHeight) / rowHeight) + margin);
		for (const slice of this.rows.getMissingSlices({ from, to })) {
			this.#events.onWanted(slice);
		}
		if ((to + screensAhead * (to - from) >= count || count === 0) && clientHeight > 0) {
			this.#events.onNearEnd?.();
		}
		const active = this.selection.place;
		this.element.setAttribute('aria-label', look.label);
		this.element.setAttribute('aria-rowcount', String(count + 1));
		this.#describeActive(active >= from && active < to, look);
		const shown = this.#columns.layOut(this.element, look, this.#headHeight);
		const cells = this.#cellColumns.length > 0 ? this.cells : undefined;
		render(
			html`${renderTableHead(look, shown, this)}<div class="rows" role="rowgroup" style="height: ${count * rowHeight}px">
				${repeat(
					this.#elements.assign({ from, to }),
					({ key }) => key,
					({ place }) =>
						renderTableRow(
							look,
							shown,
							this.rows.get(place),
							{ place, top: place * rowHeight, isActive: place === active, isSelected: !cells && this.#isSelected(place), cells },
							this,
						),
				)}
			</div>`,
			this.element,
		);
		clearTimeout(this.#settling);
		this.#settling = window.setTimeout(() => this.#reportSettledRows(), settledMs);
	}

	/** Focuses a column header. */
	focusColumn(id: string): void {
		if (this.#columns.focused !== id) {
			this.#columns.focused = id;
			this.#render();
		}
		this.element.querySelector<HTMLElement>(`#column-${id}`)?.focus();
	}

	resizeColumn(id: string, width: number | undefined, isDone: boolean): void {
		this.#columns.resizeColumn(id, width);
		this.scheduleRender();
		if (isDone) {
			this.#events.onResize(this.#columns.widths);
		}
	}

	/** Marks the active row for screen readers and for VS Code's context menu, whose commands get the row as argument. */
	#describeActive(isDrawn: boolean, look: TableLook<Row>): void {
		if (isDrawn) {
			const { place } = this.selection;
			const hasCell = this.#cellColumns.length > 0 && this.cells.column !== undefined;
			this.element.setAttribute('aria-activedescendant', hasCell ? `cell-${place}-${this.cells.column}` : `row-${place}`);
		} else {
			this.element.removeAttribute('aria-activedescendant');
		}
		this.element.dataset['vscodeContext'] = JSON.stringify({ preventDefaultContextMenuItems: true, ...look.formatContext?.(this.active) });
	}

	#isSelected(place: number): boolean {
		const id = this.rows.get(place)?.id;
		return id !== undefined && this.selection.has(id);
	}

	#reportSettledRows(): void {
		const { scrollTop, clientHeight } = this.element;
		const [from, to] = [Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + clientHeight) / rowHeight)];
		const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => this.rows.get(from + index));
		this.#events.onSettled?.(rows.flatMap(row => (row ? [row.id] : [])));
	}

	/** Columns whose cells can be selected. */
	get #cellColumns(): readonly string[] {
		return this.#look?.columns.flatMap(({ id, hasCells }) => (hasCells ? [id] : [])) ?? [];
	}

	get #headHeight(): number {
		return this.#look?.headHeight ?? defaultHeadHeight;
	}

	/** Handles a click on a row; with Ctrl or Cmd it toggles the selection of the row. */
	handleClick(place: number, event: MouseEvent): void {
		const columns = this.#cellColumns;
		if (columns.length > 0) {
			const clicked = (event.target as HTMLElement).closest<HTMLElement>('[data-column]')?.dataset['column'];
			const column = columns.find(id => id === clicked) ?? this.cells.column ?? columns[0]!;
			this.#selectCell(place, column, event.ctrlKey || event.metaKey ? 'toggle' : event.shiftKey ? 'pair' : 'one');
			return;
		}
		this.selection.clickRow(place, this.rows, event);
		this.#onSelectionChange();
	}

	/** Makes a cell active. `move` keeps the selection; the others change it. */
	#selectCell(place: number, column: string, how: CellMove['how']): void {
		this.selection.moveToRow(place, this.rows, false);
		this.cells.column = column;
		const row = this.rows.get(this.selection.place)?.id;
		if (row !== undefined && how !== 'move') {
			this.cells.select({ row, column }, how);
		}
		this.#scrollToRow(this.selection.place);
		this.#onSelectionChange();
		// a column that stays in view must not cover the active cell
		const sticky = this.element.querySelector<HTMLElement>('.stickyCell')?.offsetWidth ?? 0;
		this.element.style.scrollPaddingInlineStart = `${sticky}px`;
		this.element.querySelector(`#cell-${this.selection.place}-${column}`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
	}

	/** Handles a key of a table whose cells are selected. Returns false for other keys. */
	#handleCellKey(event: KeyboardEvent, to: number | undefined): boolean {
		const move = findCellMove(event, { columns: this.#cellColumns, column: this.cells.column, place: this.selection.place, to });
		if (move) {
			this.#selectCell(move.place, move.column, move.how);
		}
		return move !== undefined;
	}

	openRow(place: number): void {
		const row = this.rows.get(place);
		if (row) {
			this.#events.onOpen(row);
		}
	}

	#handleKey(event: KeyboardEvent): void {
		const hasCells = this.#cellColumns.length > 0;
		if (event.target !== this.element || event.altKey || (!hasCells && (event.ctrlKey || event.metaKey))) {
			return;
		}
		const { place } = this.selection;
		const page = Math.max(1, Math.floor((this.element.clientHeight - this.#headHeight) / rowHeight) - 1);
		const to = findRowMove(event.key, { place, page, count: this.rows.count });
		if (hasCells && this.rows.count > 0 && this.#handleCellKey(event, to)) {
			event.preventDefault();
			return;
		}
		if (to !== undefined && this.rows.count > 0) {
			if (event.shiftKey) {
				this.selection.extendToRow(to, this.rows);
			} else {
				this.selection.moveToRow(to, this.rows, false);
			}
			this.#scrollToRow(this.selection.place);
			this.#onSelectionChange();
		} else if (event.key === ' ' && place >= 0) {
			this.selection.toggleRow(place, this.rows);
			this.#onSelectionChange();
		} else if (event.key === 'Enter') {
			this.openRow(place);
		} else {
			return;
		}
		event.preventDefault();
	}

	#onSelectionChange(): void {
		this.#render();
		this.#events.onSelect();
	}

	#scrollToRow(place: number): void {
		const top = place * rowHeight;
		const { scrollTop, clientHeight } = this.element;
		if (top < scrollTop) {
			this.element.scrollTop = top;
		} else if (this.#headHeight + top + rowHeight > scrollTop + clientHeight) {
			this.element.scrollTop = this.#headHeight + top + rowHeight - clientHeight;
		}
	}
}
