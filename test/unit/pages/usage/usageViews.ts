import { render } from 'lit';
import type { TextCallEntry } from '#contract/text/textCalls.ts';
import { renderTableRow } from '#pages/shared/table/columns.ts';
import { createCallsTable } from '#pages/usage/callsView.ts';
import { renderSums } from '#pages/usage/sumsView.ts';
import type { UsageStrings } from '#pages/usage/usageStrings.ts';

/** Renders the row of a call in the request log. */
export function renderCallRow(call: TextCallEntry, strings: UsageStrings): HTMLElement {
	const place = { place: 0, top: 0, isActive: false, isSelected: false };
	return renderTemplate(renderTableRow(createCallsTable(strings), call, place, { handleClick: () => {}, openRow: () => {} }));
}

/** Renders the tables of the usage page. */
export function renderSumTables(sums: unknown, strings: UsageStrings): HTMLElement {
	return renderTemplate(renderSums({ sums, days: 1 } as never, strings, () => {}));
}

function renderTemplate(template: unknown): HTMLElement {
	const root = document.createElement('div');
	render(template, root);
	return root;
}
