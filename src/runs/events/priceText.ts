/** Formats a price with fractions of a cent, because a node often costs less than a cent. */
export function formatPrice(price: number, currency: string | undefined): string {
	const amount = price.toFixed(6).replace(/0{1,4}$/, '');
	return currency === undefined || currency === 'USD' ? `$${amount}` : `${amount} ${currency}`;
}
