import assert from 'node:assert/strict';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import { activePath, branchPlaces, newestLeafBelow, siblingOf } from '#pages/chat/transcript/turnTree.ts';

const turn = (id: string, parent: string | null): Turn => ({ id, parent, role: 'user', parts: [], at: 0 });

describe('the tree of turns', () => {
	// q1 was answered twice, and asked again as q1b; below it a second question
	const turns = [turn('q1', null), turn('a1', 'q1'), turn('a2', 'q1'), turn('q1b', null), turn('b1', 'q1b'), turn('q2', 'b1')];

	it('gives the branch that ends in the leaf', () => {
		const ids = (leaf: string | null) => activePath({ turns, leaf }).map(t => t.id);
		assert.deepEqual(ids('q2'), ['q1b', 'b1', 'q2']);
		assert.deepEqual(ids('a1'), ['q1', 'a1']);
		assert.deepEqual(ids(null), []);
		assert.deepEqual(ids('gone'), []);
	});

	it('places each turn among those with its parent', () => {
		const places = branchPlaces(turns);
		assert.deepEqual(places.get('a2'), { index: 1, count: 2 });
		assert.deepEqual(places.get('q1'), { index: 0, count: 2 });
		assert.deepEqual(places.get('q2'), { index: 0, count: 1 });
	});

	it('steps to a sibling and no further', () => {
		assert.equal(siblingOf(turns, 'q1', 1)?.id, 'q1b');
		assert.equal(siblingOf(turns, 'q1', -1), undefined);
		assert.equal(siblingOf(turns, 'q1b', 1), undefined);
	});

	it('goes down to the youngest leaf', () => {
		assert.equal(newestLeafBelow(turns, 'q1'), 'a2');
		assert.equal(newestLeafBelow(turns, 'q1b'), 'q2');
	});

	it('survives a circle in a file that was edited by hand', () => {
		const circle = [turn('x', 'y'), turn('y', 'x')];
		assert.equal(activePath({ turns: circle, leaf: 'x' }).length, 2);
	});
});
