import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createWildcardMatcher } from '#base/text/wildcard.ts';

describe('a wildcard pattern', () => {
	it('matches the names that a regular expression would', () => {
		const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '.', '\n'), maxLength: 8 });
		fc.assert(
			fc.property(word, word, (pattern, name) => {
				const source = pattern
					.split('*')
					.map(part => part.replaceAll('.', '[.]'))
					.join('[^]*');
				assert.equal(createWildcardMatcher(pattern)(name), new RegExp(`^${source}$`).test(name));
			}),
			{ numRuns: 3000 },
		);
	});

	it('does not match the same characters with two of its parts', () => {
		const matches = createWildcardMatcher('ab*ba');
		assert.deepEqual(['aba', 'abba', 'abxba'].map(matches), [false, true, true]);
	});
});
