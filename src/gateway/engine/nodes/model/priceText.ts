/** A price as nodes put it out: a decimal number as text, to the billionth. */
export function priceText(price: number): string {
	return price.toFixed(9).replace(/(?<![.0])\.?0+$/, '');
}
