import { setImmediate as nextTurn } from 'node:timers/promises';

/** Length of the offline model's vectors where the caller names none. */
const usualDimensions = 256;

/** Words that are read before others have their turn. */
const wordsOfTurn = 2_000;

/**
 * Vectors of the offline model: each word of a text adds to a place that its hash names, and the whole has length 1. So texts with words in common are
 * near each other, and nothing else is: it knows words, not what they mean. Deterministic.
 */
export async function offlineEmbedding(text: string, dimensions: number = usualDimensions): Promise<Float32Array> {
	const vector = new Float32Array(dimensions);
	let words = 0;
	for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
		const hash = hashOf(word.toLowerCase());
		const at = (hash >>> 1) % dimensions;
		vector[at] = (vector[at] ?? 0) + (hash % 2 === 0 ? 1 : -1);
		words++;
		if (words % wordsOfTurn === 0) {
			await nextTurn();
		}
	}
	const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
	if (length === 0) {
		// no words, or words that cancel each other out
		vector[hashOf(text.slice(0, 1_000)) % dimensions] = 1;
		return vector;
	}
	return vector.map(value => value / length);
}

/** FNV-1a, 32 bits, of UTF-16 units. */
function hashOf(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	}
	return hash >>> 0;
}
