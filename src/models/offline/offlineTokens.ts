/**
 * Splits a text into the offline model's tokens: words with the space before them, long ones cut. Joined they are the text again. Other models have
 * tokens of their own; where their count is not to be had, this is the estimate.
 */
export function tokensOf(text: string): string[] {
	return text.match(/\s*\S{1,6}|\s+$/gu) ?? [];
}

/** Number of tokens of a text. */
export function countTokens(text: string): number {
	return tokensOf(text).length;
}
