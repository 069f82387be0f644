import { html, nothing } from 'lit';
import type { UsageEntry } from '#contract/text/textCalls.ts';
import { formatDate, formatNumber } from '../shared/format.ts';
import { formatMoney } from '../shared/moneyText.ts';
import type { Column, TableLook } from '../shared/table/columns.ts';
import { formatOptionalCount } from './figures.ts';
import type { UsageState, UsageSums } from './usageMessages.ts';
import type { UsageStrings } from './usageStrings.ts';

/** A row of the usage: the heading of a group, or the sums of a day, model or agent, or of the whole period. */
export type SumRow =
	| { readonly id: string; readonly kind: 'heading'; readonly name: string }
	| {
			readonly id: string;
			readonly kind: 'sum' | 'total';
			readonly name: string;
			readonly entry: UsageEntry;
			/** Share of the tokens of the largest row in its group. */
			readonly share: number;
	  };

/** Returns the rows of the usage: one group by day, one by model and one by agent, each with totals. */
export function createSumRows(sums: UsageSums, strings: UsageStrings): readonly SumRow[] {
	return sums.day.length === 0
		? []
		: [
				...createGroup('day', strings.byDay, sums.day, formatDay, strings),
				...createGroup('model', strings.byModel, sums.model, name => name, strings),
				...createGroup('agent', strings.byAgent, sums.agent, name => name || strings.noAgent, strings),
			];
}

function createGroup(
	group: keyof UsageSums,
	title: string,
	entries: readonly UsageEntry[],
	formatName: (name: string) => string,
	strings: UsageStrings,
): readonly SumRow[] {
	const most = Math.max(1, ...entries.map(countTokens));
	const toRow = (kind: 'sum' | 'total', entry: UsageEntry, name: string): SumRow => ({
		id: `${group} ${kind} ${entry.name} ${entry.currency}`,
		kind,
		name,
		entry,
		share: kind === 'sum' ? countTokens(entry) / most : 0,
	});
	return [
		{ id: group, kind: 'heading', name: title },
		...entries.map(entry => toRow('sum', entry, formatName(entry.name))),
		...(entries.length > 1 ? sumByCurrency(entries).map(entry => toRow('total', entry, strings.total)) : []),
	];
}

/** Defines the table of sums. */
export function createSumsTable(strings: UsageStrings): TableLook<SumRow> {
	const createCountColumn = (
		id: string,
		label: string,
		rank: number,
		count: (entry: UsageEntry) => number,
		isOptional = true,
	): Column<SumRow> => ({
		id,
		label,
		width: 100,
		rank,
		isOptional,
		css: 'figure',
		formatCell: row => {
			const amount = row.kind === 'heading' ? 0 : count(row.entry);
			return { text: amount === 0 ? '' : formatOptionalCount(amount), css: row.kind };
		},
	});
	return {
		label: strings.views.usage,
		rowCss: 'sumRow',
		strings,
		columns: [
			{ id: 'name', label: strings.name, width: 160, grow: 1, rank: 0, formatCell: row => ({ text: row.name, css: row.kind }) },
			createCountColumn('calls', strings.calls, 1, ({ calls }) => calls, false),
			createCountColumn('failed', strings.failed, 5, ({ failed }) => failed),
			createCountColumn('hits', strings.hits, 6, entry => entry.cache_hits),
			createCountColumn('input', strings.input, 3, entry => entry.input_tokens),
			createCountColumn('cached', strings.cached, 8, entry => entry.cached_tokens),
			createCountColumn('output', strings.output, 4, entry => entry.output_tokens),
			{
				id: 'cost',
				label: strings.cost,
				width: 88,
				rank: 2,
				isOptional: true,
				css: 'figure',
				formatCell: row => ({ text: row.kind === 'heading' ? '' : formatMoney(row.entry.cost, row.entry.currency), css: row.kind }),
			},
			{
				id: 'tokens',
				label: strings.allTokens,
				width: 140,
				grow: 0.6,
				rank: 7,
				formatCell: row => (row.kind === 'sum' ? { text: '', bar: row.share, title: formatNumber(countTokens(row.entry)) } : { text: '' }),
			},
		],
		renderHeading: row =>
			row.kind === 'heading' ? { css: 'groupRow', title: row.name, content: html`<strong>${row.name}</strong>` } : undefined,
	};
}

/** Renders the radio buttons of the period, and a hint if there are no sums or no costs. */
export function renderSumsFilter({ sums, days }: UsageState, strings: UsageStrings, chosen: (days: UsageState['days']) => void): unknown {
	const isPriced = sums?.day.some(({ currency }) => currency !== '');
	return html`<section class="filters" aria-label=${strings.filters}>
		<div class="ranges" role="radiogroup" aria-label=${strings.range}>${strings.ranges.map(
			({ days: range, text }) =>
				html`<label class="chip"><input type="radio" name="range" .checked=${days === range} @change=${() => chosen(range)}><span>${text}</span></label>`,
		)}</div>
		${sums === undefined || isPriced ? nothing : html`<span class="dim">${sums.day.length === 0 ? strings.noUsage : strings.noPrice}</span>`}
	</section>`;
}

/** Returns the number of tokens, which bars show because not all calls have a price. */
function countTokens({ input_tokens: input, output_tokens: output }: UsageEntry): number {
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
