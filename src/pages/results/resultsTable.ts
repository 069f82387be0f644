import { html } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import { formatNumber } from '../shared/format.ts';
import type { Column, Heading, TableLook } from '../shared/table/columns.ts';
import { getOutcomeIcon } from './outcomeIcon.ts';
import type { Listing, ResultRow, ResultsState } from './resultsMessages.ts';
import type { ResultsStrings } from './resultsStrings.ts';

type CaseRow = Extract<ResultRow, { kind: 'case' }>;
type GroupRow = Extract<ResultRow, { kind: 'group' }>;

interface ResultsTableModel {
	readonly state: ResultsState;
	readonly strings: ResultsStrings;
	onSort(by: Listing['sort']): void;
	fold(group: string): void;
}

/** Defines the table of cases, with headings for groups. */
export function createResultsTable({ state, strings, onSort, fold }: ResultsTableModel): TableLook<ResultRow, Listing['sort']> {
	const { listing, changes } = state;
	return {
		label: strings.list,
		rowCss: 'resultRow',
		sort: { by: listing.sort, descending: listing.descending, tabStops: false },
		onSort,
		columns: [...createCaseColumns(strings), ...(changes ? [createChangeColumn(strings)] : [])].map(({ formatCell: cell, ...column }) => ({
			...column,
			formatCell: row => (row.kind === 'case' ? cell(row) : ''),
		})),
		renderHeading: row => (row.kind === 'group' ? renderGroupHeading(row, strings, fold) : undefined),
	};
}

function createCaseColumns(strings: ResultsStrings): readonly Column<CaseRow, Listing['sort']>[] {
	return [
		{
			label: strings.outcome,
			sort: 'outcome',
			formatCell: ({ outcome, failure }) => ({
				text: strings.outcomes[outcome],
				css: 'statusCell',
				title: failure ?? '',
				icon: getOutcomeIcon(outcome),
			}),
		},
		{ label: strings.case, sort: 'name', formatCell: ({ name }) => name },
		{ label: strings.inputs, css: 'value', formatCell: ({ inputs }) => inputs },
		{ label: strings.outputs, css: 'value', formatCell: ({ outputs }) => outputs },
		{ label: strings.checks, css: 'figure', sort: 'score', formatCell: ({ checks }) => checks },
		{
			label: strings.duration,
			css: 'figure',
			sort: 'seconds',
			formatCell: ({ seconds }) => (seconds === undefined ? '' : formatDuration(seconds * 1000, 'brief', strings)),
		},
		{ label: strings.tokens, css: 'figure', sort: 'tokens', formatCell: ({ tokens }) => (tokens > 0 ? formatNumber(tokens) : '') },
		{ label: strings.cost, css: 'figure', sort: 'cost', formatCell: ({ cost }) => cost },
	];
}

function createChangeColumn(strings: ResultsStrings): Column<CaseRow, Listing['sort']> {
	return {
		label: strings.change,
		formatCell: ({ change }) => (change ? { text: strings.changes[change], css: `change ${change}` } : ''),
	};
}

function renderGroupHeading({ text, count, folded }: GroupRow, strings: ResultsStrings, fold: (group: string) => void): Heading {
	const title = text || strings.passedGroup;
	return {
		css: 'groupRow',
		title,
		content: html`<button
			type="button"
			class="twistie codicon codicon-chevron-${folded ? 'right' : 'down'}"
			tabindex="-1"
			aria-expanded=${folded ? 'false' : 'true'}
			aria-label=${title}
			@click=${(event: MouseEvent) => {
				event.stopPropagation();
				fold(text);
			}}
			@dblclick=${(event: MouseEvent) => event.stopPropagation()}
		></button><strong>${title}</strong> <span class="dim">${formatNumber(count)}</span>`,
	};
}
