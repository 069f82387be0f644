import { html, nothing, render } from 'lit';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { Host } from '../shared/host.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { emptyView } from './emptyView.ts';
import { filterBar } from './filterBar.ts';
import { headerView } from './headerView.ts';
import { histogramView } from './histogramView.ts';
import type { LogsFilter, LogsSort } from './logsFilter.ts';
import type { FromLogs, FromLogsHost, Histogram, LogsHead, LogsState, RunPreview } from './logsProtocol.ts';
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

/** Letters that are typed within this time, in milliseconds, are asked for together. */
const typingMs = 300;
/** Previews that the page has at most. */
const mostPreviews = 5000;
const noFilter: LogsFilter = { range: 'any', from: '', to: '', text: '', user: '' };

/** The whole page: takes the host's messages in, and renders what they change. */
export class LogsPage {
	readonly #root: HTMLElement;
	readonly #host = new Host<FromLogs, Kept>();
	readonly #table: VirtualTable<LogEntry>;
	readonly #previews = new Map<string, RunPreview>();
	#head: LogsHead | undefined;
	#strings: LogsStrings | undefined;
	#state: LogsState | undefined;
	/** As the fields have it; the host's, but for what is being typed. */
	#filter = noFilter;
	#typing: number | undefined;
	/** What the host was asked for, until it has that: what was on its way has the filter before. */
	#asked: LogsFilter | undefined;
	#histogram: Histogram | undefined;
	/** How many entries there were when the next page was asked for. */
	#moreAskedAt = -1;
	#announcement = '';

	constructor(root: HTMLElement) {
		this.#root = root;
		this.#table = new VirtualTable({
			wanted: slice => this.#host.post({ type: 'slice', ...slice }),
			settled: ids => this.#askForPreviews(ids),
			nearEnd: () => this.#loadMore(),
			selected: () => this.#render(),
			opened: ({ id }) => this.#host.post({ type: 'act', act: 'inspect', id }),
		});
	}

	/** Listens to the host and says that the page is there. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<FromLogsHost>) => this.#receive(data));
		this.#host.post({ type: 'ready' });
	}

	#receive(message: FromLogsHost): void {
		switch (message.type) {
			case 'snapshot':
				this.#begin(message);
				break;
			case 'state':
				this.#take(message.state);
				break;
			case 'rows':
				this.#table.take(message.generation, message.from, message.rows);
				this.#render();
				break;
			case 'previews':
				this.#takePreviews(message.previews);
				break;
			case 'histogram':
				this.#histogram = message.histogram;
				this.#render();
		}
	}

	#begin({ head, state, strings }: Extract<FromLogsHost, { type: 'snapshot' }>): void {
		this.#head = head;
		this.#strings = strings;
		this.#asked = undefined;
		document.title = strings.title.replace('{0}', head.name);
		this.#host.keep({ connectionId: head.target.connectionId, agent: head.target.agent });
		this.#take(state);
		if (this.#host.state.live && !state.live) {
			this.#host.post({ type: 'live', on: true });
		}
	}

	#take(state: LogsState): void {
		const before = this.#state;
		const isOther = before !== undefined && before.generation !== state.generation;
		this.#state = state;
		if (this.#asked && isSame(this.#asked, state.filter)) {
			this.#asked = undefined;
		}
		if (this.#typing === undefined && !this.#asked) {
			this.#filter = state.filter;
		}
		this.#host.keep({ filter: state.filter, sort: state.sort, live: state.live });
		if (isOther && JSON.stringify([before.filter, before.sort]) !== JSON.stringify([state.filter, state.sort])) {
			this.#table.leave();
		}
		if (isOther || before?.loading !== state.loading) {
			this.#moreAskedAt = -1;
		}
		if (this.#strings && !state.loading && (isOther || before?.loading)) {
			this.#announcement = countText(state, this.#strings);
		}
		this.#render();
	}

	#takePreviews(previews: Readonly<Record<string, RunPreview>>): void {
		for (const [id, preview] of Object.entries(previews)) {
			this.#previews.set(id, preview);
			const [oldest] = this.#previews.size > mostPreviews ? this.#previews.keys() : [];
			if (oldest !== undefined) {
				this.#previews.delete(oldest);
			}
		}
		this.#table.renderSoon();
	}

	#askForPreviews(ids: readonly string[]): void {
		const wanted = ids.filter(id => !this.#previews.get(id)?.final);
		if (wanted.length > 0) {
			this.#host.post({ type: 'previews', ids: wanted.slice(0, 200) });
		}
	}

	/** The end of what is loaded comes near: the next page is asked for, once, where the list only grows by it. */
	#loadMore(): void {
		const { loaded, loading, hasMore, partial, problem, count } = this.#state ?? {};
		if (loaded && !loading && hasMore && !partial && !problem && this.#moreAskedAt !== count) {
			this.#moreAskedAt = count ?? -1;
			this.#host.post({ type: 'command', command: 'loadMore' });
		}
	}

	#sort(by: LogsSort['by']): void {
		const sort = this.#state?.sort;
		this.#host.post({ type: 'sort', sort: { by, descending: sort?.by === by ? !sort.descending : true } });
	}

	#change(change: Partial<LogsFilter>, typed: boolean): void {
		this.#filter = { ...this.#filter, ...change };
		clearTimeout(this.#typing);
		this.#typing = window.setTimeout(() => this.#ask(), typed ? typingMs : 0);
		this.#render();
	}

	#ask(): void {
		clearTimeout(this.#typing);
		this.#typing = undefined;
		this.#asked = this.#filter;
		this.#host.post({ type: 'filter', filter: this.#filter });
	}

	#render(): void {
		const [head, state, strings] = [this.#head, this.#state, this.#strings];
		if (!head || !state || !strings) {
			return;
		}
		const { selection, active } = this.#table;
		const post = (message: FromLogs) => this.#host.post(message);
		const several = head.target.agent === undefined;
		const model = {
			head,
			state,
			strings,
			several,
			previews: this.#previews,
			click: (place: number, event: MouseEvent) => this.#table.click(place, event),
			open: (place: number) => this.#table.open(place),
		};
		const clear = () =>
			this.#change({ ...noFilter, range: this.#filter.range, status: undefined, minSeconds: undefined, minTokens: undefined }, false);
		render(
			html`${headerView({ head, state, strings, active: active?.id, selected: selection.ids, post })}
				${filterBar({
					filter: this.#filter,
					strings,
					noErrorSearch: head.noErrorSearch,
					changed: (change, typed) => this.#change(change, typed),
					entered: () => this.#ask(),
					cleared: clear,
				})}
				${state.count > 0 ? histogramView(this.#histogram, strings) : nothing}
				${statusLine(state, strings, post)}
				<main class=${several ? 'several' : ''}>${emptyView(state, strings, { post, clear, anyTime: () => this.#change({ range: 'any' }, false) })}${this.#table.element}</main>
				<div class="forReaders" role="status" aria-live="polite">${this.#announcement}</div>`,
			this.#root,
		);
		this.#table.update(
			state,
			logTable(model, by => this.#sort(by)),
		);
	}
}

function isSame(one: LogsFilter, other: LogsFilter): boolean {
	const names = Object.keys({ ...one, ...other }) as (keyof LogsFilter)[];
	return names.every(name => one[name] === other[name]);
}
