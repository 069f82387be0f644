/**
 * Returns a number of tokens, seconds or money as a service reports it, as a number or text. 0 for anything that isn't finite and at least 0:
 * added to a sum, such a value would use up no limit, or give back what others have used.
 */
export function toAmount(value: unknown): number {
	const amount = typeof value === 'number' || typeof value === 'string' ? Number(value) : 0;
	return Number.isFinite(amount) && amount > 0 ? amount : 0;
}

/** Returns the tokens that a reply of a model used, both for its input and its output; see {@link toAmount}. */
export function countUsedTokens(usage: { readonly input_tokens?: unknown; readonly output_tokens?: unknown } | undefined): number {
	return toAmount(usage?.input_tokens) + toAmount(usage?.output_tokens);
}

/** Maximum number of currencies to name. */
const mostCurrencies = 3;
const separator = ' + ';

/**
 * Returns the currency of the sum of two amounts. If they are in several, it names all of them, such as `EUR + USD`, because the sum is in
 * none of them.
 */
export function joinCurrencies(one: string | undefined, other: string | undefined): string | undefined {
	if (one === undefined || other === undefined || one === other) {
		return one ?? other;
	}
	const all = [...new Set([one, other].flatMap(each => each.split(separator)))].sort();
	return all.length > mostCurrencies ? [...all.slice(0, mostCurrencies - 1), '…'].join(separator) : all.join(separator);
}

/** True if a currency is that of a sum of amounts in several. */
export function isMixedCurrency(currency: string | undefined): boolean {
	return currency?.includes(separator) === true;
}
