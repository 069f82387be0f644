/** A price as nodes put it out: a decimal number as text, to the billionth. */
export function priceText(price: number): string {
	const [whole, fraction = ''] = price.toFixed(9).split('.');
	const digits = fraction.replace(/(?<!0)0+$/, '');
	return digits === '' ? `${whole}` : `${whole}.${digits}`;
}
