import { type Duration, durationOf, type Precision } from '#base/text/duration.ts';
import { fill } from './fill.ts';

/** Words for durations, by their unit. */
export type DurationStrings = Readonly<Record<Duration['unit'], string>>;

/** A duration in the page's language. Takes milliseconds. */
export function durationText(ms: number, precision: Precision, strings: DurationStrings): string {
	const { unit, figures } = durationOf(ms, precision);
	return fill(strings[unit], ...figures);
}
