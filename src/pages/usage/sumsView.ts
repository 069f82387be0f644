import { html, nothing } from 'lit';
import type { UsageEntry } from '#contract/text/textCalls.ts';
import { formatDate } from '../shared/format.ts';
import { formatMoney } from '../shared/moneyText.ts';
import { formatOptionalCount } from './figures.ts';
import type { UsageState, UsageSums } from './usageMessages.ts';
import type { UsageStrings } from './usageStrings.ts';

/** Renders the usage of the chosen period by day, model and agent. */
export function renderSums({ sums, days }: UsageState, strings: UsageStrings, chosen: (days: UsageState['days']) => void): unknown {
	return html`<div class="sums">
		<div class="ranges" role="radiogroup" aria-label=${strings.range}>${strings.ranges.map(
			({ days: range, text }) =>
				html`<label class="chip"><input type="radio" name="range" .checked=${days === range} @change=${() => chosen(range)}><span>${text}</span></label>`,
		)}</div>
		${sums === undefined ? nothing : sums.day.length === 0 ? html`<p class="empty">${strings.noUsage}</p>` : renderTables(sums, strings)}
	</div>`;
}

function renderTables(sums: UsageSums, strings: UsageStrings): unknown {
	const isPriced = sums.day.some(({ currency }) => currency !== '');
	return html`${isPriced ? nothing : html`<p class="dim">${strings.noPrice}</p>`}
		${renderTable(strings.byDay, strings.day, sums.day, strings, name => formatDay(name))}
		${renderTable(strings.byModel, strings.model, sums.model, strings, name => name)}
		${renderTable(strings.byAgent, strings.agent, sums.agent, strings, name => name || strings.noAgent)}`;
}

function renderTable(
	title: string,
	of: string,
	entries: readonly UsageEntry[],
	strings: UsageStrings,
	nameOf: (name: string) => string,
): unknown {
	const most = Math.max(...entries.map(getBarLength));
	const renderTableHeader = (label: string) => html`<th scope="col" class="figure">${label}</th>`;
	const renderCells = ({
		calls,
		failed,
		cache_hits: hits,
		input_tokens: input,
		cached_tokens: cached,
		output_tokens: output,
		cost,
		currency,
	}: UsageEntry) => html`
		${[calls, failed, hits, input, cached, output].map(count => html`<td class="figure">${count === 0 ? '' : formatOptionalCount(count)}</td>`)}
		<td class="figure">${formatMoney(cost, currency)}</td>`;
	return html`<table>
		<caption>${title}</caption>
		<thead><tr><th scope="col">${of}</th>${[strings.calls, strings.failed, strings.hits, strings.input, strings.cached, strings.output, strings.cost].map(renderTableHeader)}<th class="barCell" aria-hidden="true"></th></tr></thead>
		<tbody>${entries.map(
			entry =>
				html`<tr><th scope="row" title=${nameOf(entry.name)}>${nameOf(entry.name)}</th>${renderCells(entry)}<td class="barCell" aria-hidden="true"><span class="amount" style="width: ${most === 0 ? 0 : (getBarLength(entry) / most) * 100}%"></span></td></tr>`,
		)}</tbody>
		<tfoot>${sumByCurrency(entries).map(entry => html`<tr><th scope="row">${strings.total}</th>${renderCells(entry)}<td class="barCell" aria-hidden="true"></td></tr>`)}</tfoot>
	</table>`;
}

/** Returns the length of a bar in tokens, because not all calls have a price. */
function getBarLength({ input_tokens: input, output_tokens: output }: UsageEntry): number {
	return input + output;
}

/** Returns one sum per currency. */
function sumByCurrency(entries: readonly UsageEntry[]): readonly UsageEntry[] {
	const sums = new Map<string, UsageEntry>();
	for (const entry of entries) {
		const sum = sums.get(entry.currency);
		sums.set(
			entry.currency,
			sum === undefined
				? entry
				: {
						...sum,
						calls: sum.calls + entry.calls,
						failed: sum.failed + entry.failed,
						cache_hits: sum.cache_hits + entry.cache_hits,
						input_tokens: sum.input_tokens + entry.input_tokens,
						cached_tokens: sum.cached_tokens + entry.cached_tokens,
						output_tokens: sum.output_tokens + entry.output_tokens,
						cost: sum.cost + entry.cost,
					},
		);
	}
	return [...sums.values()];
}

/** Formats a day such as `2026-01-31` in the local format. */
function formatDay(day: string): string {
	return formatDate(Date.parse(`${day}T12:00`), { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
}
