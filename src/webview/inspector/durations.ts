import { fill } from '../shared/fill.ts';

/** Words for durations. */
export interface DurationStrings {
	readonly milliseconds: string;
	readonly seconds: string;
	readonly minutes: string;
}

/** A duration to three digits: `0.4 ms`, `12 ms`, `2.34 s`, `3 min 5 s`. Takes milliseconds. */
export function durationText(ms: number, { milliseconds, seconds, minutes }: DurationStrings): string {
	if (ms < 999.5) {
		return fill(milliseconds, ms < 10 ? Number(ms.toFixed(1)) : Math.round(ms));
	}
	if (ms < 59_995) {
		return fill(seconds, (ms / 1000).toFixed(ms < 9995 ? 2 : 1));
	}
	const whole = Math.round(ms / 1000);
	return fill(minutes, Math.floor(whole / 60), whole % 60);
}
