/** A set of whole numbers from 0, a bit each: what a batch of any size has done. */
export class OrdinalSet {
	#bits = new Uint8Array(1024);

	add(ordinal: number): void {
		const at = ordinal >>> 3;
		if (at >= this.#bits.length) {
			const larger = new Uint8Array(Math.max(at + 1, this.#bits.length * 2));
			larger.set(this.#bits);
			this.#bits = larger;
		}
		this.#bits[at]! |= 1 << (ordinal & 7);
	}

	has(ordinal: number): boolean {
		return ((this.#bits[ordinal >>> 3] ?? 0) & (1 << (ordinal & 7))) !== 0;
	}
}
