import { html, nothing, render } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LogEntry, LogsHead, LogsState } from '../../logs/logsProtocol.ts';
import type { LogsStrings } from '../../logs/logsStrings.ts';
import { logRow, type RowModel } from './logRow.ts';
import { RowCache } from './rowCache.ts';
import { Selection } from './selection.ts';

/** In pixels, as in logs.css. */
const rowHeight = 22;
const headHeight = 24;
/** Rows drawn above and below those in sight. */
const margin = 8;
/** Rows that are passed by while one scrolls get no preview. */
const settledMs = 80;
/** Screens before the end at which the next page is asked for. */
const screensAhead = 3;

/** Whom the table tells. */
export interface TableEvents {
	/** Rows are to be sent. */
	wanted(slice: { readonly from: number; readonly to: number }): void;
	/** These rows stay in sight. */
	settled(ids: readonly string[]): void;
	/** The end comes near. */
	nearEnd(): void;
	/** Another row is active, or others are selected. */
	selected(): void;
	opened(entry: LogEntry): void;
	sort(by: 'time' | 'duration' | 'tokens'): void;
}

export type TableModel = RowModel & { readonly head: LogsHead; readonly state: LogsState; readonly strings: LogsStrings };

/**
 * Runs as a grid. Only rows near what is in sight are elements, and only rows around them are in the page. One stop of the Tab key; the arrow keys move the
 * active row, which the grid names by `aria-activedescendant`.
 */
export class LogTable {
	/** The scrolling element. */
	readonly element = document.createElement('div');
	readonly rows = new RowCache();
	readonly selection = new Selection();
	readonly #events: TableEvents;
	#model: TableModel | undefined;
	#frame: number | undefined;
	#settling: number | undefined;

	constructor(events: TableEvents) {
		this.#events = events;
		this.element.className = 'grid';
		this.element.tabIndex = 0;
		this.element.setAttribute('role', 'grid');
		this.element.setAttribute('aria-multiselectable', 'true');
		this.element.addEventListener('keydown', event => this.#key(event));
		this.element.addEventListener('scroll', () => this.renderSoon());
		new ResizeObserver(() => this.renderSoon()).observe(this.element);
	}

	/** The entry that the keyboard is on. */
	get active(): LogEntry | undefined {
		return this.rows.at(this.selection.place);
	}

	/** Shows this. Where rows came to the top, those in sight stay in sight. */
	update(model: TableModel): void {
		const { generation, count, added } = model.state;
		const isOther = generation !== this.#model?.state.generation;
		this.#model = model;
		this.rows.begin(generation, count);
		this.selection.renew(this.rows);
		if (isOther && added > 0 && this.element.scrollTop > 0) {
			this.#render();
			this.element.scrollTop += added * rowHeight;
		}
		this.#render();
	}

	take(generation: number, from: number, rows: readonly LogEntry[]): void {
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
		const model = this.#model;
		if (!model) {
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
			this.#events.nearEnd();
		}
		const places = Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
		const { place } = this.selection;
		this.element.setAttribute('aria-label', model.strings.list);
		this.element.setAttribute('aria-rowcount', String(count + 1));
		this.#describeActive(place >= from && place < to, model);
		render(
			html`${this.#head(model)}<div class="rows" role="rowgroup" style="height: ${count * rowHeight}px">
				${repeat(
					places,
					each => each,
					each =>
						logRow(this.rows.at(each), {
							place: each,
							top: each * rowHeight,
							isActive: each === place,
							isSelected: this.#isSelected(each),
							model,
						}),
				)}
			</div>`,
			this.element,
		);
		clearTimeout(this.#settling);
		this.#settling = window.setTimeout(() => this.#settled(), settledMs);
	}

	/** The active row for readers, and for VS Code's own menu, which takes what it is called on from here. */
	#describeActive(isDrawn: boolean, { head }: TableModel): void {
		if (isDrawn) {
			this.element.setAttribute('aria-activedescendant', `row-${this.selection.place}`);
		} else {
			this.element.removeAttribute('aria-activedescendant');
		}
		const { active } = this;
		const { connectionId } = head.target;
		const run = active && { webviewSection: 'run', connectionId, agentName: active.agent, runId: active.runId };
		this.element.dataset['vscodeContext'] = JSON.stringify({ preventDefaultContextMenuItems: true, ...run });
	}

	#head({ strings, state: { sort }, several }: TableModel): unknown {
		const sortable = (by: 'time' | 'duration' | 'tokens', label: string, css: string) => html`<div
			role="columnheader"
			class=${css}
			aria-sort=${sort.by === by ? (sort.descending ? 'descending' : 'ascending') : 'none'}
		><button type="button" class="columnButton" @click=${() => this.#events.sort(by)}>${label}<span
			class="codicon ${sort.by === by ? `codicon-arrow-${sort.descending ? 'down' : 'up'}` : ''}"
			aria-hidden="true"
		></span></button></div>`;
		const plain = (label: string, css = '') => html`<div role="columnheader" class=${css}>${label}</div>`;
		return html`<div role="rowgroup" class="tableHead"><div role="row" class="logRow headRow" aria-rowindex="1">
			${sortable('time', strings.time, '')}
			${plain(strings.status)}
			${several ? plain(strings.agent) : nothing}
			${plain(strings.user)}
			${sortable('duration', strings.duration, 'figure')}
			${sortable('tokens', strings.tokens, 'figure')}
			${plain(strings.inputs)}
			${plain(strings.outcome)}
		</div></div>`;
	}

	#isSelected(place: number): boolean {
		const id = this.rows.at(place)?.id;
		return id !== undefined && this.selection.has(id);
	}

	#settled(): void {
		const { scrollTop, clientHeight } = this.element;
		const [from, to] = [Math.floor(scrollTop / rowHeight), Math.ceil((scrollTop + clientHeight) / rowHeight)];
		const rows = Array.from({ length: Math.max(0, to - from) }, (_, index) => this.rows.at(from + index));
		this.#events.settled(rows.flatMap(row => (row ? [row.id] : [])));
	}

	/** A row was clicked: with Ctrl or the command key it comes to those that are selected, or leaves them. */
	click(place: number, event: MouseEvent): void {
		if (event.type === 'contextmenu' && this.#isSelected(place)) {
			this.selection.go(place, this.rows, true);
		} else if (event.ctrlKey || event.metaKey) {
			this.selection.toggle(place, this.rows);
		} else {
			this.selection.go(place, this.rows, event.shiftKey);
		}
		this.#changed();
	}

	open(place: number): void {
		const entry = this.rows.at(place);
		if (entry) {
			this.#events.opened(entry);
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
			this.selection.go(to, this.rows, event.shiftKey);
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
