import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatNumber } from '../shared/format.ts';
import { renderMenuButton } from '../shared/menu.ts';
import type { Column, TableLook } from '../shared/table/columns.ts';
import { formatRange, formatSeconds, formatShare, formatSigned } from './figures.ts';
import { getOutcomeIcon } from './outcomeIcon.ts';
import type { MatrixColumn, MatrixView, ResultRow } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';

type MatrixRow = Extract<ResultRow, { kind: 'cells' }>;

/** Height of the header in pixels: four lines. */
const headHeight = 88;
const columnPrefix = 'variant-';

/** Defines the table of a comparison: a row for each case, and a column for each variant. */
export function createMatrixTable(
	{ columns }: MatrixView,
	strings: ResultsStrings,
	apply: (variant: string) => void,
): TableLook<ResultRow, never> {
	const list: readonly Column<ResultRow, never>[] = [
		{
			id: 'case',
			label: strings.case,
			width: 110,
			grow: 0.6,
			rank: 0,
			isSticky: true,
			formatCell: row => (row.kind === 'cells' ? row.name : ''),
		},
		...columns.map(
			(variant, at): Column<ResultRow, never> => ({
				id: `${columnPrefix}${at}`,
				label: variant.name,
				width: 190,
				grow: 1,
				rank: 0,
				hasCells: true,
				head: renderVariantHead(variant, at, strings, apply),
				formatCell: row => (row.kind === 'cells' ? formatMatrixCell(row, at, strings) : ''),
			}),
		),
	];
	return { label: strings.comparison, rowCss: 'resultRow', strings, isWide: true, headHeight, columns: list };
}

/** Returns the ID of the result of a row in a column; `undefined` if it has none. */
export function getCellResult(row: ResultRow | undefined, column: string): string | undefined {
	return row?.kind === 'cells' ? row.cells[Number(column.slice(columnPrefix.length))]?.id : undefined;
}

function formatMatrixCell({ cells }: MatrixRow, at: number, strings: ResultsStrings) {
	const cell = cells[at];
	if (!cell) {
		return '';
	}
	const { outcome, score, repeated, text } = cell;
	const lead = [
		...(repeated ? [`${repeated.passed}/${repeated.runs}`] : []),
		...(score === undefined ? [] : [formatNumber(score, { minimumFractionDigits: 2, maximumFractionDigits: 2 })]),
	].join('  ');
	return {
		text,
		css: 'statusCell',
		icon: getOutcomeIcon(outcome),
		lead,
		title: [strings.outcomes[outcome], lead, text].filter(each => each !== '').join(' · '),
	};
}

function renderVariantHead(variant: MatrixColumn, at: number, strings: ResultsStrings, apply: (variant: string) => void): unknown {
	const { name, isBaseline, cases, rate, interval, versus, p50, p95, cost } = variant;
	const facts = [
		...(p50 === undefined ? [] : [`p50 ${formatSeconds(p50, strings)}`]),
		...(p95 === undefined ? [] : [`p95 ${formatSeconds(p95, strings)}`]),
		...(cost === '' ? [] : [cost]),
	].join(' · ');
	const rateText = cases === 0 ? strings.noResults : `${formatShare(rate)} (${formatRange(interval, strings)})`;
	return html`<div class="variantHead">
		<span class="variantName"><strong title=${name}>${name}</strong>${renderMenuButton({
			id: `menu-${columnPrefix}${at}`,
			icon: 'ellipsis',
			label: fill(strings.variantMenu, name),
			tabIndex: -1,
			items: [{ icon: 'check', label: strings.applyToAgent, act: () => apply(name) }],
		})}</span>
		<span title=${strings.rateHint}>${rateText}</span>
		${isBaseline ? html`<span class="dim">${strings.baseline}</span>` : nothing}
		${versus ? renderVersus(versus, strings) : nothing}
		<span class="dim" title=${strings.timesHint}>${facts}</span>
	</div>`;
}

function renderVersus({ verdict, difference, interval, p }: NonNullable<MatrixColumn['versus']>, strings: ResultsStrings): unknown {
	const range = interval ? ` (${formatRange(interval, strings, formatSigned)})` : '';
	const title = `${strings.verdictHints[verdict]} p = ${formatNumber(p, { maximumFractionDigits: 4 })}`;
	return html`<span title=${title}><span class="change ${verdict}">${strings.verdicts[verdict]}</span> · ${formatSigned(difference)}${range}</span>`;
}
