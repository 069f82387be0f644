import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { TimelineRow } from '#runs/events/timeline.ts';
import type { InspectorHead } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import { timelineRow } from '../timelineRow.ts';
import { type VisibleRow, visibleRows } from '../visibleRows.ts';
import { nowOf } from './runClock.ts';
import { timeAxis } from './timeAxis.ts';

/** Height of a row in pixels; the style sheet's `--row`. */
const rowHeight = 22;
/** Height of the axis above the rows, in pixels; the style sheet's `--axis`. */
const axisHeight = 20;
/** Rows rendered above and below what is in sight. */
const margin = 12;

/** What the timeline shows, and whom it tells. */
export interface TimelineModel {
	readonly head: InspectorHead;
	readonly rows: ReadonlyMap<string, TimelineRow>;
	readonly strings: InspectorStrings;
}

interface TimelineEvents {
	selected(id: string): void;
	/** The user goes on to the detail of the selected row. */
	entered(): void;
	/** A node, by its ID, is to be shown in its agent file. */
	source(id: string): void;
	collapsedChanged(ids: readonly string[]): void;
}

/**
 * The rows of a run as a tree grid. Only rows near what is in sight are elements, so that 10,000 of them cost no more than forty. One stop of
 * the Tab key; the arrow keys move the active row, which the grid names by `aria-activedescendant`.
 */
export class TimelineView {
	/** The scrolling element. */
	readonly element: HTMLElement;
	readonly #events: TimelineEvents;
	#model: TimelineModel | undefined;
	#collapsed: Set<string>;
	#query = '';
	#visible: readonly VisibleRow[] = [];
	#selected: string | undefined;
	/** Unix milliseconds at the left and the right end of the bars. */
	#from = 0;
	#to = 1;
	#frame: number | undefined;

	constructor(events: TimelineEvents, collapsed: readonly string[]) {
		this.#events = events;
		this.#collapsed = new Set(collapsed);
		this.element = document.createElement('div');
		this.element.className = 'grid';
		this.element.tabIndex = 0;
		this.element.setAttribute('role', 'treegrid');
		this.element.addEventListener('keydown', event => this.#key(event));
		this.element.addEventListener('scroll', () => this.#renderSoon());
		new ResizeObserver(() => this.#renderSoon()).observe(this.element);
	}

	/** Rows that the list has now, after search and collapsing. */
	get count(): number {
		return this.#visible.length;
	}

	get selected(): string | undefined {
		return this.#selected;
	}

	/** Shows this; `rowsChanged` false where only time went on. */
	update(model: TimelineModel, rowsChanged: boolean): void {
		const { scrollTop, scrollHeight, clientHeight } = this.element;
		const atEnd = scrollTop + clientHeight >= scrollHeight - 1;
		this.#model = model;
		if (rowsChanged) {
			this.#list();
		}
		this.#measure(model);
		this.#render();
		if (rowsChanged && atEnd && model.head.live) {
			// who looks at the end of a run that goes on sees what comes
			this.element.scrollTop = this.element.scrollHeight;
		}
	}

	search(query: string): void {
		this.#query = query;
		this.#list();
		this.element.scrollTop = 0;
		this.#render();
	}

	select(id: string, scroll = true): void {
		this.#selected = id;
		if (scroll) {
			this.#scrollTo(this.#visible.findIndex(({ row }) => row.id === id));
		}
		this.#render();
		this.#events.selected(id);
	}

	/** Another run takes this one's place. */
	leave(): void {
		this.#query = '';
		this.#collapsed.clear();
		this.#selected = undefined;
	}

	#list(): void {
		this.#visible = this.#model ? visibleRows(this.#model.rows.values(), this.#collapsed, this.#query) : [];
	}

	#measure({ head, rows }: TimelineModel): void {
		// what was before the first event is no time of the run's nodes
		let from = rows.size === 0 ? head.startedAt : Number.POSITIVE_INFINITY;
		let to = nowOf(head) ?? Number.NEGATIVE_INFINITY;
		for (const { start, end } of rows.values()) {
			from = Math.min(from, start);
			to = Math.max(to, end ?? start);
		}
		this.#from = from;
		this.#to = Math.max(to, from + 1);
	}

	#renderSoon(): void {
		this.#frame ??= requestAnimationFrame(() => this.#render());
	}

	#render(): void {
		if (this.#frame !== undefined) {
			cancelAnimationFrame(this.#frame);
			this.#frame = undefined;
		}
		const model = this.#model;
		if (!model) {
			return;
		}
		const first = Math.max(0, Math.floor(this.element.scrollTop / rowHeight) - margin);
		const last = Math.ceil((this.element.scrollTop + this.element.clientHeight) / rowHeight) + margin;
		const shown = this.#visible.slice(first, last);
		const active = shown.findIndex(({ row }) => row.id === this.#selected);
		this.element.setAttribute('aria-label', model.strings.timeline);
		this.element.setAttribute('aria-rowcount', String(this.#visible.length));
		if (active >= 0) {
			this.element.setAttribute('aria-activedescendant', `row-${first + active}`);
		} else {
			this.element.removeAttribute('aria-activedescendant');
		}
		render(
			html`${timeAxis(this.#to - this.#from, model.strings)}<div class="rows" role="rowgroup" style="height: ${this.#visible.length * rowHeight}px">
				${repeat(
					shown,
					({ row }) => row.id,
					(visible, place) =>
						timelineRow(visible, {
							place: first + place,
							top: (first + place) * rowHeight,
							from: this.#from,
							to: this.#to,
							isSelected: visible.row.id === this.#selected,
							model,
							select: () => this.select(visible.row.id, false),
							toggle: () => this.#toggle(visible.row.id, !visible.expanded),
							source: this.#events.source,
						}),
				)}
			</div>`,
			this.element,
		);
	}

	#key(event: KeyboardEvent): void {
		const place = this.#visible.findIndex(({ row }) => row.id === this.#selected);
		const page = Math.max(1, Math.floor(this.element.clientHeight / rowHeight) - 1);
		const moves: Record<string, number> = {
			ArrowDown: place + 1,
			ArrowUp: Math.max(0, place - 1),
			Home: 0,
			End: this.#visible.length - 1,
			PageDown: Math.max(0, place) + page,
			PageUp: Math.max(0, place - page),
		};
		const to = moves[event.key];
		if (event.altKey || event.ctrlKey || event.metaKey) {
			return;
		}
		if (to !== undefined) {
			this.#selectAt(Math.min(to, this.#visible.length - 1));
		} else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
			this.#sideways(event.key === 'ArrowRight', place);
		} else if (event.key === 'F12') {
			const node = this.#visible[place]?.row.nodeId;
			if (node !== undefined) {
				this.#events.source(node);
			}
		} else if (event.key === 'Enter' && place >= 0) {
			this.#events.entered();
		} else {
			return;
		}
		event.preventDefault();
	}

	/** Right opens a row, or goes to its first child; left closes it, or goes to its parent. */
	#sideways(right: boolean, place: number): void {
		const at = this.#visible[place];
		if (!at) {
			return;
		}
		if (right && at.expandable) {
			if (at.expanded) {
				this.#selectAt(place + 1);
			} else {
				this.#toggle(at.row.id, true);
			}
		} else if (!right && at.expandable && at.expanded && this.#query === '') {
			this.#toggle(at.row.id, false);
		} else if (!right && at.level > 1) {
			this.#selectAt(this.#visible.findLastIndex(({ level }, before) => before < place && level < at.level));
		}
	}

	#selectAt(place: number): void {
		const at = this.#visible[place];
		if (at) {
			this.select(at.row.id);
		}
	}

	#toggle(id: string, expand: boolean): void {
		if (expand) {
			this.#collapsed.delete(id);
		} else {
			this.#collapsed.add(id);
		}
		this.#events.collapsedChanged([...this.#collapsed]);
		this.#list();
		this.#render();
	}

	#scrollTo(place: number): void {
		const top = place * rowHeight;
		const { scrollTop, clientHeight } = this.element;
		if (place < 0 || clientHeight === 0) {
			return;
		}
		if (top < scrollTop) {
			this.element.scrollTop = top;
		} else if (axisHeight + top + rowHeight > scrollTop + clientHeight) {
			this.element.scrollTop = axisHeight + top + rowHeight - clientHeight;
		}
	}
}
