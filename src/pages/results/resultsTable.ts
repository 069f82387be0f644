import { html, nothing } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import type { RowPlace, TableLook } from '../shared/table/virtualTable.ts';
import { outcomeIcon } from './outcomeIcon.ts';
import type { Listing } from './resultsMessages.ts';
import type { ResultRow, ResultsState } from './resultsProtocol.ts';
import type { ResultsStrings } from './resultsStrings.ts';

export interface ResultsTableModel {
	readonly state: ResultsState;
	readonly strings: ResultsStrings;
	sorted(by: Listing['sort']): void;
	click(place: number, event: MouseEvent): void;
	open(place: number): void;
	fold(group: string): void;
}

/** Cases as rows of a table, with a heading for those that failed alike. */
export function resultsTable(model: ResultsTableModel): TableLook<ResultRow> {
	return {
		label: model.strings.list,
		head: () => tableHead(model),
		row: (row, place) => (row?.kind === 'group' ? groupRow(row, place, model) : caseRow(row, place, model)),
		context: () => ({}),
	};
}

function tableHead({ state: { listing, changes }, strings, sorted }: ResultsTableModel): unknown {
	const sortable = (by: Listing['sort'], label: string, css = '') => html`<div
		role="columnheader"
		class=${css}
		aria-sort=${listing.sort === by ? (listing.descending ? 'descending' : 'ascending') : 'none'}
	><button type="button" class="columnButton" tabindex="-1" @click=${() => sorted(by)}>${label}<span
		class="codicon ${listing.sort === by ? `codicon-arrow-${listing.descending ? 'down' : 'up'}` : ''}"
		aria-hidden="true"
	></span></button></div>`;
	const plain = (label: string, css = '') => html`<div role="columnheader" class=${css}>${label}</div>`;
	return html`<div role="rowgroup" class="tableHead"><div role="row" class="tableRow resultRow headRow" aria-rowindex="1">
		${sortable('outcome', strings.outcome)}
		${sortable('name', strings.case)}
		${plain(strings.inputs, 'value')}
		${plain(strings.outputs, 'value')}
		${sortable('score', strings.checks, 'figure')}
		${sortable('seconds', strings.duration, 'figure')}
		${sortable('tokens', strings.tokens, 'figure')}
		${sortable('cost', strings.cost, 'figure')}
		${changes ? plain(strings.change) : nothing}
	</div></div>`;
}

function rowParts({ place, top, isActive, isSelected }: RowPlace) {
	return {
		id: `row-${place}`,
		css: `tableRow resultRow ${isActive ? 'active' : ''} ${isSelected ? 'selected' : ''}`,
		style: `top: ${top}px`,
		index: place + 2,
		selected: isSelected ? 'true' : 'false',
	};
}

function groupRow(
	{ text, count, folded }: Extract<ResultRow, { kind: 'group' }>,
	place: RowPlace,
	{ strings, click, open, fold }: ResultsTableModel,
): unknown {
	const { id, css, style, index, selected } = rowParts(place);
	const label = text || strings.passedGroup;
	return html`<div role="row" id=${id} class="${css} groupRow" style=${style} aria-rowindex=${index} aria-selected=${selected}
		@click=${(event: MouseEvent) => click(place.place, event)}
		@dblclick=${() => open(place.place)}
	><div role="gridcell" title=${label}><button
		type="button"
		class="twistie codicon codicon-chevron-${folded ? 'right' : 'down'}"
		tabindex="-1"
		aria-expanded=${folded ? 'false' : 'true'}
		aria-label=${label}
		@click=${(event: MouseEvent) => {
			event.stopPropagation();
			fold(text);
		}}
		@dblclick=${(event: MouseEvent) => event.stopPropagation()}
	></button><strong>${label}</strong> <span class="dim">${count.toLocaleString()}</span></div></div>`;
}

/** A case; one that has not come yet is an empty row. */
function caseRow(row: Extract<ResultRow, { kind: 'case' }> | undefined, place: RowPlace, model: ResultsTableModel): unknown {
	const { strings } = model;
	const { id, css, style, index, selected } = rowParts(place);
	const cell = (text: string, css = '') => html`<div role="gridcell" class=${css} title=${text === '' ? nothing : text}>${text}</div>`;
	return html`<div
		role="row"
		id=${id}
		class=${css}
		style=${style}
		aria-rowindex=${index}
		aria-selected=${selected}
		aria-busy=${row ? nothing : 'true'}
		@click=${(event: MouseEvent) => model.click(place.place, event)}
		@dblclick=${() => model.open(place.place)}
	>
		<div role="gridcell" class="statusCell" title=${row?.failure || nothing}>${row ? html`<span class=${outcomeIcon(row.outcome)} aria-hidden="true"></span>${strings.outcomes[row.outcome]}` : nothing}</div>
		${cell(row?.name ?? '')}
		${cell(row?.inputs ?? '', 'value')}
		${cell(row?.outputs ?? '', 'value')}
		${cell(row?.checks ?? '', 'figure')}
		${cell(row?.seconds === undefined ? '' : formatDuration(row.seconds * 1000, 'brief', strings), 'figure')}
		${cell(row && row.tokens > 0 ? row.tokens.toLocaleString() : '', 'figure')}
		${cell(row?.cost ?? '', 'figure')}
		${model.state.changes ? cell(row?.change ? strings.changes[row.change] : '', `change ${row?.change ?? ''}`) : nothing}
	</div>`;
}
