import assert from 'node:assert/strict';
import { type ColumnSize, fitColumns, resizeColumn } from '#pages/shared/table/columnLayout.ts';

const columns: readonly ColumnSize[] = [
	{ id: 'time', width: 100, rank: 0 },
	{ id: 'name', width: 120, grow: 2, rank: 1 },
	{ id: 'cost', width: 80, rank: 3, isOptional: true },
	{ id: 'value', width: 150, grow: 1, rank: 2 },
];
const none: ReadonlySet<string> = new Set();
const getIds = (width: number, filled = none, widths = {}) => fitColumns(columns, width, widths, filled).shown.map(({ id }) => id);

describe('columns of a table', () => {
	it('hides an optional column until a row has a value in it', () => {
		assert.deepEqual(getIds(1000), ['time', 'name', 'value']);
		assert.deepEqual(getIds(1000, new Set(['cost'])), ['time', 'name', 'cost', 'value']);
	});

	it('hides the least important columns of a narrow table, but never all', () => {
		const filled = new Set(['cost']);
		assert.deepEqual(getIds(500, filled), ['time', 'name', 'value']);
		assert.deepEqual(getIds(400, filled), ['time', 'name']);
		assert.deepEqual(getIds(10, filled), ['time']);
	});

	it('shares the remaining width between the columns that grow', () => {
		assert.equal(fitColumns(columns, 1000, {}, none).tracks, 'minmax(100px, 100px) minmax(120px, 2fr) minmax(150px, 1fr)');
	});

	it('gives a resized column its width, and the rest to the last column if no other one grows', () => {
		const { tracks } = fitColumns(columns, 1000, { time: 60, name: 300, value: 200 }, none);
		assert.equal(tracks, 'minmax(60px, 60px) minmax(120px, 300px) minmax(150px, 1fr)');
	});

	it('keeps a resized column at least wide enough to be found again, and forgets its width when it is reset', () => {
		const widths = resizeColumn({ name: 300 }, 'time', -5);
		assert.deepEqual(widths, { name: 300, time: 24 });
		assert.deepEqual(resizeColumn(widths, 'name', undefined), { time: 24 });
	});
});
