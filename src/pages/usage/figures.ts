import { formatNumber } from '../shared/format.ts';

/** Formats a number; empty if it's unknown. */
export function formatOptionalCount(count: number | null): string {
	return count === null ? '' : formatNumber(count);
}
