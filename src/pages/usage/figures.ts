import { formatNumber } from '../shared/format.ts';

/** Formats a number; empty if it's unknown. */
export function formatOptionalCount(count: number | null): string {
	return count === null ? '' : formatNumber(count);
}

/** Formats a size in bytes as KB or MB. */
export function formatSize(bytes: number): string {
	const [amount, unit] = bytes < 1024 * 1024 ? [Math.ceil(bytes / 1024), 'KB'] : [bytes / 1024 / 1024, 'MB'];
	return `${formatNumber(amount, { maximumFractionDigits: 1 })} ${unit}`;
}
