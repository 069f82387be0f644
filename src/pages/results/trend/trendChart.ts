import { html, nothing, svg } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { summarizeTrendLine, type TrendLine, type TrendSummary } from '#suites/gate/trend.ts';
import { fill } from '../../shared/fill.ts';
import { formatRange, formatSigned } from '../figures.ts';
import type { ResultsStrings } from '../resultsStrings.ts';
import { formatTrendValue } from './trendTable.ts';

/** Size of a chart, which is stretched to its place. */
const [width, height] = [100, 40];

interface ChartModel {
	readonly line: TrendLine;
	/** Indexes of the entries that can't be compared with the one before. */
	readonly breaks: ReadonlySet<number>;
	/** Index of the selected entry, if any. */
	readonly selected: number | undefined;
	readonly strings: ResultsStrings;
}

/** A point of a line: a position, and the value there. */
interface ChartPoint {
	readonly at: number;
	readonly value: number;
}

/** Renders a metric as a line, which is interrupted where entries have no value or can't be compared, with its main values. */
export function renderTrendChart({ line, breaks, selected, strings }: ChartModel): unknown {
	const { trend } = strings;
	const { values, intervals, unit } = line;
	const summary = summarizeTrendLine(line);
	const { first, latest, lowest, highest } = summary;
	const format = (value: number) => formatTrendValue(value, line, strings);
	const name = line.isCheck ? fill(trend.check, line.name) : trend.metrics[line.name];
	const shown = selected ?? values.findLastIndex(value => value !== undefined);
	const [value, interval] = [values[shown], intervals?.[shown]];
	const text = value === undefined ? trend.noValue : `${format(value)}${interval ? ` (${formatRange(interval, strings)})` : ''}`;
	const change = latest - first;
	const difference = unit === 'share' ? fill(trend.points, formatSigned(change)) : `${change > 0 ? '+' : ''}${format(change)}`;
	return html`<figure class="chart" role="img" aria-label=${fill(trend.chart, name, format(first), format(latest), format(lowest), format(highest))}>
		<figcaption><span class="chartName" title=${name}>${name}</span><span class="figure" title=${trend.valueHint[selected === undefined ? 'latest' : 'selected']}>${text}</span></figcaption>
		<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">${drawLine({ line, breaks, selected }, summary)}</svg>
		<div class="chartFacts"><span title=${trend.rangeHint}>${fill(strings.range, format(lowest), format(highest))}</span><span title=${trend.changeHint}>${change === 0 ? '' : difference}</span></div>
	</figure>`;
}

/** Draws the line with its intervals and breaks, and the selected entry. */
function drawLine({ line, breaks, selected }: Omit<ChartModel, 'strings'>, summary: TrendSummary): unknown {
	const toPosition = createScale(line, summary);
	const [value, x] = selected === undefined ? [] : [line.values[selected], toPosition(selected, 0)[0]];
	return svg`${guard([line, breaks], () => drawSegments(line, breaks, toPosition))}
		${x === undefined ? nothing : svg`<line class="marker" x1=${x} x2=${x} y1="0" y2=${height}></line>`}
		${value === undefined ? nothing : svg`<path class="dot selected" d="M${toPosition(selected!, value).join(' ')}h0"></path>`}`;
}

type Scale = (at: number, value: number) => readonly [x: number, y: number];

/** Returns a function that converts the index of an entry and a value to a position. */
function createScale({ values }: TrendLine, { bottom, top }: TrendSummary): Scale {
	const round = (position: number) => Number(position.toFixed(2));
	return (at, value) => {
		const share = (value - bottom) / (top - bottom || 1);
		return [
			round(values.length > 1 ? (at * width) / (values.length - 1) : width / 2),
			round(height * (1 - Math.max(0, Math.min(1, share)))),
		];
	};
}

function drawSegments({ values, intervals }: TrendLine, breaks: ReadonlySet<number>, toPosition: Scale): unknown {
	const segments = splitLine(values, breaks);
	const toPath = (points: readonly ChartPoint[]) => points.map(({ at, value }) => toPosition(at, value).join(' ')).join('L');
	const bands = segments.map(points => {
		const ends = points.flatMap(({ at }) => {
			const interval = intervals?.[at];
			return interval ? [{ at, ...interval }] : [];
		});
		const lows = ends.map(({ at, low }) => ({ at, value: low })).reverse();
		return ends.length > 1 ? `M${toPath(ends.map(({ at, high }) => ({ at, value: high })))}L${toPath(lows)}Z` : '';
	});
	// a line without length has round ends: a dot, which stretching doesn't distort
	const dots = segments.flatMap(points => (points.length === 1 ? [`M${toPath(points)}h0`] : []));
	return svg`
		${[...breaks].map(at => {
			const x = toPosition(at - 0.5, 0)[0];
			return svg`<line class="break" x1=${x} x2=${x} y1="0" y2=${height}></line>`;
		})}
		<path class="band" d=${bands.join('')}></path>
		<path class="line" d=${segments.map(points => `M${toPath(points)}`).join('')}></path>
		<path class="dot" d=${dots.join('')}></path>`;
}

/** Splits values into lines of entries that have a value and can be compared with the one before. */
function splitLine(values: TrendLine['values'], breaks: ReadonlySet<number>): readonly (readonly ChartPoint[])[] {
	const segments: ChartPoint[][] = [];
	for (const [at, value] of values.entries()) {
		if (value !== undefined) {
			const isNew = values[at - 1] === undefined || breaks.has(at);
			const segment = isNew ? [] : segments.at(-1)!;
			segment.push({ at, value });
			if (isNew) {
				segments.push(segment);
			}
		}
	}
	return segments;
}
