import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import type { Listing, ResultsState } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';

interface FilterModel {
	readonly listing: Listing;
	readonly state: ResultsState;
	readonly strings: ResultsStrings;
	/** @param typed true for a keystroke, because more may follow */
	onChange(change: Partial<Listing>, typed: boolean): void;
}

/** Renders the controls for filtering, sorting and grouping results. */
export function renderResultsFilter({ listing, state, strings, onChange }: FilterModel): unknown {
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
	const isFiltered = listing.text !== '' || listing.outcome !== undefined || listing.change !== undefined;
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
			${renderChoice(strings.outcome, strings.anyOutcome, strings.outcomes, listing.outcome, outcome => onChange({ outcome }, false))}
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
			<label class="check"><input type="checkbox" .checked=${listing.grouped} @change=${(event: Event) => onChange({ grouped: (event.target as HTMLInputElement).checked }, false)}>${strings.grouped}</label>
		</div>
		${isFiltered ? html`<span class="dim">${listing.grouped ? nothing : fill(strings.shown, formatNumber(count), formatNumber(results))}</span><button type="button" class="linkButton" @click=${() => onChange({ text: '', outcome: undefined, change: undefined }, false)}>${strings.clear}</button>` : nothing}
	</div>`;
}
