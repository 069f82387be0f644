import { html, nothing } from 'lit';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { TypedFilter } from '../shared/typedFilter.ts';
import { caseView } from './caseView.ts';
import { filterBar } from './filterBar.ts';
import { headerView, statusLine } from './headerView.ts';
import type { CaseView, FromResults, FromResultsHost, Listing, ResultRow, ResultsState } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';
import { resultsTable } from './resultsTable.ts';

/** What the host reads when the panel comes back. */
interface Kept {
	suite: string;
	batch: string | undefined;
	listing: Listing;
}

/** Rows of the list from a place on. */
interface SentRows {
	readonly from: number;
	readonly rows: readonly ResultRow[];
}

/** The page of results. */
export class ResultsPage extends Page<FromResultsHost, FromResults, Kept> {
	readonly #table = new VirtualTable<ResultRow>({
		onWanted: slice => this.post({ type: 'slice', ...slice }),
		onSelect: () => this.#select(),
		onOpen: row => this.post(row.kind === 'case' ? { type: 'act', act: 'goToRun', id: row.id } : { type: 'fold', group: row.text }),
	});
	readonly #listing = new TypedFilter<Listing>(listing => this.post({ type: 'listing', listing }));
	#name = '';
	#strings: ResultsStrings | undefined;
	#state: ResultsState | undefined;
	/** Rows that came with the state, for the next render. */
	#rows: SentRows | undefined;
	#case: CaseView | undefined;
	/** The case that was asked for. */
	#caseId: string | undefined;

	protected override readonly handlers: Handlers<FromResultsHost> = {
		snapshot: message => {
			this.#name = message.name;
			this.#strings = message.strings;
			document.title = message.strings.title.replace('{0}', message.name);
			this.host.save({ suite: message.suite });
			this.#accept(message.state, true);
		},
		state: message => this.#accept(message.state, false, message.rows),
		rows: message => {
			this.#table.addRows(message.generation, message.from, message.rows);
			this.render();
		},
		case: message => {
			if (message.case?.id === this.#caseId) {
				this.#case = message.case;
				this.render();
			}
		},
	};

	#accept(state: ResultsState, isWhole: boolean, rows?: SentRows): void {
		const before = this.#state;
		this.#state = state;
		this.#listing.accept(state.listing, isWhole);
		this.host.save({ batch: state.batch, listing: state.listing });
		if (before && before.batch !== state.batch) {
			this.#table.reset();
			this.#case = undefined;
			this.#caseId = undefined;
		}
		if (before?.live && !state.live && state.ended) {
			this.announcement = state.ended;
		}
		this.#rows = rows;
		this.render();
		this.#rows = undefined;
	}

	/** The row that the keyboard is on is read in whole. */
	#select(): void {
		const { active } = this.#table;
		if (active?.kind === 'case' && active.id !== this.#caseId) {
			this.#caseId = active.id;
			this.post({ type: 'case', id: active.id });
		}
		this.render();
	}

	#change(change: Partial<Listing>, typed: boolean): void {
		this.#listing.change(change, typed);
		this.render();
	}

	protected override renderPage(): unknown {
		const [state, strings, listing] = [this.#state, this.#strings, this.#listing.value];
		if (!state || !strings || !listing) {
			return undefined;
		}
		const post = (message: FromResults) => this.post(message);
		const selected = this.#table.selection.ids.filter(id => !id.startsWith('group '));
		const empty = state.reading ? undefined : state.results === 0 ? strings.empty : state.count === 0 ? strings.noMatch : undefined;
		return html`${headerView({ name: this.#name, state, strings, selected, post })}
			${filterBar({ listing, state, strings, changed: (change, typed) => this.#change(change, typed) })}
			${statusLine({ state, strings })}
			<main class=${state.changes ? 'compared' : ''}>${empty && !state.live ? html`<p class="empty">${empty}</p>` : nothing}${this.#table.element}</main>
			${caseView(this.#case, strings, post)}
			${this.renderAnnouncer()}`;
	}

	protected override onRendered(): void {
		const [state, strings, listing] = [this.#state, this.#strings, this.#listing.value];
		if (state && strings && listing) {
			const look = resultsTable({
				state,
				strings,
				sorted: sort => this.#change({ sort, descending: listing.sort === sort && !listing.descending }, false),
				fold: group => this.post({ type: 'fold', group }),
			});
			this.#table.update({ generation: state.generation, count: state.count, added: 0 }, look, this.#rows);
		}
	}
}
