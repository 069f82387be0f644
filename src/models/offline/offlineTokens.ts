/**
 * Splits a text into the offline model's tokens: words with their leading space, with long words cut. Joined, the tokens equal the text.
 * The count also serves as an estimate for other models.
 */
export function splitTokens(text: string): string[] {
	return text.match(/\s*\S{1,6}|\s+$/gu) ?? [];
}

export function countTokens(text: string): number {
	return splitTokens(text).length;
}
