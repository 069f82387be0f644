import assert from 'node:assert/strict';
import { CachedLists } from '#editor/connections/lists/cachedLists.ts';

describe('a cached list', () => {
	let now: number;
	let loads: number;
	let load: () => Promise<readonly string[]>;
	let changed: string[];
	let lists: CachedLists<string>;
	beforeEach(() => {
		now = 0;
		loads = 0;
		changed = [];
		load = async () => ['a'];
		lists = new CachedLists(
			() => {
				loads++;
				return load();
			},
			id => changed.push(id),
			{ getFreshMs: () => 60, failed: 20, now: () => now },
		);
	});
	const waitUntilSettled = () => new Promise(resolve => setImmediate(resolve));

	it('is requested once for any number of calls', async () => {
		for (let i = 0; i < 100; i++) {
			await Promise.all([lists.get('c'), lists.get('c')]);
		}
		assert.equal(loads, 1);
		assert.deepEqual(changed, ['c']);
		assert.deepEqual(lists.getLoadedList('c'), ['a']);
		assert.equal(lists.getLoadedList('other'), undefined);
	});

	it("isn't requested again immediately after a failure", async () => {
		load = () => Promise.reject(new Error('no'));
		for (now = 0; now < 20; now++) {
			await assert.rejects(lists.get('c'));
		}
		assert.equal(loads, 1);
		load = async () => ['b'];
		assert.deepEqual(await lists.get('c'), ['b']);
		assert.equal(loads, 2);
	});

	it('is returned while it is refreshed, and reports a change', async () => {
		await lists.get('c');
		now = 60;
		load = async () => ['b'];
		assert.deepEqual(await lists.get('c'), ['a']);
		await waitUntilSettled();
		assert.deepEqual(await lists.get('c'), ['b']);
		assert.deepEqual([loads, changed], [2, ['c', 'c']]);
		now = 120;
		await lists.get('c');
		await waitUntilSettled();
		assert.deepEqual([loads, changed], [3, ['c', 'c']], 'no event without a change');
	});

	it('is requested again after a reload, ignoring the pending request', async () => {
		const { promise, resolve } = Promise.withResolvers<readonly string[]>();
		load = () => promise;
		const before = lists.get('c');
		lists.dropList('c');
		assert.deepEqual(changed, ['c']);
		load = async () => ['b'];
		assert.deepEqual(await lists.get('c'), ['b']);
		resolve(['a']);
		await before;
		assert.deepEqual(lists.getLoadedList('c'), ['b']);
	});

	it("isn't dropped by dropSettledList while it is loading", async () => {
		const loading = lists.get('c');
		lists.dropSettledList('c');
		await loading;
		assert.equal(loads, 1);
		lists.dropSettledList('c');
		await lists.get('c');
		assert.equal(loads, 2);
	});
});
