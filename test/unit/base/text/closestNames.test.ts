import assert from 'node:assert/strict';
import { createLimitedNameFinder, findClosestNames, joinNames } from '#base/text/closestNames.ts';

describe('suggestions for misspelled names', () => {
	it('are found in limited time, however many and long the names are', () => {
		const names = Array.from({ length: 6000 }, (_, at) => `n${at}`);
		const suggest = createLimitedNameFinder();
		const started = process.cpuUsage();
		assert.deepEqual(suggest('n1', ['m1', 'zzzz']), ['m1']);
		for (const name of names) {
			suggest(name, names);
		}
		assert.deepEqual(findClosestNames('a'.repeat(100_000), ['a'.repeat(100_001)]), []);
		assert.ok(process.cpuUsage(started).user < 3_000_000);
	});

	it('name only the first of many matches', () => {
		assert.equal(joinNames(['a', 'b']), 'a, b');
		assert.match(joinNames(Array.from({ length: 5000 }, () => 'n')), /^(?:n, ){50}…$/);
	});
});
