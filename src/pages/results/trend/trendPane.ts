import { html, nothing } from 'lit';
import { createTrendLines, findTrendBreak, groupByVariant, type TrendLine } from '#suites/gate/trend.ts';
import { fill, fillCount } from '../../shared/fill.ts';
import { formatNumber } from '../../shared/format.ts';
import type { ColumnWidths } from '../../shared/table/columnLayout.ts';
import { VirtualTable } from '../../shared/table/virtualTable.ts';
import type { ResultsStrings } from '../resultsStrings.ts';
import { renderTrendChart } from './trendChart.ts';
import type { TrendView } from './trendMessages.ts';
import { createTrendTable, isInFuture, type TrendRow } from './trendTable.ts';

interface TrendActions {
	render(): void;
	/** Shows the results of a batch. */
	openBatch(id: string): void;
	resize(widths: ColumnWidths): void;
}

/** The history of a suite: a chart for each metric, and the table of entries. */
export class TrendPane {
	readonly table: VirtualTable<TrendRow>;
	readonly #actions: TrendActions;
	#trend: TrendView | undefined;
	/** Number of times that rows were created. */
	#generation = 0;
	#variants: readonly (string | undefined)[] = [];
	#variant: string | undefined;
	#lines: readonly TrendLine[] = [];
	/** Indexes of the entries that can't be compared with the one before. */
	#breaks: ReadonlySet<number> = new Set();
	/** Newest first. */
	#rows: readonly TrendRow[] = [];
	#isNotStored = false;

	constructor(actions: TrendActions) {
		this.#actions = actions;
		this.table = new VirtualTable<TrendRow>({
			// all rows are sent at once
			onWanted: () => {},
			onSelect: () => this.#onSelected(),
			onOpen: row => this.#openRow(row),
			onResize: actions.resize,
		});
	}

	/** True if the results of a batch are in the history already. */
	hasBatch(id: string | undefined): boolean {
		return this.#trend?.entries.some(({ batch }) => batch !== undefined && batch === id) ?? false;
	}

	/** Name of the history file. */
	get file(): string {
		return this.#trend?.file ?? '';
	}

	applyTrend(trend: TrendView): void {
		this.#trend = trend;
		this.#showVariant(this.#variant);
	}

	#showVariant(variant: string | undefined): void {
		const groups = groupByVariant(this.#trend?.entries ?? []);
		this.#variants = [...groups.keys()];
		this.#variant = groups.has(variant) ? variant : this.#variants[0];
		const entries = groups.get(this.#variant) ?? [];
		this.#lines = createTrendLines(entries);
		const seen = new Map<string, number>();
		const rows = entries.map((entry, at) => {
			// entries of two computers can have the same time
			const count = seen.get(entry.at) ?? 0;
			seen.set(entry.at, count + 1);
			return { id: `${entry.at} ${count}`, at, entry, changed: findTrendBreak(entries, at) };
		});
		this.#breaks = new Set(rows.flatMap(({ at, changed }) => (changed ? [at] : [])));
		this.#rows = rows.reverse();
		this.#generation++;
		this.#actions.render();
	}

	#onSelected(): void {
		this.#isNotStored = false;
		this.#actions.render();
	}

	#openRow({ entry }: TrendRow): void {
		this.#isNotStored = entry.batch === undefined;
		if (entry.batch !== undefined) {
			this.#actions.openBatch(entry.batch);
		}
		this.#actions.render();
	}

	/** Renders what isn't shown, and why. */
	renderStatus(strings: ResultsStrings): unknown {
		const { trend } = strings;
		const { entries = [], count = 0, damaged = 0, problem } = this.#trend ?? {};
		const future = entries.filter(isInFuture).length;
		const damagedText = damaged === 1 ? trend.damaged.one : trend.damaged.many;
		return html`<div class="statusLine">
			${count === 0 ? nothing : html`<span class="count">${count > entries.length ? fill(trend.cut, formatNumber(entries.length), formatNumber(count)) : fillCount(trend.count, count)}</span>`}
			${damaged > 0 ? renderWarning(fill(damagedText, formatNumber(damaged), this.file)) : nothing}
			${future > 0 ? renderWarning(fillCount(trend.future, future)) : nothing}
			${this.#isNotStored ? html`<span role="status">${trend.notStored}</span>` : nothing}
			${problem === undefined ? nothing : html`<span class="problem" role="alert"><span class="codicon codicon-error" aria-hidden="true"></span>${problem}</span>`}
		</div>`;
	}

	renderMain(strings: ResultsStrings): unknown {
		const { trend } = strings;
		if (this.#rows.length === 0) {
			const [before, after] = trend.empty.split('{0}');
			const isEmpty = this.#trend !== undefined && this.#trend.problem === undefined;
			return html`<main>${isEmpty ? html`<p class="empty">${before}<code>agent-workbench test --history</code>${after}</p>` : nothing}</main>`;
		}
		const selected = this.table.active?.at;
		return html`<main>
			${this.#variants.length > 1 ? this.#renderVariants(trend) : nothing}
			<section class="charts" tabindex="0" aria-label=${trend.charts}>${this.#lines.map(line => renderTrendChart({ line, breaks: this.#breaks, selected, strings }))}</section>
			${this.table.element}
		</main>`;
	}

	#renderVariants(trend: ResultsStrings['trend']): unknown {
		return html`<div class="variants"><label for="variant">${trend.variant}</label> <select
			id="variant"
			@change=${(event: Event) => {
				this.table.clear();
				this.#showVariant(this.#variants[(event.target as HTMLSelectElement).selectedIndex]);
			}}
		>${this.#variants.map(name => html`<option ?selected=${name === this.#variant}>${name ?? trend.noVariant}</option>`)}</select></div>`;
	}

	/** Updates the table after a render. */
	updateTable(strings: ResultsStrings): void {
		const rows = this.#rows;
		this.table.applyState({ generation: this.#generation, count: rows.length, added: 0 }, createTrendTable(strings), { from: 0, rows });
	}
}

function renderWarning(text: string): unknown {
	return html`<span class="warning"><span class="codicon codicon-warning" aria-hidden="true"></span>${text}</span>`;
}
