import assert from 'node:assert/strict';
import { type Precision, roundDuration } from '#base/text/duration.ts';

const words = { milliseconds: ['ms'], seconds: ['s'], minutes: ['min', 's'], hours: ['h', 'min'] };
const formatParts = (ms: number, precision: Precision) => {
	const { unit, figures } = roundDuration(ms, precision);
	return figures.map((figure, at) => `${figure} ${words[unit][at]}`).join(' ');
};

describe('a formatted duration', () => {
	for (const [ms, brief, exact] of [
		[-3, '0 ms', '0 ms'],
		[0.41, '0 ms', '0.4 ms'],
		[4, '4 ms', '4 ms'],
		[12.3, '12 ms', '12 ms'],
		[412, '0.4 s', '412 ms'],
		[999.7, '1.0 s', '1.00 s'],
		[2340, '2.3 s', '2.34 s'],
		[9996, '10 s', '10.0 s'],
		[12_340, '12 s', '12.3 s'],
		[59_960, '1 min 0 s', '1 min 0 s'],
		[119_700, '2 min 0 s', '2 min 0 s'],
		[185_000, '3 min 5 s', '3 min 5 s'],
		[7_800_000, '2 h 10 min', '2 h 10 min'],
	] as const) {
		it(`of ${ms} ms is ${brief} if brief, and ${exact} if exact`, () => {
			assert.deepEqual([formatParts(ms, 'brief'), formatParts(ms, 'exact')], [brief, exact]);
		});
	}
});
