/** Words in a row that count as one feature of a text. */
const shingleWords = 3;
const hashes = 64;
/** Similarity from which two texts count as nearly the same. */
const threshold = 0.8;
/** Estimated similarity below which two texts aren't compared exactly: three standard errors below the threshold. */
const estimateThreshold = 0.65;

interface Fingerprint {
	readonly shingles: ReadonlySet<number>;
	/** Smallest hash of the shingles by each of the hash functions (MinHash). */
	readonly smallest: Uint32Array;
}

/** Texts of which none is nearly the same as another: the Jaccard similarity of their 3-word shingles is below 0.8. */
export class DistinctTexts {
	readonly #known: Fingerprint[] = [];

	/** Adds a text. Returns false if it's nearly the same as one that was added before. */
	add(text: string): boolean {
		const made = createFingerprint(text);
		const isKnown = this.#known.some(
			other => estimateSimilarity(made, other) >= estimateThreshold && computeSimilarity(made.shingles, other.shingles) >= threshold,
		);
		if (!isKnown) {
			this.#known.push(made);
		}
		return !isKnown;
	}
}

function createFingerprint(text: string): Fingerprint {
	const words = (text.toLowerCase().match(/[\p{L}\p{N}<>_]+/gu) ?? [text]).map(hashText);
	const shingles = new Set<number>();
	for (let at = 0; at === 0 || at + shingleWords <= words.length; at++) {
		shingles.add(words.slice(at, at + shingleWords).reduce((hash, word) => mixBits(Math.imul(hash, 31) + word), 0));
	}
	const smallest = new Uint32Array(hashes).fill(0xffff_ffff);
	for (const shingle of shingles) {
		for (let at = 0; at < hashes; at++) {
			const value = mixBits(shingle ^ Math.imul(at + 1, 0x9e37_79b1));
			if (value < smallest[at]!) {
				smallest[at] = value;
			}
		}
	}
	return { shingles, smallest };
}

function estimateSimilarity({ smallest: one }: Fingerprint, { smallest: other }: Fingerprint): number {
	let same = 0;
	for (let at = 0; at < hashes; at++) {
		same += Number(one[at] === other[at]);
	}
	return same / hashes;
}

function computeSimilarity(one: ReadonlySet<number>, other: ReadonlySet<number>): number {
	let common = 0;
	for (const shingle of one) {
		common += Number(other.has(shingle));
	}
	return common / (one.size + other.size - common);
}

/** Hashes a text quickly (FNV-1a): there can be millions of words. */
function hashText(text: string): number {
	let hash = 0x811c_9dc5;
	for (let at = 0; at < text.length; at++) {
		hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193);
	}
	return hash >>> 0;
}

/** Spreads the bits of a number (the last steps of MurmurHash3). */
function mixBits(value: number): number {
	let mixed = value;
	mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85eb_ca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35);
	return (mixed ^ (mixed >>> 16)) >>> 0;
}
