import { html, nothing } from 'lit';
import { fill } from '../../shared/fill.ts';
import type { FromPanel, PanelHead } from '../panel/panelProtocol.ts';
import type { PanelStrings } from '../panel/panelStrings.ts';
import type { ShownTurn } from './chatChanges.ts';

/** Percentage of the context window from which a summary is offered. */
const nearlyFull = 80;

/** Renders the turns that a summary replaces as a block that unfolds, then the summary with a button that undoes it. */
export function renderSummarized(
	turns: readonly ShownTurn[],
	rendered: unknown,
	strings: PanelStrings,
	post: (message: FromPanel) => void,
): unknown {
	const last = turns.at(-1);
	if (!last?.summary) {
		return nothing;
	}
	return html`<details class="summarized">
			<summary>${fill(strings.summarized, turns.length)}</summary>
			${rendered}
		</details>
		<section class="summaryText" aria-label=${strings.summary}>
			<p class="note">${strings.summary} <button type="button" class="linkButton" @click=${() => post({ type: 'undoSummary', turn: last.id })}>${strings.undoSummary}</button></p>
			<markdown-text .complete=${true} .text=${last.summary}></markdown-text>
		</section>`;
}

/** Renders the offer to summarize older messages of a chat that nearly fills the context window of its model. */
export function renderSummaryOffer(
	{ tokens, canSummarize, busy }: PanelHead,
	strings: PanelStrings,
	post: (message: FromPanel) => void,
): unknown {
	const percent = tokens ? Math.round((tokens.used / tokens.window) * 100) : 0;
	return percent >= nearlyFull && canSummarize
		? html`<p class="note summaryOffer">${fill(strings.nearlyFull, percent)} <button type="button" class="linkButton" ?disabled=${busy} @click=${() => post({ type: 'summarize' })}>${strings.actions.summarize}</button></p>`
		: nothing;
}
