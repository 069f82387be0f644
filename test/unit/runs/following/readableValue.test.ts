import assert from 'node:assert/strict';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';

describe('values on one line', () => {
	it('are a single line of text for any value', () => {
		assert.equal(formatValuesOnOneLine({ text: 'a\n\n  b' }), 'a b');
		assert.equal(formatValuesOnOneLine({ text: 'a', count: 3, deep: { x: [1] } }), 'text: a · count: 3 · deep: {"x":[1]}');
		assert.equal(formatValuesOnOneLine(null), '');
		assert.equal(formatValuesOnOneLine({ said: 'Hi', name: null }), 'Hi');
		assert.equal(formatValuesOnOneLine({ text: 'x'.repeat(100_000) }).length, 200);
	});
});
