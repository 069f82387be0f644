import assert from 'node:assert/strict';
import { mergeRankedLists } from '#gateway/knowledge/fusion.ts';

describe('rank fusion', () => {
	const listOrder = (...lists: Parameters<typeof mergeRankedLists<string>>[0]) => mergeRankedLists(lists).map(({ thing }) => thing);

	it('ranks items first that are in several lists', () => {
		assert.deepEqual(listOrder({ things: ['a', 'b', 'c'], weight: 1 }, { things: ['c', 'd'], weight: 1 }), ['c', 'a', 'b', 'd']);
	});

	it('respects the weights', () => {
		const [words, vectors] = [
			['a', 'b'],
			['b', 'a'],
		];
		assert.deepEqual(listOrder({ things: words, weight: 0.9 }, { things: vectors, weight: 0.1 }), ['a', 'b']);
		assert.deepEqual(listOrder({ things: words, weight: 0.1 }, { things: vectors, weight: 0.9 }), ['b', 'a']);
	});

	it('returns a single list unchanged', () => {
		assert.deepEqual(listOrder({ things: ['x', 'y'], weight: 1 }, { things: [], weight: 1 }), ['x', 'y']);
	});
});
