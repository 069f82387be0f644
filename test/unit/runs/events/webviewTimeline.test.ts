import assert from 'node:assert/strict';
import { getTimeMarks } from '#pages/inspector/timeline/timeAxis.ts';
import { listVisibleRows } from '#pages/inspector/visibleRows.ts';
import type { TimelineRow } from '#runs/events/timeline.ts';

describe('timeline rows', () => {
	const createRow = (id: string, more: Partial<TimelineRow> = {}): TimelineRow => ({
		id,
		kind: 'code',
		title: id,
		status: 'succeeded',
		start: 0,
		end: 10,
		...more,
	});
	const createIterationRow = (id: string, round: number, more: Partial<TimelineRow> = {}) =>
		createRow(id, { parent: 'loop', round, ...more });
	const listVisible = (rows: readonly TimelineRow[], collapsed: readonly string[] = [], query = '') =>
		listVisibleRows(rows, new Set(collapsed), query).map(({ row: { id }, level, nodes, slowest }) => [id, level, nodes, slowest]);

	const rows = [
		createRow('loop'),
		createIterationRow('a1', 1),
		createIterationRow('a2', 2, { end: 30 }),
		createIterationRow('b1', 1, { status: 'failed' }),
		createIterationRow('b2', 2),
	];

	it('are grouped by iteration, with their number and the longest one', () => {
		assert.deepEqual(listVisible(rows), [
			['loop', 1, undefined, undefined],
			['loop/round-1', 2, 2, false],
			['a1', 3, undefined, undefined],
			['b1', 3, undefined, undefined],
			['loop/round-2', 2, 2, true],
			['a2', 3, undefined, undefined],
			['b2', 3, undefined, undefined],
		]);
		const [, first, , , second] = listVisibleRows(rows, new Set(), '');
		assert.deepEqual([first?.row.status, first?.row.end, second?.row.status, second?.row.end], ['failed', 10, 'succeeded', 30]);
	});

	it('are hidden in a collapsed iteration, but found by a search', () => {
		assert.deepEqual(
			listVisible(rows, ['loop/round-1']).map(([id]) => id),
			['loop', 'loop/round-1', 'loop/round-2', 'a2', 'b2'],
		);
		assert.deepEqual(
			listVisible(rows, ['loop/round-1'], 'b1').map(([id]) => id),
			['loop', 'loop/round-1', 'b1'],
		);
	});

	it('are not grouped if an iteration has one node or there is only one iteration', () => {
		assert.deepEqual(
			listVisible([createRow('loop'), createIterationRow('a2', 2), createIterationRow('a1', 1)]).map(([id]) => id),
			['loop', 'a1', 'a2'],
		);
		assert.deepEqual(
			listVisible([createRow('loop'), createIterationRow('a1', 1), createIterationRow('b1', 1)]).map(([id]) => id),
			['loop', 'a1', 'b1'],
		);
	});
});

describe('marks of a time axis', () => {
	it('start at zero and are round numbers', () => {
		assert.deepEqual(getTimeMarks(1), [0, 1]);
		assert.deepEqual(getTimeMarks(430), [0, 100, 200, 300, 400]);
		assert.deepEqual(getTimeMarks(2380), [0, 500, 1000, 1500, 2000]);
		assert.deepEqual(getTimeMarks(600_000), [0, 120_000, 240_000, 360_000, 480_000, 600_000]);
	});

	it('are few, however long the run is', () => {
		for (const range of [1, 7, 999, 12_345, 88_000, 3_600_000, 86_400_000 * 30]) {
			assert.ok(getTimeMarks(range).length <= 6, `${range}`);
		}
	});
});
