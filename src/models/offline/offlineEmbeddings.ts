import { setImmediate as nextTurn } from 'node:timers/promises';

/** Default length of the offline model's vectors. */
const usualDimensions = 256;

/** Number of words to process before yielding to other work. */
const wordsOfTurn = 2_000;

/**
 * Returns a deterministic vector of length 1. Each word of the text adds to the dimension of its hash, so texts that share words are near
 * each other, regardless of meaning.
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
		// there are no words, or they cancel each other out
		vector[hashText(text.slice(0, 1_000)) % dimensions] = 1;
		return vector;
	}
	return vector.map(value => value / length);
}

/** Returns the FNV-1a hash (32 bits) of the UTF-16 code units. */
function hashText(text: string): number {
	let hash = 0x811c9dc5;
	for (let i = 0; i < text.length; i++) {
		hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
	}
	return hash >>> 0;
}
