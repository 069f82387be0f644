import assert from 'node:assert/strict';
import { createRoundRunner } from '../../bench/harness/rounds.ts';
import type { Limit } from '../../bench/harness/table.ts';
import { judgeLine } from '../../bench/harness/verdict.ts';

const createLine = (limits: Readonly<Record<string, Limit>>) => ({ limits, unit: '×' });
const createSeries = (...values: Readonly<Record<string, number>>[]) => ({ rounds: values.map(each => ({ values: each })) });

describe('benchmark verdicts', () => {
	it('use the median, and contain the lowest and the highest round', () => {
		const { value, limit, ok, requirements } = judgeLine(
			createLine({ peer: { most: 1.1 } }),
			createSeries({ peer: 1.3 }, { peer: 1 }, { peer: 1.05 }),
		);
		assert.deepEqual({ value, limit, ok }, { value: 1.05, limit: 1.1, ok: true });
		assert.deepEqual(
			requirements.map(({ lowest, highest, withinNoise }) => ({ lowest, highest, withinNoise })),
			[{ lowest: 1, highest: 1.3, withinNoise: true }],
		);
	});

	it('show the requirement that is closest to its limit', () => {
		const found = judgeLine(createLine({ floor: { most: 2 }, peer: { least: 5 } }), createSeries({ floor: 1, peer: 4 }));
		assert.deepEqual({ value: found.value, limit: found.limit, ok: found.ok }, { value: 1.25, limit: 1, ok: false });
		assert.equal(found.requirements[0]?.name, 'peer');
	});

	it('fail if something happens that must never happen', () => {
		assert.equal(judgeLine(createLine({ lost: { most: 0 } }), createSeries({ lost: 0 })).ok, true);
		assert.equal(judgeLine(createLine({ lost: { most: 0 } }), createSeries({ lost: 1 })).ok, false);
		assert.equal(judgeLine(createLine({ lost: { most: 0 } }), createSeries({ lost: Number.NaN })).ok, false);
	});

	it('need more rounds only if rounds lie on both sides of the limit', async () => {
		const runValues = async (values: readonly number[]) => {
			let count = 0;
			const { rounds } = await createRoundRunner({ peer: { most: 1.1 } })({ warmUp: 2, rounds: 3 }, async () => ({
				values: { peer: values[count++ % values.length] ?? 0 },
			}));
			return { count, kept: rounds.length };
		};
		assert.deepEqual(await runValues([1]), { count: 5, kept: 3 });
		assert.deepEqual(await runValues([1, 1.2]), { count: 11, kept: 9 });
	});
});
