import { render } from 'lit';
import type { TextCallEntry } from '#contract/text/textCalls.ts';
import { renderTableRow } from '#pages/shared/table/columns.ts';
import { createCallsTable } from '#pages/usage/callsView.ts';
import { createSumRows, createSumsTable } from '#pages/usage/sumsView.ts';
import type { UsageSums } from '#pages/usage/usageMessages.ts';
import type { UsageStrings } from '#pages/usage/usageStrings.ts';

const place = { place: 0, top: 0, isActive: false, isSelected: false };
const actions = { handleClick: () => {}, openRow: () => {} };

/** Renders the row of a call in the request log. */
export function renderCallRow(call: TextCallEntry, strings: UsageStrings): HTMLElement {
	const look = createCallsTable(strings);
	return renderTemplate(renderTableRow(look, look.columns, call, place, actions));
}

/** Renders the rows of the usage page. */
export function renderSums(sums: UsageSums, strings: UsageStrings): readonly HTMLElement[] {
	const look = createSumsTable(strings);
	return createSumRows(sums, strings).map(row => renderTemplate(renderTableRow(look, look.columns, row, place, actions)));
}

function renderTemplate(template: unknown): HTMLElement {
	const root = document.createElement('div');
	render(template, root);
	return root;
}
