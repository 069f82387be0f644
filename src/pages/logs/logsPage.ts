import { html, nothing } from 'lit';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { TypedFilter } from '../shared/typedFilter.ts';
import { emptyView } from './emptyView.ts';
import { filterBar } from './filterBar.ts';
import { headerView } from './headerView.ts';
import { histogramView } from './histogramView.ts';
import type { LogsFilter, LogsSort } from './logsFilter.ts';
import type { FromLogs, FromLogsHost, Histogram, LogsHead, LogsState, RunPreview } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';
import { logTable } from './logTable.ts';
import { countText, statusLine } from './statusLine.ts';

/** What the host reads when the panel comes back, and what the page needs when it was hidden. */
interface Kept {
	connectionId: string;
	agent: string | undefined;
	filter: LogsFilter;
	sort: LogsSort;
	live: boolean;
}

/** Previews that the page has at most. */
const mostPreviews = 5000;

/** The page of logs. */
export class LogsPage extends Page<FromLogsHost, FromLogs, Kept> {
	readonly #table = new VirtualTable<LogEntry>({
		onWanted: slice => this.post({ type: 'slice', ...slice }),
		onSettled: ids => this.#askForPreviews(ids),
		onNearEnd: () => this.#loadMore(),
		onSelect: () => this.render(),
		onOpen: ({ id }) => this.post({ type: 'act', act: 'inspect', id }),
	});
	readonly #filter = new TypedFilter<LogsFilter>(filter => this.post({ type: 'filter', filter }));
	readonly #previews = new Map<string, RunPreview>();
	#head: LogsHead | undefined;
	#strings: LogsStrings | undefined;
	#state: LogsState | undefined;
	#histogram: Histogram | undefined;
	/** How many entries there were when the next page was asked for. */
	#moreAskedAt = -1;

	protected override readonly handlers: Handlers<FromLogsHost> = {
		snapshot: message => this.#begin(message),
		state: message => this.#accept(message.state, false),
		rows: message => {
			this.#table.addRows(message.generation, message.from, message.rows);
			this.render();
		},
		previews: message => this.#takePreviews(message.previews),
		histogram: message => {
			this.#histogram = message.histogram;
			this.render();
		},
	};

	#begin({ head, state, strings }: Extract<FromLogsHost, { type: 'snapshot' }>): void {
		this.#head = head;
		this.#strings = strings;
		document.title = strings.title.replace('{0}', head.name);
		this.host.save({ connectionId: head.target.connectionId, agent: head.target.agent });
		this.#accept(state, true);
		if (this.host.state.live && !state.live) {
			this.post({ type: 'live', on: true });
		}
	}

	#accept(state: LogsState, isWhole: boolean): void {
		const before = this.#state;
		const isOther = before !== undefined && before.generation !== state.generation;
		this.#state = state;
		this.#filter.accept(state.filter, isWhole);
		this.host.save({ filter: state.filter, sort: state.sort, live: state.live });
		if (isOther && JSON.stringify([before.filter, before.sort]) !== JSON.stringify([state.filter, state.sort])) {
			this.#table.reset();
		}
		if (isOther || before?.loading !== state.loading) {
			this.#moreAskedAt = -1;
		}
		if (this.#strings && !state.loading && (isOther || before?.loading)) {
			this.announcement = countText(state, this.#strings);
		}
		this.render();
	}

	#takePreviews(previews: Readonly<Record<string, RunPreview>>): void {
		for (const [id, preview] of Object.entries(previews)) {
			this.#previews.set(id, preview);
			const [oldest] = this.#previews.size > mostPreviews ? this.#previews.keys() : [];
			if (oldest !== undefined) {
				this.#previews.delete(oldest);
			}
		}
		this.#table.scheduleRender();
	}

	#askForPreviews(ids: readonly string[]): void {
		const wanted = ids.filter(id => !this.#previews.get(id)?.final);
		if (wanted.length > 0) {
			this.post({ type: 'previews', ids: wanted.slice(0, 200) });
		}
	}

	/** The end of what is loaded comes near: the next page is asked for, once, where the list only grows by it. */
	#loadMore(): void {
		const { loaded, loading, hasMore, partial, problem, count } = this.#state ?? {};
		if (loaded && !loading && hasMore && !partial && !problem && this.#moreAskedAt !== count) {
			this.#moreAskedAt = count ?? -1;
			this.post({ type: 'command', command: 'loadMore' });
		}
	}

	#sort(by: LogsSort['by']): void {
		const sort = this.#state?.sort;
		this.post({ type: 'sort', sort: { by, descending: sort?.by === by ? !sort.descending : true } });
	}

	#change(change: Partial<LogsFilter>, typed: boolean): void {
		this.#filter.change(change, typed);
		this.render();
	}

	#clear(): void {
		this.#change({ text: '', user: '', from: '', to: '', status: undefined, minSeconds: undefined, minTokens: undefined }, false);
	}

	protected override renderPage(): unknown {
		const [head, state, strings, filter] = [this.#head, this.#state, this.#strings, this.#filter.value];
		if (!head || !state || !strings || !filter) {
			return undefined;
		}
		const { selection, active } = this.#table;
		const post = (message: FromLogs) => this.post(message);
		const clear = () => this.#clear();
		return html`${headerView({ head, state, strings, active: active?.id, selected: selection.ids, post })}
			${filterBar({
				filter,
				strings,
				noErrorSearch: head.noErrorSearch,
				changed: (change, typed) => this.#change(change, typed),
				entered: () => this.#filter.send(),
				cleared: clear,
			})}
			${state.count > 0 ? histogramView(this.#histogram, strings) : nothing}
			${statusLine(state, strings, post)}
			<main class=${head.target.agent === undefined ? 'several' : ''}>${emptyView(state, strings, { post, clear, anyTime: () => this.#change({ range: 'any' }, false) })}${this.#table.element}</main>
			${this.renderAnnouncer()}`;
	}

	protected override onRendered(): void {
		const [head, state, strings] = [this.#head, this.#state, this.#strings];
		if (head && state && strings) {
			this.#table.update(state, logTable({ head, state, strings, previews: this.#previews, sorted: by => this.#sort(by) }));
		}
	}
}
