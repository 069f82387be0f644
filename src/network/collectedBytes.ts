/** Chunks with fewer bytes than this are joined, this many at once. */
const shortChunk = 1_024;
const joinedAtOnce = 1_000;

/**
 * Collects the bytes of a body. Short chunks are joined in between: a chunk of a single byte takes a hundred bytes of memory, and senders
 * choose the length of their chunks.
 */
export class CollectedBytes {
	#chunks: Uint8Array[] = [];
	#short: Uint8Array[] = [];
	#size = 0;

	get size(): number {
		return this.#size;
	}

	add(chunk: Uint8Array): void {
		this.#size += chunk.length;
		if (chunk.length >= shortChunk) {
			this.#joinShortChunks();
			this.#chunks.push(chunk);
		} else if (this.#short.push(chunk) === joinedAtOnce) {
			this.#joinShortChunks();
		}
	}

	/** Returns all bytes. A single chunk isn't copied. */
	join(): Buffer {
		this.#joinShortChunks();
		const [only] = this.#chunks;
		return only instanceof Buffer && this.#chunks.length === 1 ? only : Buffer.concat(this.#chunks, this.#size);
	}

	#joinShortChunks(): void {
		const [only] = this.#short;
		if (only) {
			this.#chunks.push(this.#short.length === 1 ? only : Buffer.concat(this.#short));
			this.#short = [];
		}
	}
}
