import assert from 'node:assert/strict';
import fc from 'fast-check';
import { containsText } from '#base/text/containsText.ts';

describe('containsText', () => {
	it('finds the same as String.includes', () => {
		const word = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 0, maxLength: 50 });
		const text = fc.array(word, { maxLength: 10 }).map(words => words.join(''));
		fc.assert(
			fc.property(text, word, text, fc.boolean(), (before, part, after, has) => {
				const searched = before + (has ? part : '') + after;
				assert.equal(containsText(searched, part), searched.includes(part));
			}),
			{ numRuns: 5000 },
		);
	});

	it('searches long texts of a single repeated letter within a second', () => {
		const began = process.cpuUsage();
		assert.equal(containsText('a'.repeat(4_000_000), `${'a'.repeat(500_000)}b${'a'.repeat(500_000)}`), false);
		assert.equal(containsText('a'.repeat(4_000_000), 'a'.repeat(500_000)), true);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});
});
