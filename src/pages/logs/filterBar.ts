import { html, nothing } from 'lit';
import { formatCalendarDay } from '#base/text/calendarDay.ts';
import type { LogsFilter } from './logsFilter.ts';
import type { LogsStrings } from './logsStrings.ts';

/** Ranges in display order. */
const ranges = ['hour', 'day', 'today', 'yesterday', 'week', 'any', 'dates'] as const;

interface FilterBarModel {
	readonly filter: LogsFilter;
	readonly strings: LogsStrings;
	/** True if the service can't search errors. */
	readonly noErrorSearch: boolean;
	/** @param typed true for a keystroke, because more may follow */
	onChange(change: Partial<LogsFilter>, typed: boolean): void;
	/** Applies typed text immediately. */
	onEnter(): void;
	onClear(): void;
}

export function renderLogsFilter({ filter, strings, noErrorSearch, onChange, onEnter, onClear }: FilterBarModel): unknown {
	const renderRange = (range: LogsFilter['range']) => html`<label class="chip"><input
		type="radio"
		name="range"
		value=${range}
		.checked=${filter.range === range}
		@change=${() => onChange({ range, ...(range === 'dates' && filter.from === '' ? { from: formatCalendarDay(Date.now()) } : {}) }, false)}
	><span>${strings.ranges[range]}</span></label>`;
	const getValue = (event: Event) => (event.target as HTMLInputElement).value;
	const onKeyDown = (event: KeyboardEvent) => event.key === 'Enter' && onEnter();
	const renderDateField = (field: 'from' | 'to', label: string) => html`<input
		type="date"
		aria-label=${label}
		title=${label}
		.value=${filter[field]}
		@change=${(event: Event) => onChange({ [field]: getValue(event) }, false)}
	>`;
	const renderMinimumField = (field: 'minSeconds' | 'minTokens', label: string) => html`<input
		type="number"
		min="0"
		step="any"
		class="minimum"
		aria-label=${label}
		title=${label}
		placeholder=${label}
		.value=${filter[field] === undefined ? '' : String(filter[field])}
		@input=${(event: Event) => onChange({ [field]: parseMinimum(getValue(event)) }, true)}
		@keydown=${onKeyDown}
	>`;
	const renderTextField = (field: 'text' | 'user', label: string, hint: string, css: string) => html`<input
		type="search"
		class=${css}
		maxlength="1000"
		aria-label=${label}
		title=${hint}
		placeholder=${field === 'text' ? hint : label}
		.value=${filter[field]}
		@input=${(event: Event) => onChange({ [field]: getValue(event) }, true)}
		@keydown=${onKeyDown}
	>`;
	return html`<section class="filters" aria-label=${strings.filters}>
		<div class="ranges" role="radiogroup" aria-label=${strings.range}>${ranges.map(renderRange)}</div>
		${filter.range === 'dates' ? html`<div class="dates">${renderDateField('from', strings.from)} – ${renderDateField('to', strings.to)}</div>` : nothing}
		<div class="fields">
			<select
				aria-label=${strings.status}
				.value=${filter.status ?? ''}
				@change=${(event: Event) => onChange({ status: (getValue(event) || undefined) as LogsFilter['status'] }, false)}
			>
				<option value="" ?selected=${filter.status === undefined}>${strings.anyStatus}</option>
				${strings.filterStatuses.map(({ status, text }) => html`<option value=${status} ?selected=${filter.status === status}>${text}</option>`)}
			</select>
			${renderTextField('text', strings.text, noErrorSearch ? strings.textHintNoErrors : strings.textHint, 'text')}
			${renderTextField('user', strings.user, strings.user, 'user')}
			${renderMinimumField('minSeconds', strings.minSeconds)}
			${renderMinimumField('minTokens', strings.minTokens)}
			<button type="button" class="iconButton" title=${strings.clear} aria-label=${strings.clear} @click=${onClear}><span
				class="codicon codicon-clear-all" aria-hidden="true"></span></button>
		</div>
	</section>`;
}

function parseMinimum(text: string): number | undefined {
	const figure = Number(text);
	return text.trim() === '' || !Number.isFinite(figure) || figure < 0 ? undefined : figure;
}
