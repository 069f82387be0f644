import { html, nothing } from 'lit';
import type { Handlers } from '../shared/handlers.ts';
import { Page } from '../shared/page.ts';
import type { CellKey } from '../shared/table/cellSelection.ts';
import type { ColumnWidths } from '../shared/table/columnLayout.ts';
import type { TableLook } from '../shared/table/columns.ts';
import { VirtualTable } from '../shared/table/virtualTable.ts';
import { TypedFilter } from '../shared/typedFilter.ts';
import { renderCaseView } from './caseView.ts';
import { renderResultsFilter } from './filterBar.ts';
import { renderResultsHeader, renderResultsStatus } from './headerView.ts';
import { createMatrixTable, getCellResult } from './matrixTable.ts';
import type { CaseView, FromResults, FromResultsHost, Listing, ResultRow, ResultsState, ResultsView } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';
import { createResultsTable } from './resultsTable.ts';
import { TrendPane } from './trend/trendPane.ts';

/** Read by the host when it restores the panel. */
interface Kept {
	suite: string;
	batch: string | undefined;
	listing: Listing;
	view: ResultsView;
}

/** Rows of the list, starting at the index `from`. */
interface SentRows {
	readonly from: number;
	readonly rows: readonly ResultRow[];
}

export class ResultsPage extends Page<FromResultsHost, FromResults, Kept> {
	readonly #table = new VirtualTable<ResultRow>({
		onWanted: slice => this.postMessage({ type: 'slice', ...slice }),
		onSelect: () => this.#onSelected(),
		onOpen: row => this.#openRow(row),
		onResize: widths => this.#onResize(widths),
	});
	readonly #trend = new TrendPane({
		render: () => this.render(),
		openBatch: id => {
			this.postMessage({ type: 'batch', id });
			this.postMessage({ type: 'view', view: 'results' });
		},
		resize: widths => this.#onResize(widths),
	});
	readonly #listing = new TypedFilter<Listing>(listing => this.postMessage({ type: 'listing', listing }));
	#name = '';
	#strings: ResultsStrings | undefined;
	#state: ResultsState | undefined;
	/** Rows received with the state, for the next render. */
	#rows: SentRows | undefined;
	#case: CaseView | undefined;
	/** ID of the requested case. */
	#caseId: string | undefined;

	protected override readonly handlers: Handlers<FromResultsHost> = {
		snapshot: message => {
			this.#name = message.name;
			this.#strings = message.strings;
			this.#onResize(message.widths, false);
			document.title = message.strings.title.replace('{0}', message.name);
			this.host.saveFields({ suite: message.suite });
			this.#onState(message.state, true);
		},
		state: message => this.#onState(message.state, false, message.rows),
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
		trend: message => this.#trend.applyTrend(message.trend),
	};

	protected override postMessage(message: FromResults): void {
		const batch = this.#state?.batch;
		super.postMessage(isAboutResults(message) && batch !== undefined ? { ...message, batch } : message);
	}

	#onResize(widths: ColumnWidths, byUser = true): void {
		this.#table.widths = widths;
		this.#trend.table.widths = widths;
		if (byUser) {
			this.postMessage({ type: 'widths', widths });
		}
	}

	#onState(state: ResultsState, isWhole: boolean, rows?: SentRows): void {
		const before = this.#state;
		this.#state = state;
		this.#listing.acceptFilter(state.listing, isWhole);
		this.host.saveFields({ batch: state.batch, listing: state.listing, view: state.view });
		if (before && before.batch !== state.batch) {
			this.#table.clear();
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

	/** Requests the details of the active case. */
	#onSelected(): void {
		const id = this.#activeResult;
		if (id !== undefined && id !== this.#caseId) {
			this.#caseId = id;
			this.postMessage({ type: 'case', id });
		}
		this.render();
	}

	/** ID of the result in the active row or cell. */
	get #activeResult(): string | undefined {
		const { active, cells } = this.#table;
		if (active?.kind === 'cells') {
			return cells.column === undefined ? undefined : getCellResult(active, cells.column);
		}
		return active?.kind === 'case' ? active.id : undefined;
	}

	/** IDs of the two results in the selected cells; `undefined` if there aren't two. */
	get #compared(): readonly [string, string] | undefined {
		const [first, second] = this.#table.cells.chosen.map(cell => this.#findCellResult(cell));
		return first !== undefined && second !== undefined ? [first, second] : undefined;
	}

	#findCellResult({ row, column }: CellKey): string | undefined {
		const place = this.#table.rows.findIndex(row);
		return place === undefined ? undefined : getCellResult(this.#table.rows.get(place), column);
	}

	#openRow(row: ResultRow): void {
		if (row.kind === 'group') {
			this.postMessage({ type: 'fold', group: row.text });
		} else if (this.#compared) {
			this.#compareSelected();
		} else if (this.#activeResult !== undefined) {
			this.postMessage({ type: 'act', act: 'goToRun', id: this.#activeResult });
		}
	}

	#compareSelected(): void {
		const compared = this.#compared;
		if (compared) {
			this.postMessage({ type: 'compare', first: compared[0], second: compared[1] });
		}
	}

	#changeListing(change: Partial<Listing>, typed: boolean): void {
		this.#listing.changeFields(change, typed);
		this.render();
	}

	protected override renderPage(): unknown {
		const [state, strings, listing] = [this.#state, this.#strings, this.#listing.value];
		if (!state || !strings || !listing) {
			return undefined;
		}
		const post = (message: FromResults) => this.postMessage(message);
		const selected = state.matrix ? [] : this.#table.selection.ids.filter(id => !id.startsWith('group '));
		const header = renderResultsHeader({ name: this.#name, state, strings, selected, trend: this.#trend, post });
		if (state.view === 'trend') {
			const batchStatus = state.live || state.problem !== undefined ? renderResultsStatus({ state, strings }) : nothing;
			return html`${header}${batchStatus}${this.#trend.renderStatus(strings)}${this.#trend.renderMain(strings)}${this.renderAnnouncer()}`;
		}
		const empty = state.reading ? undefined : state.results === 0 ? strings.empty : state.count === 0 ? strings.noMatch : undefined;
		return html`${header}
			${renderResultsFilter({
				listing,
				state,
				strings,
				onChange: (change, typed) => this.#changeListing(change, typed),
				...(this.#compared && { compare: () => this.#compareSelected() }),
			})}
			${renderResultsStatus({ state, strings })}
			<main>${empty && !state.live ? html`<p class="empty">${empty}</p>` : nothing}${this.#table.element}</main>
			${renderCaseView(this.#case, strings, post)}
			${this.renderAnnouncer()}`;
	}

	protected override onRendered(): void {
		const [state, strings, listing] = [this.#state, this.#strings, this.#listing.value];
		if (state && strings && state.view === 'trend') {
			this.#trend.updateTable(strings);
		} else if (state && strings && listing) {
			const look: TableLook<ResultRow> = state.matrix
				? createMatrixTable(state.matrix, strings, variant => this.postMessage({ type: 'apply', variant }))
				: createResultsTable({
						state,
						strings,
						onSort: sort => this.#changeListing({ sort, descending: listing.sort === sort && !listing.descending }, false),
						fold: group => this.postMessage({ type: 'fold', group }),
					});
			this.#table.applyState({ generation: state.generation, count: state.count, added: 0 }, look, this.#rows);
		}
	}
}

/** True for requests that use the results of the shown batch. */
function isAboutResults(message: FromResults): message is Extract<FromResults, { batch?: unknown }> {
	return message.type === 'command' ? !batchCommands.has(message.command) : ['act', 'compare', 'apply'].includes(message.type);
}

const batchCommands: ReadonlySet<string> = new Set(['run', 'compareVariants', 'cancel', 'unpin']);
