import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import { type CellFilter, cellFilters, type Listing, type MatrixView, type ResultsState } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';

interface FilterModel {
	readonly listing: Listing;
	readonly state: ResultsState;
	readonly strings: ResultsStrings;
	/** @param typed true for a keystroke, because more may follow */
	onChange(change: Partial<Listing>, typed: boolean): void;
	/** Compares the outputs of the two selected cells, if two are selected. */
	compare?(): void;
}

/** Renders the controls for filtering, sorting and grouping results. */
export function renderResultsFilter(model: FilterModel): unknown {
	const { listing, state, strings, onChange } = model;
	const renderChoice = <Value extends string>(
		label: string,
		any: string,
		labels: Readonly<Record<Value, string>>,
		value: Value | undefined,
		set: (value: Value | undefined) => void,
		counts?: Readonly<Partial<Record<Value, number>>>,
	) => html`<select
		aria-label=${label}
		title=${label}
		.value=${value ?? ''}
		@change=${(event: Event) => set(((event.target as HTMLSelectElement).value || undefined) as Value | undefined)}
	><option value="">${any}</option>${(Object.entries(labels) as [Value, string][]).map(([key, text]) => html`<option value=${key} ?selected=${key === value}>${counts ? `${text} (${counts[key] ?? 0})` : text}</option>`)}</select>`;
	const sorts: Readonly<Record<Listing['sort'], string>> = {
		order: strings.suiteOrder,
		outcome: strings.outcome,
		name: strings.case,
		score: strings.checks,
		seconds: strings.duration,
		tokens: strings.tokens,
		cost: strings.cost,
	};
	const direction = listing.descending ? strings.descending : strings.ascending;
	const { results, count } = state;
	const { matrix } = state;
	const isFiltered =
		listing.text !== '' || (matrix ? listing.cells.length > 0 : listing.outcome !== undefined || listing.change !== undefined);
	return html`<div class="filters" role="group" aria-label=${strings.filters}>
		<div class="fields">
			<input
				class="text"
				type="search"
				aria-label=${strings.text}
				placeholder=${strings.textHint}
				.value=${listing.text}
				@input=${(event: Event) => onChange({ text: (event.target as HTMLInputElement).value }, true)}
			>
			${
				matrix
					? renderCellFilters(model, matrix)
					: html`${renderChoice(strings.outcome, strings.anyOutcome, strings.outcomes, listing.outcome, outcome => onChange({ outcome }, false))}
			${state.changes ? renderChoice(strings.change, strings.anyChange, strings.changes, listing.change, change => onChange({ change }, false), state.changes) : nothing}
			<select
				aria-label=${strings.sort}
				title=${strings.sort}
				.value=${listing.sort}
				@change=${(event: Event) => onChange({ sort: (event.target as HTMLSelectElement).value as Listing['sort'], descending: false }, false)}
			>${Object.entries(sorts).map(([key, text]) => html`<option value=${key} ?selected=${key === listing.sort}>${text}</option>`)}</select>
			<button
				type="button"
				class="iconButton codicon codicon-arrow-${listing.descending ? 'down' : 'up'}"
				title=${direction}
				aria-label=${direction}
				@click=${() => onChange({ descending: !listing.descending }, false)}
			></button>
			<label class="check"><input type="checkbox" .checked=${listing.grouped} @change=${(event: Event) => onChange({ grouped: (event.target as HTMLInputElement).checked }, false)}>${strings.grouped}</label>`
			}
		</div>
		${isFiltered ? html`<span class="dim">${listing.grouped && !matrix ? nothing : fill(strings.shown, formatNumber(count), formatNumber(matrix ? matrix.cases : results))}</span><button type="button" class="linkButton" @click=${() => onChange({ text: '', outcome: undefined, change: undefined, cells: [] }, false)}>${strings.clear}</button>` : nothing}
	</div>`;
}

/** Renders the toggles for cases whose variants differ, and the button that compares two cells. */
function renderCellFilters({ listing, strings, onChange, compare }: FilterModel, { counts }: MatrixView): unknown {
	const toggle = (filter: CellFilter) =>
		listing.cells.includes(filter) ? listing.cells.filter(each => each !== filter) : [...listing.cells, filter];
	return html`${cellFilters.map(
		filter => html`<button
			type="button"
			class="wordButton"
			title=${strings.cellFilterHints[filter]}
			aria-pressed=${listing.cells.includes(filter) ? 'true' : 'false'}
			@click=${() => onChange({ cells: toggle(filter) }, false)}
		>${strings.cellFilters[filter]} (${formatNumber(counts[filter])})</button>`,
	)}<button type="button" class="wordButton" title=${strings.compareCellsHint} ?disabled=${!compare} @click=${() => compare?.()}><span
			class="codicon codicon-diff"
			aria-hidden="true"
		></span>${strings.compareCells}</button>`;
}
