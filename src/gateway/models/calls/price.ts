import type { PriceConfig } from '../../config.ts';
import type { TokenUsage } from './tokenUsage.ts';

/** What tokens cost, in the currency of the price: those read from a service's cache at their own price where there is one. */
export function priceOf({ input, cached, output }: TokenUsage, price: PriceConfig): number {
	const parts = (input - cached) * price.input + cached * (price.cached ?? price.input) + output * price.output;
	// to the billionth: what floating point adds behind it nobody is billed
	return Math.round(parts * 1_000) / 1_000_000_000;
}
