import assert from 'node:assert/strict';
import { cutText, cutToLimit } from '#base/text/cutText.ts';
import { cutValue } from '#base/text/cutValue.ts';
import { toShownOutputs } from '#pages/inspector/detail/shownOutputs.ts';

describe('a long value', () => {
	it('is cut to its limit including the ellipsis, and a short one is unchanged', () => {
		assert.deepEqual([cutText('abcdef', 6), cutText('abcdef', 5), cutToLimit('abcdef', 5)], ['abcdef', 'abcd…', 'abcde']);
	});

	it('is never cut within a surrogate pair', () => {
		const smiles = '😀'.repeat(200_001);
		const odd = `a${smiles}`;
		assert.ok(cutText(odd, 100).isWellFormed());
		assert.ok(String(cutValue(odd, 100)).isWellFormed());
		assert.ok(toShownOutputs({ odd })[0]?.text.isWellFormed());
	});
});
