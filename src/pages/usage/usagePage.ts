import { html, nothing } from 'lit';
import type { TextCallBodies, TextCallEntry } from '#contract/text/textCalls.ts';
import { fill } from '../shared/fill.ts';
import { formatNumber, formatSize } from '../shared/format.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import type { ColumnWidths } from '../shared/table/columnLayout.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { TypedFilter } from '../shared/typedFilter.ts';
import { createCallsTable, renderCallDetails, renderCallsFilter } from './callsView.ts';
import { createSumRows, createSumsTable, renderSumsFilter, type SumRow } from './sumsView.ts';
import type { CallsFilter, FromUsage, FromUsageHost, UsageState, UsageView } from './usageMessages.ts';
import type { UsageStrings } from './usageStrings.ts';

export class UsagePage extends Page<FromUsageHost, FromUsage, { view: UsageView }> {
	readonly #table = new VirtualTable<TextCallEntry>({
		onWanted: slice => this.postMessage({ type: 'slice', ...slice }),
		onNearEnd: () => this.#loadMore(),
		onSelect: () => this.render(),
		onOpen: ({ id }) => this.postMessage({ type: 'open', id }),
		onResize: widths => this.#onResize(widths),
	});
	readonly #sumsTable = new VirtualTable<SumRow>({
		// all rows are sent with the state
		onWanted: () => {},
		onSelect: () => {},
		onOpen: row => this.#openCallsOf(row),
		onResize: widths => this.#onResize(widths),
	});
	/** Number of times that sums have arrived. */
	#sumsGeneration = 0;
	readonly #filter = new TypedFilter<CallsFilter>(filter => {
		this.#moreAskedAt = -1;
		this.#table.clear();
		this.postMessage({ type: 'filter', filter });
	});
	#strings: UsageStrings | undefined;
	#state: UsageState | undefined;
	#opened: { readonly call: TextCallEntry; readonly bodies: TextCallBodies } | undefined;
	#moreAskedAt = -1;

	protected override readonly handlers: Handlers<FromUsageHost> = {
		snapshot: message => {
			this.#strings = message.strings;
			this.#onResize(message.widths, false);
			this.#onState(message.state, true);
			const { element } = message.state.view === 'calls' ? this.#table : this.#sumsTable;
			if (document.hasFocus() && document.activeElement === document.body) {
				element.focus();
			}
		},
		state: message => this.#onState(message.state, false),
		rows: message => {
			this.#table.addRows(message.generation, message.from, message.rows);
			this.render();
		},
		call: message => {
			this.#opened = message;
			this.render();
		},
	};

	#onState(state: UsageState, isWhole: boolean): void {
		this.#sumsGeneration += Number(state.sums !== undefined);
		this.#state = state;
		this.#filter.acceptFilter(state.filter, isWhole);
		this.host.saveFields({ view: state.view });
		this.render();
	}

	#onResize(widths: ColumnWidths, byUser = true): void {
		this.#table.widths = widths;
		this.#sumsTable.widths = widths;
		if (byUser) {
			this.postMessage({ type: 'widths', widths });
		}
	}

	/** Shows the calls of a model or agent in the request log. */
	#openCallsOf(row: SumRow): void {
		const [group, name] = row.kind === 'sum' ? [row.id.split(' ')[0], row.entry.name] : [];
		if (name && (group === 'model' || group === 'agent')) {
			this.#changeFilter({ text: '', model: '', agent: '', status: '', range: 'any', [group]: name }, false);
			this.postMessage({ type: 'view', view: 'calls' });
		}
	}

	/** Requests the next page once. */
	#loadMore(): void {
		const { loading, hasMore, problem, count } = this.#state ?? {};
		if (hasMore && !loading && problem === undefined && this.#moreAskedAt !== count) {
			this.#moreAskedAt = count ?? -1;
			this.postMessage({ type: 'command', command: 'loadMore' });
		}
	}

	#changeFilter(change: Partial<CallsFilter>, typed: boolean): void {
		this.#filter.changeFields(change, typed);
		this.render();
	}

	protected override renderPage(): unknown {
		const [state, strings, filter] = [this.#state, this.#strings, this.#filter.value];
		if (!state || !strings || !filter) {
			return undefined;
		}
		const isLog = state.view === 'calls';
		return html`${this.#renderHeader(state, strings)}
			${isLog ? renderCallsFilter(filter, strings, (change, typed) => this.#changeFilter(change, typed)) : renderSumsFilter(state, strings, days => this.postMessage({ type: 'range', days }))}
			${this.#renderStatusLine(state, strings)}
			<main>${isLog ? html`${this.#table.element}${this.#renderDetails(strings)}` : this.#sumsTable.element}</main>`;
	}

	protected override onRendered(): void {
		const [state, strings] = [this.#state, this.#strings];
		if (state && strings && state.view === 'calls') {
			this.#table.applyState({ ...state, added: 0 }, createCallsTable(strings));
		} else if (state && strings && this.#sumsGeneration > 0) {
			const rows = state.sums ? createSumRows(state.sums, strings) : [];
			const place = { generation: this.#sumsGeneration, count: rows.length, added: 0 };
			this.#sumsTable.applyState(place, createSumsTable(strings), { from: 0, rows });
		}
	}

	#renderHeader({ view, cache }: UsageState, strings: UsageStrings): unknown {
		const post = (command: Extract<FromUsage, { type: 'command' }>['command']) => this.postMessage({ type: 'command', command });
		return html`<header class="top">
			<h1 class="forReaders">${strings.views[view]}</h1>
			<div class="ranges" role="radiogroup" aria-label=${strings.view}>${(['calls', 'usage'] as const).map(
				each =>
					html`<label class="chip"><input type="radio" name="view" .checked=${view === each} @change=${() => this.postMessage({ type: 'view', view: each })}><span>${strings.views[each]}</span></label>`,
			)}</div>
			<div class="actions">
				${
					cache && cache.entries > 0
						? html`<span class="dim">${fill(strings.cache, formatNumber(cache.entries), formatSize(cache.bytes))}</span>
							<button type="button" class="wordButton" @click=${() => post('clearCache')}>${strings.clearCache}</button>`
						: nothing
				}
				<button type="button" class="iconButton" title=${strings.refresh} aria-label=${strings.refresh} @click=${() => post('refresh')}><span class="codicon codicon-refresh" aria-hidden="true"></span></button>
			</div>
		</header>`;
	}

	#renderStatusLine({ view, problem, loading, count, hasMore }: UsageState, strings: UsageStrings): unknown {
		const fewLabel = hasMore ? undefined : [strings.noCalls, strings.one][count];
		const countLabel = view === 'calls' && !loading ? (fewLabel ?? fill(strings.count, `${formatNumber(count)}${hasMore ? '+' : ''}`)) : '';
		return html`<div class="statusLine" role="status">
			${loading ? html`<span class="dim">${strings.loading}</span>` : countLabel}
			${hasMore && view === 'calls' && !loading ? html`<button type="button" class="linkButton" @click=${() => this.postMessage({ type: 'command', command: 'loadMore' })}>${strings.more}</button>` : nothing}
			${problem === undefined ? nothing : html`<span class="problem" role="alert">${problem}</span>`}
			<span class="dim">${strings.callsHint}</span>
		</div>`;
	}

	#renderDetails(strings: UsageStrings): unknown {
		const opened = this.#opened;
		return opened
			? renderCallDetails(opened, strings, {
					inspect: () => this.postMessage({ type: 'inspect', id: opened.call.id }),
					close: () => {
						this.#opened = undefined;
						this.render();
						this.#table.element.focus();
					},
				})
			: nothing;
	}
}
