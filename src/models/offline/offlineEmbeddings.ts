import { setImmediate as nextTurn } from 'node:timers/promises';

/** Default length of the offline model's vectors. */
const usualDimensions = 256;

/** Number of words to process before yielding to other work. */
const wordsOfTurn = 2_000;

/**
 * Returns a deterministic vector of length 1: each word of a text adds to the dimension of its hash. Texts that share words are near each
 * other, regardless of meaning.
 */
export async function createOfflineEmbedding(text: string, dimensions: number = usualDimensions): Promise<Float32Array> {
	const vector = new Float32Array(dimensions);
	let words = 0;
	for (const [word] of text.matchAll(/[\p{L}\p{N}]+/gu)) {
		const hash = hashText(word.toLowerCase());
		const at = (hash >>> 1) % dimensions;
		vector[at] = (vector[at] ?? 0) + (hash % 2 === 0 ? 1 : -1);
		words++;
		if (words % wordsOfTurn === 0) {
			await nextTurn();
		}
	}
	const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
	if (length === 0) {
		// there are no words, or words that cancel each other out
		vector[hashText(text.slice(0, 1_000)) % dimensions] = 1;
		return vector;
	}
	return vector.map(value => value / length);
}

/** FNV-1a, 32 bits, of UTF-16 units. */
function hashText(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	}
	return hash >>> 0;
}
