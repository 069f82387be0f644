import assert from 'node:assert/strict';
import { LatestOnly } from '#base/timing/latestOnly.ts';

describe('LatestOnly', () => {
	const createGate = () => Promise.withResolvers<string>();

	it('applies only the result of the last call, and ignores earlier failures', async () => {
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

	it('fails if the last call fails', async () => {
		await assert.rejects(
			new LatestOnly().run(
				() => Promise.reject(new Error('no')),
				() => undefined,
			),
			/no/,
		);
	});
});
