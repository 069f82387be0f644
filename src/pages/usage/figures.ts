import { formatNumber } from '../shared/format.ts';

/** A count; empty where it is not known. */
export function formatOptionalCount(count: number | null): string {
	return count === null ? '' : formatNumber(count);
}

/** Bytes in the largest unit that leaves a digit before the point. */
export function formatSize(bytes: number): string {
	const [amount, unit] = bytes < 1024 * 1024 ? [Math.ceil(bytes / 1024), 'KB'] : [bytes / 1024 / 1024, 'MB'];
	return `${formatNumber(amount, { maximumFractionDigits: 1 })} ${unit}`;
}
