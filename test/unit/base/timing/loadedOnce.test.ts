import assert from 'node:assert/strict';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';

describe('a lazy loader', () => {
	it('loads on first use, once for all callers', async () => {
		let loads = 0;
		const load = createLazyLoader(async () => ({ number: ++loads }));
		assert.equal(loads, 0);
		const [first, second] = await Promise.all([load(), load()]);
		assert.equal(first, second);
		assert.equal(await load(), first);
		assert.equal(loads, 1);
	});

	it('tries again after a failed load, which fails for all waiting callers', async () => {
		let loads = 0;
		const load = createLazyLoader(async () => {
			if (++loads === 1) {
				throw new Error('not ready');
			}
			return loads;
		});
		const failed = await Promise.allSettled([load(), load()]);
		assert.deepEqual(
			failed.map(({ status }) => status),
			['rejected', 'rejected'],
		);
		assert.equal(await load(), 2);
	});
});
