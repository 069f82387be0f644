import assert from 'node:assert/strict';
import { toHttpDate, toTimestampMs } from '#contract/timestamps.ts';

describe('timestamps', () => {
	const cases: [unknown, number | undefined][] = [
		[1721272660, 1721272660000],
		[1721272660.5, 1721272660500],
		['1721272660', 1721272660000],
		['Thu, 18 Jul 2024 03:17:40 -0000', 1721272660000],
		['2024-07-18T03:17:40Z', 1721272660000],
		['', undefined],
		['soon', undefined],
		[null, undefined],
		[Number.NaN, undefined],
	];
	for (const [value, ms] of cases) {
		it(`are parsed: ${JSON.stringify(value)}`, () => assert.equal(toTimestampMs(value), ms));
	}
	it('are formatted as in run details, and parsed back', () => {
		assert.equal(toHttpDate(1721272660000), 'Thu, 18 Jul 2024 03:17:40 -0000');
		assert.equal(toTimestampMs(toHttpDate(1721272660000)), 1721272660000);
	});
});
