/** Names that a misspelt one may mean, nearest first: at most three, none that differs in more than a third of its letters. */
export function closest(name: string, names: readonly string[]): string[] {
	return names
		.map(candidate => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
		.filter(({ candidate, distance }) => distance <= Math.max(1, Math.ceil(Math.max(name.length, candidate.length) / 3)))
		.sort((a, b) => a.distance - b.distance)
		.slice(0, 3)
		.map(({ candidate }) => candidate);
}

// Levenshtein with one row; names are short.
function editDistance(a: string, b: string): number {
	let row = Array.from({ length: b.length + 1 }, (_, at) => at);
	for (let i = 1; i <= a.length; i++) {
		const next = [i];
		for (let j = 1; j <= b.length; j++) {
			next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
		}
		row = next;
	}
	return row[b.length]!;
}
