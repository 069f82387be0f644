import assert from 'node:assert/strict';
import { RowCache } from '#pages/shared/table/rowCache.ts';
import { Selection } from '#pages/shared/table/selection.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';

const createRows = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => ({ id: `r${from + place}` }) as LogEntry);

describe('rows of the logs page', () => {
	it('are requested around the visible ones, each chunk once, and the last one again when it grows', () => {
		const cache = new RowCache();
		cache.startList(1, 250);
		assert.deepEqual(cache.getMissingSlices({ from: 90, to: 130 }), [
			{ from: 0, to: 100 },
			{ from: 100, to: 200 },
		]);
		assert.deepEqual(cache.getMissingSlices({ from: 95, to: 150 }), []);
		cache.addRows(1, 100, createRows(100, 200));
		assert.deepEqual([cache.get(150)?.id, cache.get(50)], ['r150', undefined]);
		assert.deepEqual(cache.getMissingSlices({ from: 210, to: 250 }), [{ from: 200, to: 250 }]);
		cache.startList(1, 300);
		assert.deepEqual(cache.getMissingSlices({ from: 210, to: 250 }), [{ from: 200, to: 300 }]);
		cache.startList(2, 300);
		assert.equal(cache.get(150), undefined);
		cache.addRows(1, 0, createRows(0, 100));
		assert.equal(cache.get(0), undefined, 'rows of the list before');
	});

	it('are dropped far from the visible ones, so a million need no more memory than a few thousand', () => {
		const cache = new RowCache();
		cache.startList(1, 1_000_000);
		for (let from = 0; from < 1_000_000; from += 100) {
			for (const slice of cache.getMissingSlices({ from, to: from + 100 })) {
				cache.addRows(1, slice.from, createRows(slice.from, slice.to));
			}
		}
		assert.equal(cache.get(0), undefined);
		assert.equal(cache.get(999_999)?.id, 'r999999');
		assert.deepEqual(cache.getMissingSlices({ from: 0, to: 10 }), [{ from: 0, to: 100 }]);
	});

	it('are selected as a range with Shift, in both directions', () => {
		const cache = new RowCache();
		cache.startList(1, 100);
		cache.addRows(1, 0, createRows(0, 100));
		const selection = new Selection();
		selection.moveToRow(3, cache, false);
		selection.extendToRow(5, cache);
		assert.deepEqual([selection.ids.toSorted(), selection.place], [['r3', 'r4', 'r5'], 5]);
		selection.moveToRow(9, cache, false);
		selection.extendToRow(7, cache);
		assert.deepEqual(selection.ids.toSorted(), ['r7', 'r8', 'r9']);
	});

	it('stay selected when rows are added before them', () => {
		const cache = new RowCache();
		cache.startList(1, 100);
		cache.addRows(1, 0, createRows(0, 100));
		const selection = new Selection();
		selection.moveToRow(3, cache, false);
		selection.toggleRow(5, cache);
		assert.deepEqual([selection.ids, selection.place], [['r3', 'r5'], 5]);
		cache.startList(2, 101);
		cache.addRows(2, 0, [{ id: 'new' } as LogEntry, ...createRows(0, 99)]);
		selection.updateIndex(cache);
		assert.deepEqual([selection.place, selection.active, selection.ids], [6, 'r5', ['r3', 'r5']]);
		selection.moveToRow(1000, cache, false);
		assert.equal(selection.place, 100);
		selection.clear();
		assert.deepEqual([selection.place, selection.ids], [-1, []]);
	});
});
