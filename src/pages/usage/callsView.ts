import { html, nothing } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import { indentJson } from '#base/text/json.ts';
import type { TextCallBodies, TextCallEntry } from '#contract/text/textCalls.ts';
import { fill } from '../shared/fill.ts';
import { formatDateTime, formatMoment } from '../shared/format.ts';
import { formatMoney } from '../shared/moneyText.ts';
import { getStatusIconClasses } from '../shared/statusIcon.ts';
import type { TableLook } from '../shared/table/columns.ts';
import { formatOptionalCount } from './figures.ts';
import type { CallsFilter } from './usageMessages.ts';
import type { UsageStrings } from './usageStrings.ts';

/** Renders the filter of the request log. `typed` is true for a keystroke, because more may follow. */
export function renderCallsFilter(
	filter: CallsFilter,
	strings: UsageStrings,
	changed: (change: Partial<CallsFilter>, typed: boolean) => void,
): unknown {
	const renderTextFilter = (field: 'text' | 'model' | 'agent') => html`<input
		type="search"
		maxlength="200"
		aria-label=${strings[field]}
		placeholder=${strings[field]}
		.value=${filter[field]}
		@input=${(event: Event) => changed({ [field]: (event.target as HTMLInputElement).value }, true)}
	>`;
	return html`<section class="filters" aria-label=${strings.filters}>
		<div class="ranges" role="radiogroup" aria-label=${strings.range}>${strings.callsRanges.map(
			({ range, text }) =>
				html`<label class="chip"><input type="radio" name="callsRange" .checked=${filter.range === range} @change=${() => changed({ range }, false)}><span>${text}</span></label>`,
		)}</div>
		<div class="fields">
		${renderTextFilter('text')}
		<select
			aria-label=${strings.status}
			@change=${(event: Event) => changed({ status: (event.target as HTMLSelectElement).value as CallsFilter['status'] }, false)}
		>
			<option value="" ?selected=${filter.status === ''}>${strings.anyStatus}</option>
			${(['succeeded', 'failed'] as const).map(status => html`<option value=${status} ?selected=${filter.status === status}>${strings.statuses[status]}</option>`)}
		</select>
		${renderTextFilter('model')}${renderTextFilter('agent')}
		</div>
	</section>`;
}

/** Defines the table of calls. */
export function createCallsTable(strings: UsageStrings): TableLook<TextCallEntry> {
	return {
		label: strings.views.calls,
		rowCss: 'callRow',
		strings,
		columns: [
			{
				id: 'time',
				label: strings.time,
				css: 'time',
				width: 138,
				rank: 0,
				formatCell: call => ({ text: formatMoment(call.created_at * 1000), title: formatDateTime(call.created_at * 1000) }),
			},
			{
				id: 'status',
				label: strings.status,
				width: 56,
				rank: 1,
				formatCell: ({ error, status }) => ({
					text: String(status),
					css: 'statusCell',
					title: error ?? '',
					icon: getStatusIconClasses(error === null ? 'succeeded' : 'failed'),
				}),
			},
			{ id: 'model', label: strings.model, width: 180, grow: 1.4, rank: 2, formatCell: call => call.model },
			{ id: 'route', label: strings.route, width: 110, grow: 1, rank: 8, formatCell: call => formatRoute(call, strings) },
			{ id: 'agent', label: strings.agent, width: 90, grow: 1, rank: 3, isOptional: true, formatCell: call => call.agent ?? '' },
			{ id: 'user', label: strings.user, width: 80, rank: 9, isOptional: true, formatCell: call => call.user },
			{ id: 'input', label: strings.input, css: 'figure', width: 88, rank: 5, formatCell: call => formatOptionalCount(call.input_tokens) },
			{
				id: 'output',
				label: strings.output,
				css: 'figure',
				width: 94,
				rank: 6,
				formatCell: call => formatOptionalCount(call.output_tokens),
			},
			{
				id: 'duration',
				label: strings.duration,
				css: 'figure',
				width: 72,
				rank: 7,
				formatCell: call => formatDuration(call.elapsed_time * 1000, 'brief', strings.durations),
			},
			{
				id: 'cost',
				label: strings.cost,
				css: 'figure',
				width: 72,
				rank: 5,
				isOptional: true,
				formatCell: call => formatMoney(call.cost, call.currency),
			},
			{
				id: 'error',
				label: strings.error,
				width: 120,
				grow: 1.4,
				rank: 4,
				isOptional: true,
				formatCell: ({ error }) => error ?? '',
			},
		],
	};
}

function formatRoute({ route, tries, cache_hit: isHit }: TextCallEntry, strings: UsageStrings): string {
	const notes = [isHit ? strings.hit : '', tries > 1 ? fill(strings.tries, tries) : ''].filter(Boolean).join(', ');
	return notes === '' ? route : `${route} (${notes})`;
}

export function renderCallDetails(
	{ call, bodies }: { readonly call: TextCallEntry; readonly bodies: TextCallBodies },
	strings: UsageStrings,
	actions: { readonly inspect: () => void; readonly close: () => void },
): unknown {
	const renderCallFact = (label: string, value: string) => (value === '' ? nothing : html`<dt>${label}</dt><dd>${value}</dd>`);
	const renderCallBody = (label: string, text: string | null) =>
		text === null ? nothing : html`<h3>${label}</h3><pre tabindex="0">${indentJson(text)}</pre>`;
	return html`<section class="details" aria-label=${call.model}>
		<div class="row">
			${call.run_id === null || call.agent === null ? nothing : html`<button type="button" class="wordButton" @click=${actions.inspect}>${strings.inspect}</button>`}
			<span class="grow"></span>
			<button type="button" class="iconButton" title=${strings.close} aria-label=${strings.close} @click=${actions.close}><span class="codicon codicon-close" aria-hidden="true"></span></button>
		</div>
		${call.error === null ? nothing : html`<p class="problem">${call.error}</p>`}
		<dl>
			${renderCallFact(strings.route, formatRoute(call, strings))}
			${renderCallFact(strings.agent, call.agent ?? '')}
			${renderCallFact(strings.user, call.user ?? '')}
			${renderCallFact(strings.endpoint, call.endpoint === 'node' ? strings.node : call.endpoint)}
			${renderCallFact(strings.cached, formatOptionalCount(call.cached_tokens))}
		</dl>
		${renderCallBody(strings.request, bodies.request)}${renderCallBody(strings.reply, bodies.reply)}
		${bodies.request === null && bodies.reply === null ? html`<p class="dim">${strings.noBodies}</p>` : nothing}
	</section>`;
}
