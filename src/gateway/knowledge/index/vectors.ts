/** Scales a vector to length one, so that the cosine of two vectors is their dot product. A zero vector stays unchanged. */
export function normalizeVector(vector: Float32Array): Float32Array {
	let squares = 0;
	for (const value of vector) {
		squares += value * value;
	}
	const length = Math.sqrt(squares) || 1;
	return vector.map(value => value / length);
}

/** Returns the bytes of a vector for the index. */
export function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
	return new Uint8Array(buffer, byteOffset, byteLength);
}

/** Returns the dot product of a vector and a vector stored as bytes. Both must have the same length. */
export function computeDotProduct(vector: Float32Array, bytes: Uint8Array): number {
	const aligned = bytes.byteOffset % 4 === 0 ? bytes : new Uint8Array(bytes);
	const kept = new Float32Array(aligned.buffer, aligned.byteOffset, aligned.byteLength / 4);
	let sum = 0;
	for (let at = 0; at < kept.length; at++) {
		sum += (kept[at] as number) * (vector[at] as number);
	}
	return sum;
}
