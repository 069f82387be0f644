import { html, nothing } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';

/** Minimum distance between marks as a fraction of the axis. */
const leastShare = 1 / 5;
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000];

/** Returns the positions of at most six marks, in milliseconds from 0, for an axis of the given length. */
export function getTimeMarks(rangeMs: number): number[] {
	const least = rangeMs * leastShare;
	// longer steps are whole minutes
	const step = steps.find(each => each >= least) ?? Math.ceil(least / 60_000) * 60_000;
	return Array.from({ length: Math.floor(rangeMs / step) + 1 }, (_, place) => place * step);
}

/**
 * Renders the axis above the bars. Hidden from screen readers because each row has its duration.
 * @param moment time of the shown moment in milliseconds from 0; undefined for the present
 */
export function renderTimeAxis(rangeMs: number, strings: InspectorStrings, moment: number | undefined): unknown {
	return html`<div class="axis" aria-hidden="true"><span></span><div class="marks">
		${getTimeMarks(rangeMs).map(ms => html`<span class="mark" style="left: ${(ms / rangeMs) * 100}%">${ms === 0 ? '0' : formatDuration(ms, ms < 1000 ? 'exact' : 'brief', strings)}</span>`)}
		${moment === undefined ? nothing : renderMomentLine(moment / rangeMs)}
	</div><span></span></div>`;
}

/** Renders the line of the shown moment. `share`: its place as a fraction of the axis. */
export function renderMomentLine(share: number): unknown {
	return html`<span class="momentLine" style="left: ${Math.min(1, Math.max(0, share)) * 100}%"></span>`;
}
