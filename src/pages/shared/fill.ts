import { formatNumber } from './format.ts';

/** Fills in the placeholders `{0}`, `{1}` … of a translated string. */
export function fill(text: string, ...values: readonly (string | number)[]): string {
	return text.replace(/\{(\d+)\}/g, (whole, index) => String(values[Number(index)] ?? whole));
}

/** Fills a number into the string for its plural form. */
export function fillCount({ one, many }: { readonly one: string; readonly many: string }, count: number): string {
	return count === 1 ? one : fill(many, formatNumber(count));
}
