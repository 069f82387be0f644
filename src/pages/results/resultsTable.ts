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
		strings,
		sort: { by: listing.sort, descending: listing.descending },
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
			id: 'outcome',
			label: strings.outcome,
			width: 100,
			rank: 1,
			sort: 'outcome',
			formatCell: ({ outcome, failure }) => ({
				text: strings.outcomes[outcome],
				css: 'statusCell',
				title: failure ?? '',
				icon: getOutcomeIcon(outcome),
			}),
		},
		{ id: 'case', label: strings.case, width: 160, grow: 1.4, rank: 0, sort: 'name', formatCell: ({ name }) => name },
		{ id: 'inputs', label: strings.inputs, width: 120, grow: 1, rank: 6, formatCell: ({ inputs }) => inputs },
		{
			id: 'outputs',
			label: strings.outputsOrFailure,
			width: 140,
			grow: 1.4,
			rank: 3,
			formatCell: ({ outputs, failure }) => failure || outputs,
		},
		{
			id: 'checks',
			label: strings.checks,
			width: 64,
			rank: 4,
			isOptional: true,
			css: 'figure',
			sort: 'score',
			formatCell: ({ checks }) => checks,
		},
		{
			id: 'duration',
			label: strings.duration,
			width: 72,
			rank: 5,
			css: 'figure',
			sort: 'seconds',
			formatCell: ({ seconds }) => (seconds === undefined ? '' : formatDuration(seconds * 1000, 'brief', strings)),
		},
		{
			id: 'tokens',
			label: strings.tokens,
			width: 72,
			rank: 7,
			isOptional: true,
			css: 'figure',
			sort: 'tokens',
			formatCell: ({ tokens }) => (tokens > 0 ? formatNumber(tokens) : ''),
		},
		{ id: 'cost', label: strings.cost, width: 88, rank: 8, isOptional: true, css: 'figure', sort: 'cost', formatCell: ({ cost }) => cost },
	];
}

function createChangeColumn(strings: ResultsStrings): Column<CaseRow, Listing['sort']> {
	return {
		id: 'change',
		label: strings.changeColumn,
		width: 110,
		rank: 2,
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
