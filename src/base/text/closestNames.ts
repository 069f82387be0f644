import { cutText } from './cutText.ts';

/** Longer names get no suggestions, because comparing takes time proportional to the product of the lengths. */
const longestName = 100;

/** Maximum number of letter comparisons for the suggestions of one check. */
const mostComparisons = 10_000_000;

/**
 * Suggests names similar to a misspelled one, most similar first. Returns at most three names, which differ in at most a third of their
 * letters.
 */
export function findClosestNames(name: string, names: readonly string[]): string[] {
	return names
		.filter(candidate => Math.max(name.length, candidate.length) <= longestName)
		.map(candidate => ({ candidate, distance: computeEditDistance(name.toLowerCase(), candidate.toLowerCase()) }))
		.filter(({ candidate, distance }) => distance <= Math.max(1, Math.ceil(Math.max(name.length, candidate.length) / 3)))
		.sort((a, b) => a.distance - b.distance)
		.slice(0, 3)
		.map(({ candidate }) => candidate);
}

/**
 * Returns a {@link findClosestNames} for all the names of one check. It suggests nothing once it has compared {@link mostComparisons} letters,
 * so that a file with thousands of unknown names doesn't take minutes.
 */
export function createLimitedNameFinder(): typeof findClosestNames {
	let left = mostComparisons;
	return (name, names) => {
		if (left > 0) {
			const estimateCost = ({ length }: string) => (Math.max(length, name.length) <= longestName ? (length + 1) * (name.length + 1) : 1);
			left -= names.reduce((sum, each) => sum + estimateCost(each), 0);
		}
		return left > 0 ? findClosestNames(name, names) : [];
	};
}

/** Maximum number of names listed in a message. */
const mostListed = 50;

/** Joins names for a message. Shortens long lists and long names, because a file can have a problem with the same names thousands of times. */
export function joinNames(names: readonly string[], most = mostListed): string {
	const listed = names.slice(0, most).map(name => cutText(name, longestName));
	return [...listed, ...(names.length > most ? ['…'] : [])].join(', ');
}

// Computes the Levenshtein distance with a single row, which suffices for short names.
function computeEditDistance(a: string, b: string): number {
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
