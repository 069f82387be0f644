import { html, nothing } from 'lit';
import type { DetailPart, NodeDetail } from '../../workflows/inspector/inspectorProtocol.ts';
import type { InspectorStrings } from '../../workflows/inspector/inspectorStrings.ts';
import type { TimelineRow } from '../../workflows/inspector/timeline.ts';
import { fill } from '../shared/fill.ts';
import { durationText } from './durations.ts';
import { statusIcon } from './statusIcon.ts';
import { tabsView } from './tabs.ts';

export const detailParts: readonly DetailPart[] = ['inputs', 'processData', 'outputs', 'error', 'metadata', 'raw'];

export interface DetailModel {
	readonly strings: InspectorStrings;
	readonly row: TimelineRow | undefined;
	/** `undefined` while it is read. */
	readonly detail: NodeDetail | undefined;
	readonly part: DetailPart;
	readonly live: boolean;
	/** What is said where no row is selected. */
	readonly empty: string;
	readonly code: (id: string, text: string, language: string) => HTMLElement;
	select(part: DetailPart): void;
}

/** What went into the selected node, what it did, and what came out. */
export function detailView({ strings, row, detail, part, live, empty, code, select }: DetailModel): unknown {
	if (!row) {
		return html`<section class="detail" aria-label=${strings.detail}><p class="dim empty">${empty}</p></section>`;
	}
	const { title, kind, status, start, end, tokens, price, currency, retries, error } = row;
	const tabs = detailParts.map(id => ({ id, label: strings.parts[id], empty: detail !== undefined && detail[id] === undefined }));
	const until = end ?? (live ? Date.now() : undefined);
	const facts = [
		...(status === 'told' ? [] : [strings.statuses[status] ?? status]),
		...(until === undefined || status === 'told' ? [] : [durationText(until - start, strings)]),
		...(tokens === undefined ? [] : [fill(strings.tokens, tokens.toLocaleString())]),
		...(price === undefined ? [] : [priceText(price, currency)]),
		...(retries === undefined ? [] : [fill(strings.retries, retries)]),
	];
	const text = detail?.[part];
	return html`<section class="detail" aria-label=${strings.detail}>
		<div class="sectionHead">
			<span class=${statusIcon(status)} aria-hidden="true"></span>
			<h2 title=${title}>${title}</h2>
			<span class="dim">${kind}</span>
		</div>
		<p class="facts">${facts.join(' · ')}</p>
		${error && part !== 'error' ? html`<p class="problem"><span class="codicon codicon-error" aria-hidden="true"></span>${error}</p>` : nothing}
		${tabsView({ label: strings.detail, prefix: 'detail', tabs, selected: part, select })}
		<div class="panel" role="tabpanel" id="detail-panel" aria-labelledby="detail-${part}" tabindex="0">
			${detail === undefined ? html`<p class="dim">${strings.loading}</p>` : text === undefined ? html`<p class="dim">${strings.nothingHere}</p>` : code('detail', text, isJson(text) ? 'json' : '')}
		</div>
	</section>`;
}

/** An error is a sentence more often than a value. */
function isJson(text: string): boolean {
	return /^[{[]/.test(text);
}

/** A price in full: parts of a cent are what a node costs. */
export function priceText(price: number, currency: string | undefined): string {
	const amount = price.toFixed(6).replace(/0{1,4}$/, '');
	return currency === undefined || currency === 'USD' ? `$${amount}` : `${amount} ${currency}`;
}
