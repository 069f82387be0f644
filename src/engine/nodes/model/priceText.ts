/** Formats a price for outputs: a decimal number with up to nine decimal places. */
export function formatExactPrice(price: number): string {
	const [whole, fraction = ''] = price.toFixed(9).split('.');
	const digits = fraction.replace(/(?<!0)0+$/, '');
	return digits === '' ? `${whole}` : `${whole}.${digits}`;
}
