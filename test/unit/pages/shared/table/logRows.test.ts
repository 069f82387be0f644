import assert from 'node:assert/strict';
import { RowCache } from '#pages/shared/table/rowCache.ts';
import { Selection } from '#pages/shared/table/selection.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';

const rows = (from: number, to: number) => Array.from({ length: to - from }, (_, place) => ({ id: `r${from + place}` }) as LogEntry);

describe('the rows of the logs page', () => {
	it('are asked for around those in sight, each part once, and its end again when it has grown', () => {
		const cache = new RowCache();
		cache.begin(1, 250);
		assert.deepEqual(cache.missing({ from: 90, to: 130 }), [
			{ from: 0, to: 100 },
			{ from: 100, to: 200 },
		]);
		assert.deepEqual(cache.missing({ from: 95, to: 150 }), []);
		cache.take(1, 100, rows(100, 200));
		assert.deepEqual([cache.at(150)?.id, cache.at(50)], ['r150', undefined]);
		assert.deepEqual(cache.missing({ from: 210, to: 250 }), [{ from: 200, to: 250 }]);
		cache.begin(1, 300);
		assert.deepEqual(cache.missing({ from: 210, to: 250 }), [{ from: 200, to: 300 }]);
		cache.begin(2, 300);
		assert.equal(cache.at(150), undefined);
		cache.take(1, 0, rows(0, 100));
		assert.equal(cache.at(0), undefined, 'rows of the list before');
	});

	it('are let go far from what is in sight: a million take no more memory than some thousands', () => {
		const cache = new RowCache();
		cache.begin(1, 1_000_000);
		for (let from = 0; from < 1_000_000; from += 100) {
			for (const slice of cache.missing({ from, to: from + 100 })) {
				cache.take(1, slice.from, rows(slice.from, slice.to));
			}
		}
		assert.equal(cache.at(0), undefined);
		assert.equal(cache.at(999_999)?.id, 'r999999');
		assert.deepEqual(cache.missing({ from: 0, to: 10 }), [{ from: 0, to: 100 }]);
	});

	it('are selected from one to another with Shift, forwards and backwards', () => {
		const cache = new RowCache();
		cache.begin(1, 100);
		cache.take(1, 0, rows(0, 100));
		const selection = new Selection();
		selection.go(3, cache, false);
		selection.extend(5, cache);
		assert.deepEqual([selection.ids.toSorted(), selection.place], [['r3', 'r4', 'r5'], 5]);
		selection.go(9, cache, false);
		selection.extend(7, cache);
		assert.deepEqual(selection.ids.toSorted(), ['r7', 'r8', 'r9']);
	});

	it('stay selected when others come before them', () => {
		const cache = new RowCache();
		cache.begin(1, 100);
		cache.take(1, 0, rows(0, 100));
		const selection = new Selection();
		selection.go(3, cache, false);
		selection.toggle(5, cache);
		assert.deepEqual([selection.ids, selection.place], [['r3', 'r5'], 5]);
		cache.begin(2, 101);
		cache.take(2, 0, [{ id: 'new' } as LogEntry, ...rows(0, 99)]);
		selection.renew(cache);
		assert.deepEqual([selection.place, selection.active, selection.ids], [6, 'r5', ['r3', 'r5']]);
		selection.go(1000, cache, false);
		assert.equal(selection.place, 100);
		selection.clear();
		assert.deepEqual([selection.place, selection.ids], [-1, []]);
	});
});
