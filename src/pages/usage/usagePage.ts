import { html, nothing, render } from 'lit';
import type { TextCallBodies, TextCallEntry } from '#contract/text/textCalls.ts';
import { fill } from '../shared/fill.ts';
import { Host } from '../shared/host.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { callDetails, callsFilterBar, callsTable } from './callsView.ts';
import { sizeText } from './figures.ts';
import { sumsView } from './sumsView.ts';
import type { CallsFilter, FromUsage, FromUsageHost, UsageState, UsageView } from './usageProtocol.ts';
import type { UsageStrings } from './usageStrings.ts';

/** Letters that are typed within this time, in milliseconds, are asked for together. */
const typingMs = 300;

/** The whole page: takes the host's messages in, and renders what they change. */
export class UsagePage {
	readonly #root: HTMLElement;
	readonly #host = new Host<FromUsage, { view: UsageView }>();
	readonly #table: VirtualTable<TextCallEntry>;
	#strings: UsageStrings | undefined;
	#state: UsageState | undefined;
	/** As the fields have it; the host's, but for what is being typed. */
	#filter: CallsFilter = { model: '', agent: '', status: '' };
	#typing: number | undefined;
	#opened: { readonly call: TextCallEntry; readonly bodies: TextCallBodies } | undefined;
	#moreAskedAt = -1;

	constructor(root: HTMLElement) {
		this.#root = root;
		this.#table = new VirtualTable({
			wanted: slice => this.#host.post({ type: 'slice', ...slice }),
			settled: () => {},
			nearEnd: () => this.#loadMore(),
			selected: () => this.#render(),
			opened: ({ id }) => this.#host.post({ type: 'open', id }),
		});
	}

	/** Listens to the host and says that the page is there. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<FromUsageHost>) => this.#receive(data));
		this.#host.post({ type: 'ready' });
	}

	#receive(message: FromUsageHost): void {
		switch (message.type) {
			case 'snapshot':
				this.#strings = message.strings;
				this.#take(message.state);
				break;
			case 'state':
				this.#take(message.state);
				break;
			case 'rows':
				this.#table.take(message.generation, message.from, message.rows);
				this.#render();
				break;
			case 'call':
				this.#opened = message;
				this.#render();
		}
	}

	#take(state: UsageState): void {
		this.#state = state;
		if (this.#typing === undefined) {
			this.#filter = state.filter;
		}
		this.#host.keep({ view: state.view });
		this.#render();
	}

	/** The end of what is loaded comes near: the next page is asked for, once. */
	#loadMore(): void {
		const { loading, hasMore, problem, count } = this.#state ?? {};
		if (hasMore && !loading && problem === undefined && this.#moreAskedAt !== count) {
			this.#moreAskedAt = count ?? -1;
			this.#host.post({ type: 'command', command: 'loadMore' });
		}
	}

	#change(change: Partial<CallsFilter>, typed: boolean): void {
		this.#filter = { ...this.#filter, ...change };
		clearTimeout(this.#typing);
		this.#typing = window.setTimeout(
			() => {
				this.#typing = undefined;
				this.#moreAskedAt = -1;
				this.#table.leave();
				this.#host.post({ type: 'filter', filter: this.#filter });
			},
			typed ? typingMs : 0,
		);
		this.#render();
	}

	#render(): void {
		const [state, strings] = [this.#state, this.#strings];
		if (!state || !strings) {
			return;
		}
		const isLog = state.view === 'calls';
		render(
			html`${this.#header(state, strings)}
				${isLog ? callsFilterBar(this.#filter, strings, (change, typed) => this.#change(change, typed)) : nothing}
				${this.#statusLine(state, strings)}
				<main>${isLog ? html`${this.#table.element}${this.#details(strings)}` : sumsView(state, strings, days => this.#host.post({ type: 'range', days }))}</main>`,
			this.#root,
		);
		if (isLog) {
			const actions = {
				click: (place: number, event: MouseEvent) => this.#table.click(place, event),
				open: (place: number) => this.#table.open(place),
			};
			this.#table.update({ generation: state.generation, count: state.count, added: 0 }, callsTable(strings, actions));
		}
	}

	#header({ view, cache }: UsageState, strings: UsageStrings): unknown {
		const post = (command: Extract<FromUsage, { type: 'command' }>['command']) => this.#host.post({ type: 'command', command });
		return html`<header class="top">
			<h1 class="forReaders">${strings.views[view]}</h1>
			<div class="ranges" role="radiogroup" aria-label=${strings.view}>${(['calls', 'usage'] as const).map(
				each =>
					html`<label class="chip"><input type="radio" name="view" .checked=${view === each} @change=${() => this.#host.post({ type: 'view', view: each })}><span>${strings.views[each]}</span></label>`,
			)}</div>
			<div class="actions">
				${
					cache && cache.entries > 0
						? html`<span class="dim">${fill(strings.cache, cache.entries.toLocaleString(), sizeText(cache.bytes))}</span>
							<button type="button" class="wordButton" @click=${() => post('clearCache')}>${strings.clearCache}</button>`
						: nothing
				}
				<button type="button" class="iconButton" title=${strings.refresh} aria-label=${strings.refresh} @click=${() => post('refresh')}><span class="codicon codicon-refresh" aria-hidden="true"></span></button>
			</div>
		</header>`;
	}

	#statusLine({ view, problem, loading, count, hasMore }: UsageState, strings: UsageStrings): unknown {
		const few = hasMore ? undefined : [strings.noCalls, strings.one][count];
		const counted = view === 'calls' && !loading ? (few ?? fill(strings.count, `${count.toLocaleString()}${hasMore ? '+' : ''}`)) : '';
		return html`<div class="statusLine" role="status">
			${loading ? html`<span class="dim">${strings.loading}</span>` : counted}
			${hasMore && view === 'calls' && !loading ? html`<button type="button" class="linkButton" @click=${() => this.#host.post({ type: 'command', command: 'loadMore' })}>${strings.more}</button>` : nothing}
			${problem === undefined ? nothing : html`<span class="problem" role="alert">${problem}</span>`}
		</div>`;
	}

	#details(strings: UsageStrings): unknown {
		const opened = this.#opened;
		return opened
			? callDetails(opened, strings, {
					inspect: () => this.#host.post({ type: 'inspect', id: opened.call.id }),
					close: () => {
						this.#opened = undefined;
						this.#render();
						this.#table.element.focus();
					},
				})
			: nothing;
	}
}
