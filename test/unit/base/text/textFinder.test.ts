import assert from 'node:assert/strict';
import fc from 'fast-check';
import { TextFinder } from '#base/text/textFinder.ts';

const long = `${'abcdefgh'.repeat(8)}-the-rest`;

describe('TextFinder', () => {
	it('replaces the same text as a regular expression', () => {
		const word = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 6 });
		const text = fc.array(word, { maxLength: 20 }).map(words => words.join(''));
		fc.assert(
			fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 6 }), text, (words, searched) => {
				const longestFirst = [...words].sort((a, b) => b.length - a.length).map(each => each.replaceAll('.', '[.]'));
				const expected = searched.replace(new RegExp(longestFirst.join('|'), 'g'), found => `<${found}>`);
				const finder = new TextFinder(words);
				assert.equal(
					finder.replaceTexts(searched, found => `<${found}>`),
					expected,
				);
				assert.equal(finder.maskTexts(searched, '*'), searched.replace(new RegExp(longestFirst.join('|'), 'g'), '*'));
			}),
			{ numRuns: 3000 },
		);
	});

	it('masks a partial match, but replaces only complete ones', () => {
		const finder = new TextFinder([long, 'abcd']);
		assert.equal(finder.maskTexts(`1 ${long} 2 ${long.slice(0, -3)} 3 ${long.slice(0, 20)}`, '*'), `1 * 2 * 3 ${'*efgh'.repeat(2)}*`);
		assert.equal(
			finder.replaceTexts(`1 ${long} 2 ${long.slice(0, 70)}`, ({ length }) => `<${length}>`),
			`1 <${long.length}> 2 ${'<4>efgh'.repeat(8)}${long.slice(64, 70)}`,
		);
	});

	it('finds long texts wherever they start, also after the start of another', () => {
		const finder = new TextFinder([long, long.slice(8)]);
		assert.equal(
			finder.replaceTexts(`abcdefgh${long.slice(0, 70)}abcdefgh${long}${long} ${long.slice(8)}`, ({ length }) => `<${length}>`),
			`abcdefgh${long.slice(0, 70)}abcdefgh<${long.length}><${long.length}> <${long.length - 8}>`,
		);
		const [one, two] = ['a'.repeat(70), 'a'.repeat(66)];
		assert.equal(
			new TextFinder([one, two]).replaceTexts('a'.repeat(70 + 66 + 3), ({ length }) => `<${length}>`),
			'<70><66>aaa',
		);
	});

	it('is fast for texts that are too long for a regular expression or match nearly everywhere', () => {
		const letters = 'a'.repeat(1_000_000);
		const finder = new TextFinder([`${'a'.repeat(50_000)}b${'a'.repeat(50_000)}`, `b${'a'.repeat(50_000)}`]);
		const began = process.cpuUsage();
		assert.equal(finder.maskTexts(`${letters}b${letters}`, '*').length < 100, true);
		assert.equal(new TextFinder([`${'a'.repeat(30)}b${'a'.repeat(50_000)}`]).maskTexts(letters, '*'), letters);
		const replaced = new TextFinder([`${'a'.repeat(30_000)}b`]).replaceTexts(
			`${letters.slice(0, 300_000)}b`,
			({ length }) => `<${length}>`,
		);
		assert.equal(replaced, `${'a'.repeat(270_000)}<30001>`);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});
});
