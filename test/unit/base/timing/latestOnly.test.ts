import assert from 'node:assert/strict';
import { LatestOnly } from '#base/timing/latestOnly.ts';

describe('of asks that overtake each other', () => {
	const createGate = () => Promise.withResolvers<string>();

	it('the last is taken, also where it answers first, and what fails before is passed over', async () => {
		const latest = new LatestOnly();
		const taken: string[] = [];
		const [slow, failing, last] = [createGate(), createGate(), createGate()];
		const all = [slow, failing, last].map(({ promise }) =>
			latest.run(
				() => promise,
				answer => taken.push(answer),
			),
		);
		last.resolve('last');
		failing.reject(new Error('too late'));
		slow.resolve('slow');
		await Promise.all(all);
		assert.deepEqual(taken, ['last']);
	});

	it('the last tells that it failed', async () => {
		await assert.rejects(
			new LatestOnly().run(
				() => Promise.reject(new Error('no')),
				() => undefined,
			),
			/no/,
		);
	});
});
