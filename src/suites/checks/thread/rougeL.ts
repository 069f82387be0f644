/**
 * Computes the ROUGE-L score of two strings, from 0 to 1: the F measure of their longest common subsequence of words. Words consist of
 * letters and digits; case is ignored. Two strings without words are equal.
 */
export function computeRougeL(a: string, b: string): number {
	const [one, other] = [splitWords(a), splitWords(b)];
	if (one.length === 0 || other.length === 0) {
		return one.length === other.length ? 1 : 0;
	}
	const common = measureCommonSubsequence(one, other);
	return (2 * common) / (one.length + other.length);
}

function splitWords(text: string): readonly string[] {
	return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Measures the longest common subsequence with one row of the table. */
function measureCommonSubsequence(one: readonly string[], other: readonly string[]): number {
	let row = new Uint32Array(other.length + 1);
	for (const word of one) {
		const next = new Uint32Array(other.length + 1);
		for (let at = 1; at <= other.length; at++) {
			next[at] = word === other[at - 1] ? row[at - 1]! + 1 : Math.max(row[at]!, next[at - 1]!);
		}
		row = next;
	}
	return row[other.length]!;
}
