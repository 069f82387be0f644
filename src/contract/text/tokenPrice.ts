/** Price of a million tokens. */
export interface TokenPrice {
	readonly input: number;
	readonly output: number;
	/** Price of prompt tokens read from the service's cache; default: `input`. */
	readonly cached?: number | undefined;
	/** ISO 4217 code, such as `EUR`. */
	readonly currency: string;
	/** Prices of a call with more prompt tokens than `above`, if they differ. */
	readonly long?: { readonly above: number; readonly input: number; readonly output: number; readonly cached?: number } | undefined;
}

/** Billed tokens of one call. */
export interface TokenUsage {
	/** Prompt tokens, including {@link cached}. */
	readonly input: number;
	/** Prompt tokens read from the service's cache. */
	readonly cached: number;
	/** Reply tokens, including reasoning. */
	readonly output: number;
}

/** More tokens than any call can have; larger counts are ignored. */
const mostTokens = 1_000_000_000;

/** Normalizes token counts to non-negative integers, with at most as many cached as input tokens. Undefined for implausible counts. */
export function normalizeTokenCounts({ input, cached, output }: TokenUsage): TokenUsage | undefined {
	if (![input, cached, output].every(count => count >= 0 && count <= mostTokens)) {
		return undefined;
	}
	return { input: Math.round(input), cached: Math.round(Math.min(cached, input)), output: Math.round(output) };
}

/** An amount in a currency. */
export interface Cost {
	readonly amount: number;
	readonly currency: string;
}

/** Returns the cost of tokens in the price's currency. Cached tokens have a separate price if one is set. */
export function computeCost({ input, cached, output }: TokenUsage, { long, ...usual }: TokenPrice): number {
	const price = long && input > long.above ? long : usual;
	const parts = (input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output;
	// round to a billionth, to hide floating-point errors
	return Math.round(parts * 1_000) / 1_000_000_000;
}

/**
 * Header with the token price of a reply (not in the contract). It has prices rather than the cost, because a stream's headers are sent
 * before its tokens are counted.
 */
export const priceHeader = 'x-agent-workbench-price';

/**
 * Formats a price for {@link priceHeader}: `input=3, output=15, cached=0.3, currency=EUR`. If long prompts cost more, their price follows:
 * `; above=200000, input=6, output=22`.
 */
export function formatPriceLine({ long, currency, ...usual }: TokenPrice): string {
	return `${formatAmounts(usual)}, currency=${currency}${long ? `; above=${long.above}, ${formatAmounts(long)}` : ''}`;
}

function formatAmounts({ input, output, cached }: Pick<TokenPrice, 'input' | 'output' | 'cached'>): string {
	return `input=${input}, output=${output}${cached === undefined ? '' : `, cached=${cached}`}`;
}

/** Parses a price written by {@link formatPriceLine}; undefined for anything else. */
export function readPriceLine(line: unknown): TokenPrice | undefined {
	const [first = '', second, ...others] = typeof line === 'string' ? line.split('; ') : [];
	const [, usualText, currency = ''] = /^(.+), currency=([A-Z]{3})$/.exec(first) ?? [];
	const [, above, longText] = second === undefined ? [] : (/^above=(\d+), (.+)$/.exec(second) ?? []);
	const usual = readAmounts(usualText);
	const long = readAmounts(longText);
	if (!usual || others.length > 0 || (second !== undefined && !long)) {
		return undefined;
	}
	return { ...usual, currency, ...(long && { long: { above: Number(above), ...long } }) };
}

function readAmounts(text = ''): { input: number; output: number; cached?: number } | undefined {
	const [, input, output, cached] = /^input=([\d.e+-]+), output=([\d.e+-]+)(?:, cached=([\d.e+-]+))?$/.exec(text) ?? [];
	const price = { input: Number(input), output: Number(output), ...(cached !== undefined && { cached: Number(cached) }) };
	return Object.values(price).every(Number.isFinite) ? price : undefined;
}
