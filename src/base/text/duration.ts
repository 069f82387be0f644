import { fillPlaceholders } from './fillPlaceholders.ts';
import type { Localization } from './localization.ts';

/** A duration as numbers in a unit: `[12]` for `seconds`, `[3, 5]` for `minutes` (3 minutes 5 seconds). */
interface Duration {
	readonly unit: 'milliseconds' | 'seconds' | 'minutes' | 'hours';
	readonly figures: readonly string[];
}

/**
 * `brief` is for a glance: `4 ms`, `0.4 s`, `12 s`. `exact` has three digits, for comparing: `0.4 ms`, `412 ms`, `2.34 s`, `12.3 s`. Both
 * are the same from 1 minute.
 */
export type Precision = 'brief' | 'exact';

/** Rounds a duration in milliseconds for display. All rounding happens here, so that 59.9 s rounded up is shown as 1 min. */
export function roundDuration(given: number, precision: Precision): Duration {
	const ms = Math.max(0, given);
	const isExact = precision === 'exact';
	if (ms < (isExact ? 999.5 : 100)) {
		return { unit: 'milliseconds', figures: [String(isExact && ms < 9.95 ? Number(ms.toFixed(1)) : Math.round(ms))] };
	}
	// limits from which the value has too many digits for two decimals or for one
	const [two, one] = isExact ? [9995, 59_950] : [0, 9950];
	if (ms < one) {
		return { unit: 'seconds', figures: [(ms / 1000).toFixed(ms < two ? 2 : 1)] };
	}
	const seconds = Math.round(ms / 1000);
	if (seconds < 60) {
		return { unit: 'seconds', figures: [String(seconds)] };
	}
	return seconds < 3600
		? { unit: 'minutes', figures: [String(Math.floor(seconds / 60)), String(seconds % 60)] }
		: { unit: 'hours', figures: [String(Math.floor(seconds / 3600)), String(Math.floor((seconds % 3600) / 60))] };
}

/** One message for each unit of a duration, with placeholders for its numbers. */
export type DurationStrings = Readonly<Record<Duration['unit'], string>>;

export function getDurationStrings({ t }: Localization): DurationStrings {
	return { milliseconds: t('{0} ms'), seconds: t('{0} s'), minutes: t('{0} min {1} s'), hours: t('{0} h {1} min') };
}

const english = getDurationStrings({ t: fillPlaceholders });

/** Formats a duration in milliseconds: `4 ms`, `0.4 s`, `12 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(ms: number, precision: Precision, strings: DurationStrings = english): string {
	const { unit, figures } = roundDuration(ms, precision);
	return fillPlaceholders(strings[unit], ...figures);
}
