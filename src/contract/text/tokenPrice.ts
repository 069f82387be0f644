/** What a million tokens cost, in one currency. */
export interface TokenPrice {
	readonly input: number;
	readonly output: number;
	/** Of the prompt, those that the service reads from a cache of its own; absent: as the others. */
	readonly cached?: number | undefined;
	/** As ISO 4217 has it: `EUR`. */
	readonly currency: string;
}

/** Tokens of one call, as they are paid for. */
export interface TokenUsage {
	/** Of the prompt, {@link cached} among them. */
	readonly input: number;
	/** Of the prompt, those that the service read from a cache of its own. */
	readonly cached: number;
	/** Of the reply, with those of its reasoning. */
	readonly output: number;
}

/** More tokens than any call has: a service that tells of more tells nothing. */
const mostTokens = 1_000_000_000;

/**
 * Tokens as they can be counted and paid for: whole numbers, none of them below zero, and no more from a cache than there were. Undefined
 * for what can be no count.
 */
export function countedTokens({ input, cached, output }: TokenUsage): TokenUsage | undefined {
	if (![input, cached, output].every(count => count >= 0 && count <= mostTokens)) {
		return undefined;
	}
	return { input: Math.round(input), cached: Math.round(Math.min(cached, input)), output: Math.round(output) };
}

/** Money of one currency. */
export interface Cost {
	readonly amount: number;
	readonly currency: string;
}

/** What tokens cost, in the currency of the price: those read from a service's cache at their own price where there is one. */
export function priceOf({ input, cached, output }: TokenUsage, price: TokenPrice): number {
	const parts = (input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output;
	// to the billionth: what floating point adds behind it nobody is billed
	return Math.round(parts * 1_000) / 1_000_000_000;
}

/**
 * Header by which the gateway tells the price of a reply's tokens (beyond the contract): a stream's head goes out before they are counted.
 */
export const priceHeader = 'x-agent-workbench-price';

/** A price as {@link priceHeader} has it: `input=3, output=15, cached=0.3, currency=EUR`. */
export function priceLine({ input, output, cached, currency }: TokenPrice): string {
	return `input=${input}, output=${output}${cached === undefined ? '' : `, cached=${cached}`}, currency=${currency}`;
}

/** The price that {@link priceLine} wrote; undefined for anything else. */
export function readPriceLine(line: unknown): TokenPrice | undefined {
	const found =
		typeof line === 'string' ? /^input=([\d.e+-]+), output=([\d.e+-]+)(?:, cached=([\d.e+-]+))?, currency=([A-Z]{3})$/.exec(line) : null;
	if (!found) {
		return undefined;
	}
	const [input = Number.NaN, output = Number.NaN] = found.slice(1, 3).map(Number);
	const cached = found[3] === undefined ? undefined : Number(found[3]);
	return [input, output, cached ?? 0].every(Number.isFinite) ? { input, output, cached, currency: found[4] ?? '' } : undefined;
}
