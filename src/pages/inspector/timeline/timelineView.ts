import { html, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { TimelineRow } from '#runs/events/timeline.ts';
import { RowElements } from '../../shared/table/rowElements.ts';
import type { InspectorHead } from '../inspectorMessages.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';
import type { ShownMoment } from '../moments/shownMoment.ts';
import { renderTimelineRow } from '../timelineRow.ts';
import { listVisibleRows, type VisibleRow } from '../visibleRows.ts';
import { getRunTime } from './runClock.ts';
import { renderTimeAxis } from './timeAxis.ts';

/** Height of a row in pixels, like `--row` in the style sheet. */
const rowHeight = 22;
/** Height of the axis in pixels, like `--axis` in the style sheet. */
const axisHeight = 20;
/** Number of rows rendered above and below the visible ones. */
const margin = 12;

export interface TimelineModel {
	readonly head: InspectorHead;
	readonly rows: ReadonlyMap<string, TimelineRow>;
	readonly strings: InspectorStrings;
	/** The moment that is shown; undefined for the present. */
	readonly moment?: ShownMoment;
}

interface TimelineEvents {
	onSelected(id: string): void;
	/** Called when the user moves to the details of the selected row. */
	onEntered(): void;
	/** Called to show the node with this ID in its agent file. */
	onSourceRequested(id: string): void;
	onCollapsedChanged(ids: readonly string[]): void;
}

/**
 * Shows the rows of a run as a tree grid. Only rows near the visible area have elements, so that 10,000 rows cost no more than forty. The
 * grid is one Tab stop; arrow keys move the active row, which `aria-activedescendant` names.
 */
export class TimelineView {
	/** The scrolling element. */
	readonly element: HTMLElement;
	readonly #events: TimelineEvents;
	readonly #elements = new RowElements();
	#model: TimelineModel | undefined;
	#collapsed: Set<string>;
	#query = '';
	#visible: readonly VisibleRow[] = [];
	#selected: string | undefined;
	/** Start and end of the time range of the bars, in Unix milliseconds. */
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
		this.element.addEventListener('keydown', event => this.#onKeyDown(event));
		this.element.addEventListener('scroll', () => this.#scheduleRender());
		new ResizeObserver(() => this.#scheduleRender()).observe(this.element);
	}

	/** Number of rows after search and collapsing. */
	get count(): number {
		return this.#visible.length;
	}

	get selected(): string | undefined {
		return this.#selected;
	}

	/** @param rowsChanged false if only time has passed */
	updateRows(model: TimelineModel, rowsChanged: boolean): void {
		const { scrollTop, scrollHeight, clientHeight } = this.element;
		const atEnd = scrollTop + clientHeight >= scrollHeight - 1;
		this.#model = model;
		if (rowsChanged) {
			this.#updateVisibleRows();
		}
		this.#updateRange(model);
		this.#render();
		if (rowsChanged && atEnd && model.head.live) {
			// keep following the end of a running run
			this.element.scrollTop = this.element.scrollHeight;
		}
	}

	searchRows(query: string): void {
		this.#query = query;
		this.#updateVisibleRows();
		this.element.scrollTop = 0;
		this.#render();
	}

	selectRow(id: string, scroll = true): void {
		this.#selected = id;
		if (scroll) {
			this.#scrollToRow(this.#visible.findIndex(({ row }) => row.id === id));
		}
		this.#render();
		this.#events.onSelected(id);
	}

	/** Clears the timeline for another run. */
	clear(): void {
		this.#query = '';
		this.#collapsed.clear();
		this.#selected = undefined;
	}

	#updateVisibleRows(): void {
		this.#visible = this.#model ? listVisibleRows(this.#model.rows.values(), this.#collapsed, this.#query) : [];
	}

	#updateRange({ head, rows: shown, moment }: TimelineModel): void {
		// bars stay where they are while the user moves through the run
		const rows = moment?.presentRows ?? shown;
		// time before the first event doesn't belong to any node
		let from = rows.size === 0 ? head.startedAt : Number.POSITIVE_INFINITY;
		let to = (moment ? undefined : getRunTime({ head })) ?? Number.NEGATIVE_INFINITY;
		for (const { start, end } of rows.values()) {
			from = Math.min(from, start);
			to = Math.max(to, end ?? start);
		}
		this.#from = from;
		this.#to = Math.max(to, from + 1);
	}

	#scheduleRender(): void {
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
		const shown = this.#elements.assign({ from: first, to: Math.min(last, this.#visible.length) });
		const active = shown.find(({ place }) => this.#visible[place]!.row.id === this.#selected);
		this.element.setAttribute('aria-label', model.strings.timeline);
		this.element.setAttribute('aria-rowcount', String(this.#visible.length));
		if (active) {
			this.element.setAttribute('aria-activedescendant', `row-${active.place}`);
		} else {
			this.element.removeAttribute('aria-activedescendant');
		}
		render(
			html`${renderTimeAxis(this.#to - this.#from, model.strings, model.moment && model.moment.at - this.#from)}<div class="rows" role="rowgroup" style="height: ${this.#visible.length * rowHeight}px">
				${repeat(
					shown,
					({ key }) => key,
					({ place }) => {
						const visible = this.#visible[place]!;
						return renderTimelineRow(visible, {
							place,
							top: place * rowHeight,
							from: this.#from,
							to: this.#to,
							isSelected: visible.row.id === this.#selected,
							model,
							select: () => this.selectRow(visible.row.id, false),
							toggle: () => this.#toggleRow(visible.row.id, !visible.expanded),
							goToSource: this.#events.onSourceRequested,
						});
					},
				)}
			</div>`,
			this.element,
		);
	}

	#onKeyDown(event: KeyboardEvent): void {
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
			this.#selectRowAt(Math.min(to, this.#visible.length - 1));
		} else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
			this.#expandOrCollapse(event.key === 'ArrowRight', place);
		} else if (event.key === 'Enter' && place >= 0) {
			this.#events.onEntered();
		} else {
			return;
		}
		event.preventDefault();
	}

	/** Right expands a row or selects its first child; left collapses it or selects its parent. */
	#expandOrCollapse(right: boolean, place: number): void {
		const at = this.#visible[place];
		if (!at) {
			return;
		}
		if (right && at.expandable) {
			if (at.expanded) {
				this.#selectRowAt(place + 1);
			} else {
				this.#toggleRow(at.row.id, true);
			}
		} else if (!right && at.expandable && at.expanded && this.#query === '') {
			this.#toggleRow(at.row.id, false);
		} else if (!right && at.level > 1) {
			this.#selectRowAt(this.#visible.findLastIndex(({ level }, before) => before < place && level < at.level));
		}
	}

	#selectRowAt(place: number): void {
		const at = this.#visible[place];
		if (at) {
			this.selectRow(at.row.id);
		}
	}

	#toggleRow(id: string, expand: boolean): void {
		if (expand) {
			this.#collapsed.delete(id);
		} else {
			this.#collapsed.add(id);
		}
		this.#events.onCollapsedChanged([...this.#collapsed]);
		this.#updateVisibleRows();
		this.#render();
	}

	#scrollToRow(place: number): void {
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
