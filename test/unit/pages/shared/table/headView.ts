import { render } from 'lit';
import { type Column, renderTableRow } from '#pages/shared/table/columns.ts';
import { type HeadActions, renderTableHead } from '#pages/shared/table/tableHead.ts';

const columns: readonly Column<unknown>[] = [
	{ id: 'time', label: 'Time', width: 100, rank: 0, sort: 'time', formatCell: () => '' },
	{ id: 'name', label: 'Name', width: 100, rank: 1, formatCell: () => '' },
];

/** Renders the header of two columns. Returns it and the list of calls. */
export function renderHead(): { readonly head: HTMLElement; readonly calls: unknown[][] } {
	const calls: unknown[][] = [];
	const head = document.createElement('div');
	const actions: HeadActions = {
		focused: undefined,
		focusColumn: id => calls.push(['focus', id]),
		resizeColumn: (...resized) => calls.push(['resize', ...resized]),
	};
	const look = {
		label: 'Runs',
		rowCss: 'row',
		columns,
		strings: { resize: 'Resize' },
		onSort: (by: string) => calls.push(['sort', by]),
	};
	render(renderTableHead(look, columns, actions), head);
	return { head, calls };
}

/** Renders a row with one cell, and returns the cell. */
export function renderSingleCell(cell: ReturnType<Column<unknown>['formatCell']>): HTMLElement {
	const row = document.createElement('div');
	const column: Column<{ readonly id: string }> = { id: 'time', label: 'Time', width: 100, rank: 0, formatCell: () => cell };
	const look = { label: 'Runs', rowCss: 'row', columns: [column], strings: { resize: 'Resize' }, onSort: () => {} };
	const place = { place: 0, top: 0, isActive: false, isSelected: false };
	render(renderTableRow(look, [column], { id: 'a' }, place, { handleClick: () => {}, openRow: () => {} }), row);
	return row.querySelector<HTMLElement>('[role=gridcell]')!;
}
