import assert from 'node:assert/strict';
import { diffLines } from '#editor/chat/code/lineDiff.ts';

describe('the changed lines of two texts', () => {
	const split = (text: string) => text.split(' ').filter(line => line !== '');
	const getChanges = (before: string, after: string) =>
		diffLines(split(before), split(after)).map(({ from, to, lines }) => `${from}-${to} ${lines.join(',')}`);

	for (const [before, after, ...expected] of [
		['a b c', 'a b c'],
		['', 'a b', '0-0 a,b'],
		['a b', '', '0-2 '],
		['a b c d e f', 'a x c d e y', '1-2 x', '5-6 y'],
		['a b c d e f', 'b c d e f g', '0-1 ', '6-6 g'],
		['a b c d e f', 'a b1 c d1 e f', '1-4 b1,c,d1'],
		['a b c', 'x y z', '0-3 x,y,z'],
	] as const) {
		it(`are [${expected.join('; ')}] from '${before}' to '${after}'`, () => {
			assert.deepEqual(getChanges(before, after), expected);
		});
	}

	it('make the second text of the first one, for any texts', () => {
		let seed = 7;
		const next = (most: number) => {
			seed = (seed * 1103515245 + 12345) % 2147483648;
			return seed % most;
		};
		for (let round = 0; round < 500; round++) {
			const createLines = () => Array.from({ length: next(12) }, () => 'abcd'[next(4)]!);
			const [before, after] = [createLines(), createLines()];
			const made = diffLines(before, after)
				.toReversed()
				.reduce((lines, { from, to, lines: fresh }) => lines.toSpliced(from, to - from, ...fresh), before);
			assert.deepEqual(made, after, `${before} to ${after}`);
		}
	});

	it('are one range if the texts have almost nothing in common', () => {
		const before = Array.from({ length: 3000 }, (_, index) => `before ${index}`);
		const after = before.map(line => line.replace('before', 'after'));
		assert.equal(diffLines(before, after).length, 1);
	});
});
