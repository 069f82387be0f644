import assert from 'node:assert/strict';
import fc from 'fast-check';
import { removeThoughts } from '#engine/nodes/model/thinking.ts';

describe('thoughts in a whole reply', () => {
	it("are removed like the hosted service's pattern removes them", () => {
		const word = fc.constantFrom('<think', '>', '</think>', '<THINK a=1>', 'x', '\n', '</Think>', '<');
		fc.assert(
			fc.property(fc.array(word, { maxLength: 12 }), words => {
				const text = words.join('');
				assert.equal(removeThoughts(text), text.replace(/<think[^>]*>[\s\S]*?<\/think>/gi, ''));
			}),
			{ numRuns: 3000 },
		);
	});
});
