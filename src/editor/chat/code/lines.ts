/** Splits a text into lines. Accepts any line endings. */
export function splitLines(text: string): string[] {
	return text.split(/\r\n|\r|\n/);
}

/** Finds the changed lines `from` to `to` (inclusive) and their replacement. Both have at least one line, so that its line break stays. */
export function findChangedLines(
	before: readonly string[],
	after: readonly string[],
): { from: number; to: number; lines: readonly string[] } {
	const most = Math.min(before.length, after.length) - 1;
	let from = 0;
	while (from < most && before[from] === after[from]) {
		from++;
	}
	let same = 0;
	while (same < most - from && before.at(-1 - same) === after.at(-1 - same)) {
		same++;
	}
	return { from, to: before.length - 1 - same, lines: after.slice(from, after.length - same) };
}
