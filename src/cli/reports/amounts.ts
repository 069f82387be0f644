import { formatDuration } from '#base/text/duration.ts';
import { toPlainLine } from '../output.ts';

/** Formats a duration, for example `4.6 s`. */
export function formatSeconds(seconds: number): string {
	return formatDuration(seconds * 1000, 'exact');
}

/** Formats a cost, for example `0.0123 USD`. */
export function formatCost(cost: number, currency: string | undefined): string {
	return `${cost.toPrecision(3)}${currency === undefined ? '' : ` ${toPlainLine(currency)}`}`;
}
