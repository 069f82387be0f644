import { html, nothing } from 'lit';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { TypedFilter } from '../shared/typedFilter.ts';
import { renderEmptyLogs } from './emptyView.ts';
import { renderLogsFilter } from './filterBar.ts';
import { renderLogsHeader } from './headerView.ts';
import { renderHistogram } from './histogramView.ts';
import type { LogsFilter, LogsSort } from './logsFilter.ts';
import type { FromLogs, FromLogsHost, Histogram, LogsHead, LogsState, RunPreview } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';
import { createLogTable } from './logTable.ts';
import { formatRunCount, renderLogsStatus } from './statusLine.ts';

/** Read by the host when it restores the panel, and by the page after it was hidden. */
interface Kept {
	connectionId: string;
	agent: string | undefined;
	filter: LogsFilter;
	sort: LogsSort;
	live: boolean;
}

/** Maximum number of cached previews. */
const mostPreviews = 5000;

export class LogsPage extends Page<FromLogsHost, FromLogs, Kept> {
	readonly #table = new VirtualTable<LogEntry>({
		onWanted: slice => this.postMessage({ type: 'slice', ...slice }),
		onSettled: ids => this.#requestPreviews(ids),
		onNearEnd: () => this.#loadMore(),
		onSelect: () => this.render(),
		onOpen: ({ id }) => this.postMessage({ type: 'act', act: 'inspect', id }),
		onResize: widths => this.postMessage({ type: 'widths', widths }),
	});
	readonly #filter = new TypedFilter<LogsFilter>(filter => this.postMessage({ type: 'filter', filter }));
	readonly #previews = new Map<string, RunPreview>();
	#head: LogsHead | undefined;
	#strings: LogsStrings | undefined;
	#state: LogsState | undefined;
	#histogram: Histogram | undefined;
	/** Number of entries when the next page was last requested, so that each page is requested only once. */
	#moreAskedAt = -1;

	protected override readonly handlers: Handlers<FromLogsHost> = {
		snapshot: message => this.#onSnapshot(message),
		state: message => this.#onState(message.state, false),
		rows: message => {
			this.#table.addRows(message.generation, message.from, message.rows);
			this.render();
		},
		previews: message => this.#storePreviews(message.previews),
		histogram: message => {
			this.#histogram = message.histogram;
			this.render();
		},
	};

	#onSnapshot({ head, state, strings, widths }: Extract<FromLogsHost, { type: 'snapshot' }>): void {
		this.#head = head;
		this.#strings = strings;
		this.#table.widths = widths;
		document.title = strings.title.replace('{0}', head.name);
		this.host.saveFields({ connectionId: head.target.connectionId, agent: head.target.agent });
		this.#onState(state, true);
		if (this.host.state.live && !state.live) {
			this.postMessage({ type: 'live', on: true });
		}
	}

	#onState(state: LogsState, isWhole: boolean): void {
		const before = this.#state;
		const isOther = before !== undefined && before.generation !== state.generation;
		this.#state = state;
		this.#filter.acceptFilter(state.filter, isWhole);
		this.host.saveFields({ filter: state.filter, sort: state.sort, live: state.live });
		if (isOther && JSON.stringify([before.filter, before.sort]) !== JSON.stringify([state.filter, state.sort])) {
			this.#table.clear();
		}
		if (isOther || before?.loading !== state.loading) {
			this.#moreAskedAt = -1;
		}
		if (this.#strings && !state.loading && (isOther || before?.loading)) {
			this.announcement = formatRunCount(state, this.#strings);
		}
		this.render();
	}

	#storePreviews(previews: Readonly<Record<string, RunPreview>>): void {
		for (const [id, preview] of Object.entries(previews)) {
			this.#previews.set(id, preview);
			const [oldest] = this.#previews.size > mostPreviews ? this.#previews.keys() : [];
			if (oldest !== undefined) {
				this.#previews.delete(oldest);
			}
		}
		this.#table.scheduleRender();
	}

	#requestPreviews(ids: readonly string[]): void {
		const wanted = ids.filter(id => !this.#previews.get(id)?.final);
		if (wanted.length > 0) {
			this.postMessage({ type: 'previews', ids: wanted.slice(0, 200) });
		}
	}

	/** Requests the next page once, unless local filters or sorting would move rows. */
	#loadMore(): void {
		const { loaded, loading, hasMore, partial, problem, count } = this.#state ?? {};
		if (loaded && !loading && hasMore && !partial && !problem && this.#moreAskedAt !== count) {
			this.#moreAskedAt = count ?? -1;
			this.postMessage({ type: 'command', command: 'loadMore' });
		}
	}

	#toggleSort(by: LogsSort['by']): void {
		const sort = this.#state?.sort;
		this.postMessage({ type: 'sort', sort: { by, descending: sort?.by === by ? !sort.descending : true } });
	}

	#changeFilter(change: Partial<LogsFilter>, typed: boolean): void {
		this.#filter.changeFields(change, typed);
		this.render();
	}

	#clearFilter(): void {
		this.#changeFilter({ text: '', user: '', from: '', to: '', status: undefined, minSeconds: undefined, minTokens: undefined }, false);
	}

	protected override renderPage(): unknown {
		const [head, state, strings, filter] = [this.#head, this.#state, this.#strings, this.#filter.value];
		if (!head || !state || !strings || !filter) {
			return undefined;
		}
		const { selection, active } = this.#table;
		const post = (message: FromLogs) => this.postMessage(message);
		const clear = () => this.#clearFilter();
		return html`${renderLogsHeader({ head, state, strings, active: active?.id, selected: selection.ids, post })}
			${renderLogsFilter({
				filter,
				strings,
				noErrorSearch: head.noErrorSearch,
				onChange: (change, typed) => this.#changeFilter(change, typed),
				onEnter: () => this.#filter.sendFilter(),
				onClear: clear,
			})}
			${state.count > 0 ? renderHistogram(this.#histogram, strings) : nothing}
			${renderLogsStatus(state, strings, post)}
			<main>${renderEmptyLogs(state, strings, { post, clear, clearTime: () => this.#changeFilter({ range: 'any' }, false) })}${this.#table.element}</main>
			${this.renderAnnouncer()}`;
	}

	protected override onRendered(): void {
		const [head, state, strings] = [this.#head, this.#state, this.#strings];
		if (head && state && strings) {
			this.#table.applyState(state, createLogTable({ head, state, strings, previews: this.#previews, onSort: by => this.#toggleSort(by) }));
		}
	}
}
