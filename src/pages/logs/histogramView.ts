import { html, nothing } from 'lit';
import { fill } from '../shared/fill.ts';
import { formatDateTime } from '../shared/format.ts';
import type { Histogram } from './logsMessages.ts';
import type { LogsStrings } from './logsStrings.ts';

/** Renders runs over time as stacked bars with failed runs at the bottom. */
export function renderHistogram(histogram: Histogram | undefined, strings: LogsStrings): unknown {
	if (!histogram) {
		return nothing;
	}
	const { from, to, bars, isPartial } = histogram;
	const most = Math.max(1, ...bars.map(({ succeeded, failed, other }) => succeeded + failed + other));
	const width = (to - from) / bars.length;
	const spansDays = new Date(from).toDateString() !== new Date(to).toDateString();
	const title = isPartial ? strings.histogramLoaded : strings.histogram;
	const renderBarPart = (css: string, count: number) =>
		count === 0 ? nothing : html`<span class="part ${css}" style="height: ${(count / most) * 100}%"></span>`;
	return html`<figure class="histogram" role="img" aria-label=${`${title}. ${formatSummary(histogram, strings)}`}>
		<div class="bars">${bars.map(({ succeeded, failed, other }, place) => {
			const at = formatMoment(from + place * width, spansDays);
			return html`<div class="bar" title=${fill(strings.bar, at, succeeded, failed, other)}>${renderBarPart('succeeded', succeeded)}${renderBarPart('other', other)}${renderBarPart('failed', failed)}</div>`;
		})}</div>
		<figcaption aria-hidden="true"><span>${formatMoment(from, spansDays)}</span><span class="dim">${isPartial ? title : nothing}</span><span>${formatMoment(to, spansDays)}</span></figcaption>
	</figure>`;
}

function formatSummary({ from, to, bars }: Histogram, strings: LogsStrings): string {
	const sumBars = (of: 'succeeded' | 'failed' | 'other') => bars.reduce((total, bar) => total + bar[of], 0);
	return fill(
		strings.bar,
		`${formatMoment(from, true)} – ${formatMoment(to, true)}`,
		sumBars('succeeded'),
		sumBars('failed'),
		sumBars('other'),
	);
}

function formatMoment(ms: number, withDay: boolean): string {
	const day = withDay ? ({ day: 'numeric', month: 'short' } as const) : {};
	return formatDateTime(ms, { ...day, hour: 'numeric', minute: '2-digit' });
}
