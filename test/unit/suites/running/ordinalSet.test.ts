import assert from 'node:assert/strict';
import { OrdinalSet } from '#suites/running/ordinalSet.ts';

describe('the set of finished ordinals', () => {
	it('uses little memory, whatever a result file contains', () => {
		const set = new OrdinalSet();
		const before = process.memoryUsage().arrayBuffers;
		const ordinals = [0, 7, 8, 1023, 1024, 1_000_000, 2 ** 32 - 1, 2 ** 32, Number.MAX_SAFE_INTEGER];
		for (const ordinal of ordinals) {
			assert.equal(set.has(ordinal), false);
			set.add(ordinal);
			assert.equal(set.has(ordinal), true);
		}
		assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000);
		assert.deepEqual(
			[1, 9, 1022, 1025, 2 ** 32 + 1].filter(other => set.has(other)),
			[],
		);
		for (const none of [Number.NaN, -1, 0.5]) {
			set.add(none);
		}
		assert.equal(set.has(1), false);
	});
});
