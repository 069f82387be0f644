/**
 * Splits a text into the offline model's tokens: words with their leading space, long words cut. Joined, they equal the text. Also serves
 * as an estimate for other models.
 */
export function splitTokens(text: string): string[] {
	return text.match(/\s*\S{1,6}|\s+$/gu) ?? [];
}

export function countTokens(text: string): number {
	return splitTokens(text).length;
}
