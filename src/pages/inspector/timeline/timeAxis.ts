import { html } from 'lit';
import { formatDuration } from '#base/text/duration.ts';
import type { InspectorStrings } from '../inspectorStrings.ts';

/** A mark has at least this share of the axis to itself. */
const leastShare = 1 / 5;
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000];

/** Marks of an axis that is so many milliseconds long, from zero, at most six. */
export function timeMarks(rangeMs: number): number[] {
	const least = rangeMs * leastShare;
	// minutes, and as many of them as it takes
	const step = steps.find(each => each >= least) ?? Math.ceil(least / 60_000) * 60_000;
	return Array.from({ length: Math.floor(rangeMs / step) + 1 }, (_, place) => place * step);
}

/** The axis above the bars; for readers each row has its time. */
export function timeAxis(rangeMs: number, strings: InspectorStrings): unknown {
	return html`<div class="axis" aria-hidden="true"><span></span><div class="marks">
		${timeMarks(rangeMs).map(ms => html`<span class="mark" style="left: ${(ms / rangeMs) * 100}%">${ms === 0 ? '0' : formatDuration(ms, 'brief', strings)}</span>`)}
	</div><span></span></div>`;
}
