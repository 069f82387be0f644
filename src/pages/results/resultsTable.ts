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
	sorted(by: Listing['sort']): void;
	fold(group: string): void;
}

/** Defines the table of cases, with headings for groups. */
export function createResultsTable({ state, strings, sorted, fold }: ResultsTableModel): TableLook<ResultRow, Listing['sort']> {
	const { listing, changes } = state;
	return {
		label: strings.list,
		rowCss: 'resultRow',
		sort: { by: listing.sort, descending: listing.descending, tabStops: false },
		sorted,
		columns: [...createCaseColumns(strings), ...(changes ? [createChangeColumn(strings)] : [])].map(({ cell, ...column }) => ({
			...column,
			cell: row => (row.kind === 'case' ? cell(row) : ''),
		})),
		heading: row => (row.kind === 'group' ? renderGroupHeading(row, strings, fold) : undefined),
	};
}

function createCaseColumns(strings: ResultsStrings): readonly Column<CaseRow, Listing['sort']>[] {
	return [
		{
			label: strings.outcome,
			sort: 'outcome',
			cell: ({ outcome, failure }) => ({
				text: strings.outcomes[outcome],
				css: 'statusCell',
				title: failure ?? '',
				icon: getOutcomeIcon(outcome),
			}),
		},
		{ label: strings.case, sort: 'name', cell: ({ name }) => name },
		{ label: strings.inputs, css: 'value', cell: ({ inputs }) => inputs },
		{ label: strings.outputs, css: 'value', cell: ({ outputs }) => outputs },
		{ label: strings.checks, css: 'figure', sort: 'score', cell: ({ checks }) => checks },
		{
			label: strings.duration,
			css: 'figure',
			sort: 'seconds',
			cell: ({ seconds }) => (seconds === undefined ? '' : formatDuration(seconds * 1000, 'brief', strings)),
		},
		{ label: strings.tokens, css: 'figure', sort: 'tokens', cell: ({ tokens }) => (tokens > 0 ? formatNumber(tokens) : '') },
		{ label: strings.cost, css: 'figure', sort: 'cost', cell: ({ cost }) => cost },
	];
}

function createChangeColumn(strings: ResultsStrings): Column<CaseRow, Listing['sort']> {
	return {
		label: strings.change,
		cell: ({ change }) => (change ? { text: strings.changes[change], css: `change ${change}` } : ''),
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
