import { html, nothing } from 'lit';
import { indentJson } from '#base/text/json.ts';
import type { TextCallBodies, TextCallEntry } from '#contract/text/textCalls.ts';
import { fill } from '../shared/fill.ts';
import { moneyText } from '../shared/moneyText.ts';
import { statusIcon } from '../shared/statusIcon.ts';
import type { RowPlace, TableLook } from '../shared/table/virtualTable.ts';
import { countText } from './figures.ts';
import type { CallsFilter } from './usageProtocol.ts';
import type { UsageStrings } from './usageStrings.ts';

/** What rows tell the page. */
export interface CallActions {
	click(place: number, event: MouseEvent): void;
	open(place: number): void;
}

/** What the request log is narrowed down to; `typed`: a letter, after which others may come. */
export function callsFilterBar(
	filter: CallsFilter,
	strings: UsageStrings,
	changed: (change: Partial<CallsFilter>, typed: boolean) => void,
): unknown {
	const text = (field: 'model' | 'agent') => html`<input
		type="search"
		maxlength="200"
		aria-label=${strings[field]}
		placeholder=${strings[field]}
		.value=${filter[field]}
		@input=${(event: Event) => changed({ [field]: (event.target as HTMLInputElement).value }, true)}
	>`;
	return html`<section class="filters" aria-label=${strings.filters}>
		<select
			aria-label=${strings.status}
			@change=${(event: Event) => changed({ status: (event.target as HTMLSelectElement).value as CallsFilter['status'] }, false)}
		>
			<option value="" ?selected=${filter.status === ''}>${strings.anyStatus}</option>
			${(['succeeded', 'failed'] as const).map(status => html`<option value=${status} ?selected=${filter.status === status}>${strings.statuses[status]}</option>`)}
		</select>
		${text('model')}${text('agent')}
	</section>`;
}

/** Calls as rows of a table. */
export function callsTable(strings: UsageStrings, actions: CallActions): TableLook<TextCallEntry> {
	const head = (label: string, css = '') => html`<div role="columnheader" class=${css}>${label}</div>`;
	return {
		label: strings.views.calls,
		head: () => html`<div role="rowgroup" class="tableHead"><div role="row" class="tableRow callRow headRow" aria-rowindex="1">
			${head(strings.time)}${head(strings.status)}${head(strings.model)}${head(strings.route)}${head(strings.agent)}${head(strings.user)}
			${head(strings.input, 'figure')}${head(strings.output, 'figure')}${head(strings.duration, 'figure')}${head(strings.cost, 'figure')}
		</div></div>`,
		row: (call, place) => callRow(call, place, strings, actions),
		context: () => ({}),
	};
}

function callRow(
	call: TextCallEntry | undefined,
	{ place, top, isActive, isSelected }: RowPlace,
	strings: UsageStrings,
	actions: CallActions,
): unknown {
	const cell = (text: string, css = '') => html`<div role="gridcell" class=${css} title=${text === '' ? nothing : text}>${text}</div>`;
	return html`<div
		role="row"
		id="row-${place}"
		class="tableRow callRow ${isActive ? 'active' : ''} ${isSelected ? 'selected' : ''}"
		style="top: ${top}px"
		aria-rowindex=${place + 2}
		aria-selected=${isSelected ? 'true' : 'false'}
		aria-busy=${call ? nothing : 'true'}
		@click=${(event: MouseEvent) => actions.click(place, event)}
		@dblclick=${() => actions.open(place)}
	>
		${cell(call ? new Date(call.created_at * 1000).toLocaleString() : '', 'time')}
		<div role="gridcell" class="statusCell" title=${call?.error ?? nothing}>${call ? html`<span class=${statusIcon(call.error === null ? 'succeeded' : 'failed')} aria-hidden="true"></span>${call.status}` : nothing}</div>
		${cell(call?.model ?? '')}
		${cell(call ? routeText(call, strings) : '')}
		${cell(call?.agent ?? '')}
		${cell(call?.user ?? '')}
		${cell(call ? countText(call.input_tokens) : '', 'figure')}
		${cell(call ? countText(call.output_tokens) : '', 'figure')}
		${cell(call ? `${call.elapsed_time.toLocaleString(undefined, { maximumFractionDigits: 2 })} s` : '', 'figure')}
		${cell(call ? moneyText(call.cost, call.currency) : '', 'figure')}
	</div>`;
}

function routeText({ route, tries, cache_hit: isHit }: TextCallEntry, strings: UsageStrings): string {
	const notes = [isHit ? strings.hit : '', tries > 1 ? fill(strings.tries, tries) : ''].filter(Boolean).join(', ');
	return notes === '' ? route : `${route} (${notes})`;
}

/** One call, looked at. */
export function callDetails(
	{ call, bodies }: { readonly call: TextCallEntry; readonly bodies: TextCallBodies },
	strings: UsageStrings,
	actions: { readonly inspect: () => void; readonly close: () => void },
): unknown {
	const fact = (label: string, value: string) => (value === '' ? nothing : html`<dt>${label}</dt><dd>${value}</dd>`);
	const body = (label: string, text: string | null) =>
		text === null ? nothing : html`<h3>${label}</h3><pre tabindex="0">${indentJson(text)}</pre>`;
	return html`<section class="details" aria-label=${call.model}>
		<div class="row">
			${call.run_id === null || call.agent === null ? nothing : html`<button type="button" class="wordButton" @click=${actions.inspect}>${strings.inspect}</button>`}
			<span class="grow"></span>
			<button type="button" class="iconButton" title=${strings.close} aria-label=${strings.close} @click=${actions.close}><span class="codicon codicon-close" aria-hidden="true"></span></button>
		</div>
		${call.error === null ? nothing : html`<p class="problem">${call.error}</p>`}
		<dl>
			${fact(strings.route, routeText(call, strings))}
			${fact(strings.agent, call.agent ?? '')}
			${fact(strings.user, call.user ?? '')}
			${fact(strings.endpoint, call.endpoint === 'node' ? strings.node : call.endpoint)}
			${fact(strings.cached, countText(call.cached_tokens))}
		</dl>
		${body(strings.request, bodies.request)}${body(strings.reply, bodies.reply)}
		${bodies.request === null && bodies.reply === null ? html`<p class="dim">${strings.noBodies}</p>` : nothing}
	</section>`;
}
