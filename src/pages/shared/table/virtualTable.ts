import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { headView, type RowActions, rowView, type TableLook } from './columns.ts';
import { RowCache, type TableRow } from './rowCache.ts';
import { Selection } from './selection.ts';

/** In pixels, as in table.css. */
const rowHeight = 22;
const headHeight = 24;
/** Rows drawn above and below those in sight. */
const margin = 8;
/** Rows that are passed by while one scrolls get no preview. */
const settledMs = 80;
/** Screens before the end at which the next page is asked for. */
const screensAhead = 3;

/** Whom the table tells. */
interface TableEvents<Row> {
	/** Rows are to be sent. */
	wanted(slice: { readonly from: number; readonly to: number }): void;
	/** These rows stay in sight. */
	settled?(ids: readonly string[]): void;
	/** The end comes near. */
	nearEnd?(): void;
	/** Another row is active, or others are selected. */
	selected(): void;
	opened(row: Row): void;
}

/** How long the list is. */
interface TableState {
	/** Changes when rows have other places than before. */
	readonly generation: number;
	readonly count: number;
	/** Rows that came to the top since the last state. */
	readonly added: number;
}

/**
 * Rows of a long list as a grid. Only rows near what is in sight are elements, and only rows around them are in the page. One stop of the Tab key; the arrow keys move the
 * active row, which the grid names by `aria-activedescendant`.
 */
export class VirtualTable<Row extends TableRow> implements RowActions {
	/** The scrolling element. */
	readonly element = document.createElement('div');
	readonly rows = new RowCache<Row>();
	readonly selection = new Selection();
	readonly #events: TableEvents<Row>;
	#look: TableLook<Row> | undefined;
	#generation = -1;
	#frame: number | undefined;
	#settling: number | undefined;

	constructor(events: TableEvents<Row>) {
		this.#events = events;
		this.element.className = 'grid';
		this.element.tabIndex = 0;
		this.element.setAttribute('role', 'grid');
		this.element.setAttribute('aria-multiselectable', 'true');
		this.element.addEventListener('keydown', event => this.#key(event));
		this.element.addEventListener('scroll', () => this.renderSoon());
		new ResizeObserver(() => this.renderSoon()).observe(this.element);
	}

	/** The row that the keyboard is on. */
	get active(): Row | undefined {
		return this.rows.at(this.selection.place);
	}

	/** Shows this, with rows that came along. Where rows came to the top, those in sight stay in sight. */
	update(
		{ generation, count, added }: TableState,
		look: TableLook<Row>,
		rows?: { readonly from: number; readonly rows: readonly Row[] },
	): void {
		const isOther = generation !== this.#generation;
		this.#look = look;
		this.#generation = generation;
		this.rows.begin(generation, count);
		if (rows) {
			this.rows.take(generation, rows.from, rows.rows);
		}
		this.selection.renew(this.rows);
		if (isOther && added > 0 && this.element.scrollTop > 0) {
			this.#render();
			this.element.scrollTop += added * rowHeight;
		}
		this.#render();
	}

	take(generation: number, from: number, rows: readonly Row[]): void {
		this.rows.take(generation, from, rows);
		this.selection.renew(this.rows);
		this.renderSoon();
	}

	/** Another list takes the place of this one. */
	leave(): void {
		this.selection.clear();
		this.element.scrollTop = 0;
	}

	renderSoon(): void {
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
		for (const slice of this.rows.missing({ from, to })) {
			this.#events.wanted(slice);
		}
		if ((to + screensAhead * (to - from) >= count || count === 0) && clientHeight > 0) {
			this.#events.nearEnd?.();
		}
		const places = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
		const { place } = this.selection;
		this.element.setAttribute('aria-label', look.label);
		this.element.setAttribute('aria-rowcount', String(count + 1));
		this.#describeActive(place >= from && place < to, look);
		render(
			html`${headView(look)}<div class="rows" role="rowgroup" style="height: ${count * rowHeight}px">
				${repeat(
					places,
					each => each,
					each =>
						rowView(
							look,
							this.rows.at(each),
							{ place: each, top: each * rowHeight, isActive: each === place, isSelected: this.#isSelected(each) },
							this,
						),
				)}
			</div>`,
			this.element,
		);
		clearTimeout(this.#settling);
		this.#settling = window.setTimeout(() => this.#settled(), settledMs);
	}

	/** The active row for readers, and for VS Code's own menu, which takes what it is called on from here. */
	#describeActive(isDrawn: boolean, look: TableLook<Row>): void {
		if (isDrawn) {
			this.element.setAttribute('aria-activedescendant', `row-${this.selection.place}`);
		} else {
			this.element.removeAttribute('aria-activedescendant');
		}
		this.element.dataset['vscodeContext'] = JSON.stringify({ preventDefaultContextMenuItems: true, ...look.context?.(this.active) });
	}

	#isSelected(place: number): boolean {
		const id = this.rows.at(place)?.id;
		return id !== undefined && this.selection.has(id);
	}

	#settled(): void {
		const { scrollTop, clientHeight } = this.element;
		const [from, to] = [Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + clientHeight) / rowHeight)];
		const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => this.rows.at(from + index));
		this.#events.settled?.(rows.flatMap(row => (row ? [row.id] : [])));
	}

	/** A row was clicked: with Ctrl or the command key it comes to those that are selected, or leaves them. */
	click(place: number, event: MouseEvent): void {
		if (event.type === 'contextmenu' && this.#isSelected(place)) {
			this.selection.go(place, this.rows, true);
		} else if (event.ctrlKey || event.metaKey) {
			this.selection.toggle(place, this.rows);
		} else if (event.shiftKey) {
			this.selection.extend(place, this.rows);
		} else {
			this.selection.go(place, this.rows, false);
		}
		this.#changed();
	}

	open(place: number): void {
		const row = this.rows.at(place);
		if (row) {
			this.#events.opened(row);
		}
	}

	#key(event: KeyboardEvent): void {
		if (event.target !== this.element || event.altKey || event.ctrlKey || event.metaKey) {
			return;
		}
		const { place } = this.selection;
		const page = Math.max(1, Math.floor((this.element.clientHeight - headHeight) / rowHeight) - 1);
		const moves: Record<string, number> = {
			ArrowDown: place + 1,
			ArrowUp: Math.max(0, place - 1),
			Home: 0,
			End: this.rows.count - 1,
			PageDown: Math.max(0, place) + page,
			PageUp: place - page,
		};
		const to = moves[event.key];
		if (to !== undefined && this.rows.count > 0) {
			if (event.shiftKey) {
				this.selection.extend(to, this.rows);
			} else {
				this.selection.go(to, this.rows, false);
			}
			this.#scrollTo(this.selection.place);
			this.#changed();
		} else if (event.key === ' ' && place >= 0) {
			this.selection.toggle(place, this.rows);
			this.#changed();
		} else if (event.key === 'Enter') {
			this.open(place);
		} else {
			return;
		}
		event.preventDefault();
	}

	#changed(): void {
		this.#render();
		this.#events.selected();
	}

	#scrollTo(place: number): void {
		const top = place * rowHeight;
		const { scrollTop, clientHeight } = this.element;
		if (top < scrollTop) {
			this.element.scrollTop = top;
		} else if (headHeight + top + rowHeight > scrollTop + clientHeight) {
			this.element.scrollTop = headHeight + top + rowHeight - clientHeight;
		}
	}
}
