import assert from 'node:assert/strict';
import { RowElements } from '#pages/shared/table/rowElements.ts';

describe('RowElements', () => {
	/** Returns the first and the last key of drawn rows. */
	const draw = (elements: RowElements, from: number, to: number) => {
		const keys = elements.assign({ from, to }).map(({ key }) => key);
		return [keys[0], keys.at(-1)];
	};

	it('lets a row keep its element while it is drawn', () => {
		const elements = new RowElements();
		assert.deepEqual(
			elements.assign({ from: 2, to: 4 }).map(({ place }) => place),
			[2, 3],
		);
		assert.deepEqual(draw(elements, 2, 40), [0, 37]);
		assert.deepEqual(draw(elements, 30, 70), [28, 67]);
		assert.deepEqual(draw(elements, 25, 65), [23, 62]);
	});

	it('reuses all elements after a jump down or up', () => {
		const elements = new RowElements();
		draw(elements, 0, 40);
		assert.deepEqual(draw(elements, 40, 80), [0, 39]);
		assert.deepEqual(draw(elements, 45, 85), [5, 44]);
		assert.deepEqual(draw(elements, 1000, 1041), [5, 45]);
		assert.deepEqual(draw(elements, 2, 40), [5, 42]);
	});

	it('draws rows after an empty list', () => {
		const elements = new RowElements();
		draw(elements, 500, 540);
		assert.deepEqual(draw(elements, 0, 0), [undefined, undefined]);
		assert.deepEqual(draw(elements, 0, 2), [0, 1]);
	});
});
