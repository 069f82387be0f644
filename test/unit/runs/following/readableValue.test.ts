import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { formatReadableValue, formatValuesOnOneLine } from '#runs/following/readableValue.ts';

describe('values on one line', () => {
	it('are a single line of text for any value', () => {
		assert.equal(formatValuesOnOneLine({ text: 'a\n\n  b' }), 'a b');
		assert.equal(formatValuesOnOneLine({ text: 'a', count: 3, deep: { x: [1] } }), 'text: a · count: 3 · deep: {"x":[1]}');
		assert.equal(formatValuesOnOneLine(null), '');
		assert.equal(formatValuesOnOneLine({ said: 'Hi', name: null }), 'Hi');
		assert.equal(formatValuesOnOneLine({ text: 'x'.repeat(100_000) }).length, 200);
	});
});

describe('a readable value', () => {
	it('is cut if indentation would make it many times as long', () => {
		let value: unknown = Array.from({ length: 300_000 }, () => 1);
		for (let depth = 0; depth < 29; depth++) {
			value = { a: value };
		}
		const text = formatReadableValue(value, fillPlaceholders);
		assert.ok(text.length < 3_000_000, `${text.length}`);
		assert.match(text, /^a:\n {4}a:\n {8}a:\n/);
		assert.match(text, /\n *- 1\n *…$/);
	});
});
