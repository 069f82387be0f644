import { formatNumber } from './format.ts';

/** Formats an amount of money with enough decimals for small prices; empty if no price is known. */
export function formatMoney(amount: number | null, currency: string | null): string {
	if (amount === null || !currency) {
		return '';
	}
	const digits = amount !== 0 && amount < 0.1 ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
	return formatNumber(amount, { style: 'currency', currency, ...digits });
}
