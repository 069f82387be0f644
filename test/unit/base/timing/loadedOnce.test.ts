import assert from 'node:assert/strict';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';

describe('what is loaded once', () => {
	it('is loaded with its first use, once for all who ask meanwhile and later', async () => {
		let loads = 0;
		const load = createLazyLoader(async () => ({ number: ++loads }));
		assert.equal(loads, 0);
		const [first, second] = await Promise.all([load(), load()]);
		assert.equal(first, second);
		assert.equal(await load(), first);
		assert.equal(loads, 1);
	});

	it('is tried again after a load that failed, which fails for all who waited for it', async () => {
		let loads = 0;
		const load = createLazyLoader(async () => {
			if (++loads === 1) {
				throw new Error('not yet there');
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
