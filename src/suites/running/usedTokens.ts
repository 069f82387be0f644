import { toAmount } from '#base/records/amount.ts';

/** Returns the tokens that a reply of a model used; 0 if the service doesn't report them, or no valid number. */
export function countUsedTokens(usage: { readonly input_tokens?: unknown; readonly output_tokens?: unknown } | undefined): number {
	return toAmount(usage?.input_tokens) + toAmount(usage?.output_tokens);
}
