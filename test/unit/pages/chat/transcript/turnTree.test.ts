import assert from 'node:assert/strict';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import { findNewestLeaf, findSibling, getActivePath, getBranchPositions } from '#pages/chat/transcript/turnTree.ts';

const createTurn = (id: string, parent: string | null): Turn => ({ id, parent, role: 'user', parts: [], at: 0 });

describe('turn tree', () => {
	// q1 has two replies and was edited to q1b; a second question follows
	const turns = [
		createTurn('q1', null),
		createTurn('a1', 'q1'),
		createTurn('a2', 'q1'),
		createTurn('q1b', null),
		createTurn('b1', 'q1b'),
		createTurn('q2', 'b1'),
	];

	it('returns the path that ends in the leaf', () => {
		const listIds = (leaf: string | null) => getActivePath({ turns, leaf }).map(t => t.id);
		assert.deepEqual(listIds('q2'), ['q1b', 'b1', 'q2']);
		assert.deepEqual(listIds('a1'), ['q1', 'a1']);
		assert.deepEqual(listIds(null), []);
		assert.deepEqual(listIds('gone'), []);
	});

	it('numbers each turn among its siblings', () => {
		const places = getBranchPositions(turns);
		assert.deepEqual(places.get('a2'), { index: 1, count: 2 });
		assert.deepEqual(places.get('q1'), { index: 0, count: 2 });
		assert.deepEqual(places.get('q2'), { index: 0, count: 1 });
	});

	it('finds siblings and stops at both ends', () => {
		assert.equal(findSibling(turns, 'q1', 1)?.id, 'q1b');
		assert.equal(findSibling(turns, 'q1', -1), undefined);
		assert.equal(findSibling(turns, 'q1b', 1), undefined);
	});

	it('finds the newest leaf', () => {
		assert.equal(findNewestLeaf(turns, 'q1'), 'a2');
		assert.equal(findNewestLeaf(turns, 'q1b'), 'q2');
	});

	it('looks at each turn of a long chat a few times', () => {
		let looks = 0;
		const count = 2000;
		const long = Array.from({ length: count }, (_, at) => ({
			...createTurn(`${at}`, null),
			get parent() {
				looks++;
				return at === 0 ? null : `${at - 1}`;
			},
		}));
		assert.equal(findNewestLeaf(long, '0'), `${count - 1}`);
		assert.ok(looks < 10 * count, `${looks} looks`);
	});

	it('terminates on a cycle in a file that was edited by hand', () => {
		const circle = [createTurn('x', 'y'), createTurn('y', 'x')];
		assert.equal(getActivePath({ turns: circle, leaf: 'x' }).length, 2);
		assert.ok(circle.some(({ id }) => id === findNewestLeaf(circle, 'x')));
	});
});
