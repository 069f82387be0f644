import { formatNumber } from './format.ts';
/** Money of one currency, with as many decimals as small prices need. Empty where no price is known. */
export function moneyText(amount: number | null, currency: string | null): string {
	if (amount === null || !currency) {
		return '';
	}
	const digits = amount !== 0 && amount < 0.1 ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
	return formatNumber(amount, { style: 'currency', currency, ...digits });
}
