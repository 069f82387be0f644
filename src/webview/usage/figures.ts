/** Money of one currency, with as many decimals as small prices need. Empty where no price is known. */
export function moneyText(amount: number | null, currency: string | null): string {
	if (amount === null || !currency) {
		return '';
	}
	const digits = amount !== 0 && amount < 0.1 ? { maximumSignificantDigits: 3 } : { minimumFractionDigits: 2, maximumFractionDigits: 2 };
	return amount.toLocaleString(undefined, { style: 'currency', currency, ...digits });
}

/** A count; empty where it is not known. */
export function countText(count: number | null): string {
	return count === null ? '' : count.toLocaleString();
}

/** Bytes in the largest unit that leaves a digit before the point. */
export function sizeText(bytes: number): string {
	const [amount, unit] = bytes < 1024 * 1024 ? [Math.ceil(bytes / 1024), 'KB'] : [bytes / 1024 / 1024, 'MB'];
	return `${amount.toLocaleString(undefined, { maximumFractionDigits: 1 })} ${unit}`;
}
