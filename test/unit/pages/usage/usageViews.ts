import { render } from 'lit';
import type { TextCallEntry } from '#contract/text/textCalls.ts';
import { callsTable } from '#pages/usage/callsView.ts';
import { sumsView } from '#pages/usage/sumsView.ts';
import type { UsageStrings } from '#pages/usage/usageStrings.ts';

/** The row of a call in the request log. */
export function showCall(call: TextCallEntry, strings: UsageStrings): HTMLElement {
	const table = callsTable(strings, { click: () => {}, open: () => {} });
	return show(table.row(call, { place: 0, top: 0, isActive: false, isSelected: false }));
}

/** The tables of the usage page. */
export function showSums(sums: unknown, strings: UsageStrings): HTMLElement {
	return show(sumsView({ sums, days: 1 } as never, strings, () => {}));
}

function show(template: unknown): HTMLElement {
	const root = document.createElement('div');
	render(template, root);
	return root;
}
