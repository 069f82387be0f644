import { createHash } from 'node:crypto';

/** Returns a source of random indexes below a size (xoshiro128**), which depend only on the seed. */
export function createIndexSource(seed: string): (size: number) => number {
	const digest = createHash('sha256').update(seed).digest();
	let [a, b, c, d] = [0, 4, 8, 12].map(at => digest.readUInt32LE(at)) as [number, number, number, number];
	return size => {
		const product = Math.imul(b, 5);
		const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
		const shifted = b << 9;
		c ^= a;
		d ^= b;
		b ^= c;
		a ^= d;
		c ^= shifted;
		d = (d << 11) | (d >>> 21);
		return Math.floor((result / 2 ** 32) * size);
	};
}
