import { html, nothing, render } from 'lit';
import { Host } from '../shared/host.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { caseView } from './caseView.ts';
import { filterBar } from './filterBar.ts';
import { headerView, statusLine } from './headerView.ts';
import type { Listing } from './resultsMessages.ts';
import type { CaseView, FromResults, FromResultsHost, ResultRow, ResultsState } from './resultsProtocol.ts';
import type { ResultsStrings } from './resultsStrings.ts';
import { resultsTable } from './resultsTable.ts';

/** What the host reads when the panel comes back. */
interface Kept {
	suite: string;
	batch: string | undefined;
	listing: Listing;
}

/** Letters that are typed within this time, in milliseconds, are asked for together. */
const typingMs = 300;

/** The whole page: takes the host's messages in, and renders what they change. */
export class ResultsPage {
	readonly #root: HTMLElement;
	readonly #host = new Host<FromResults, Kept>();
	readonly #table: VirtualTable<ResultRow>;
	#name = '';
	#strings: ResultsStrings | undefined;
	#state: ResultsState | undefined;
	/** As the fields have it; the host's, but for what is being typed. */
	#listing: Listing | undefined;
	#typing: number | undefined;
	#case: CaseView | undefined;
	/** The case that was asked for. */
	#caseId: string | undefined;
	#announcement = '';

	constructor(root: HTMLElement) {
		this.#root = root;
		this.#table = new VirtualTable({
			wanted: slice => this.#host.post({ type: 'slice', ...slice }),
			settled: () => {},
			nearEnd: () => {},
			selected: () => this.#select(),
			opened: row => this.#host.post(row.kind === 'case' ? { type: 'act', act: 'goToRun', id: row.id } : { type: 'fold', group: row.text }),
		});
	}

	/** Listens to the host and says that the page is there. */
	start(): void {
		window.addEventListener('message', ({ data }: MessageEvent<FromResultsHost>) => this.#receive(data));
		this.#host.post({ type: 'ready' });
	}

	#receive(message: FromResultsHost): void {
		switch (message.type) {
			case 'snapshot':
				this.#name = message.name;
				this.#strings = message.strings;
				document.title = message.strings.title.replace('{0}', message.name);
				this.#host.keep({ suite: message.suite });
				this.#take(message.state);
				break;
			case 'state':
				this.#take(message.state, message.rows);
				break;
			case 'rows':
				this.#table.take(message.generation, message.from, message.rows);
				this.#render();
				break;
			case 'case':
				if (message.case?.id === this.#caseId) {
					this.#case = message.case;
					this.#render();
				}
		}
	}

	#take(state: ResultsState, rows?: { readonly from: number; readonly rows: readonly ResultRow[] }): void {
		const before = this.#state;
		this.#state = state;
		if (this.#typing === undefined) {
			this.#listing = state.listing;
		}
		this.#host.keep({ batch: state.batch, listing: state.listing });
		if (before && before.batch !== state.batch) {
			this.#table.leave();
			this.#case = undefined;
			this.#caseId = undefined;
		}
		if (before?.live && !state.live && state.ended) {
			this.#announcement = state.ended;
		}
		this.#render(rows);
	}

	/** The row that the keyboard is on is read in whole. */
	#select(): void {
		const { active } = this.#table;
		if (active?.kind === 'case' && active.id !== this.#caseId) {
			this.#caseId = active.id;
			this.#host.post({ type: 'case', id: active.id });
		}
		this.#render();
	}

	#change(change: Partial<Listing>, typed: boolean): void {
		if (!this.#listing) {
			return;
		}
		this.#listing = { ...this.#listing, ...change };
		clearTimeout(this.#typing);
		this.#typing = window.setTimeout(() => this.#ask(), typed ? typingMs : 0);
		this.#render();
	}

	#ask(): void {
		this.#typing = undefined;
		if (this.#listing) {
			this.#host.post({ type: 'listing', listing: this.#listing });
		}
	}

	#render(rows?: { readonly from: number; readonly rows: readonly ResultRow[] }): void {
		const [state, strings, listing] = [this.#state, this.#strings, this.#listing];
		if (!state || !strings || !listing) {
			return;
		}
		const post = (message: FromResults) => this.#host.post(message);
		const selected = this.#table.selection.ids.filter(id => !id.startsWith('group '));
		const empty = state.reading ? undefined : state.results === 0 ? strings.empty : state.count === 0 ? strings.noMatch : undefined;
		render(
			html`${headerView({ name: this.#name, state, strings, selected, post })}
				${filterBar({ listing, state, strings, changed: (change, typed) => this.#change(change, typed) })}
				${statusLine({ state, strings })}
				<main class=${state.changes ? 'compared' : ''}>${empty && !state.live ? html`<p class="empty">${empty}</p>` : nothing}${this.#table.element}</main>
				${caseView(this.#case, strings, post)}
				<div class="forReaders" role="status" aria-live="polite">${this.#announcement}</div>`,
			this.#root,
		);
		const look = resultsTable({
			state,
			strings,
			sorted: sort => this.#change({ sort, descending: listing.sort === sort && !listing.descending }, false),
			click: (place, event) => this.#table.click(place, event),
			open: place => this.#table.open(place),
			fold: group => post({ type: 'fold', group }),
		});
		this.#table.update({ generation: state.generation, count: state.count, added: 0 }, look, rows);
	}
}
