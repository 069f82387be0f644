import assert from 'node:assert/strict';
import { type Cursor, PagedRows } from '#editor/explorer/lists/pagedRows.ts';

interface Row {
	readonly id: string;
	readonly text?: string;
}
const createRow = (n: number): Row => ({ id: `r${n}` });
/** Simulates a list of rows in pages of ten, newest first. */
function createPagedList(total: () => number) {
	const asked: Cursor<Row>[] = [];
	const fetch = async (cursor: Cursor<Row>) => {
		asked.push(cursor);
		const rows = Array.from({ length: total() }, (_, n) => createRow(total() - 1 - n)).slice(cursor.page * 10, cursor.page * 10 + 10);
		return { rows, hasMore: cursor.page * 10 + 10 < total(), total: total() };
	};
	return { asked, fetch };
}

describe('a list loaded in pages', () => {
	it('loads the first page only once', async () => {
		const { asked, fetch } = createPagedList(() => 25);
		const pages = new PagedRows(fetch, () => {});
		await Promise.all([pages.start(), pages.start()]);
		await pages.start();
		assert.equal(asked.length, 1);
		assert.deepEqual([pages.rows.length, pages.hasMore, pages.total], [10, true, 25]);
	});

	it('returns the first new row of a page', async () => {
		const pages = new PagedRows(createPagedList(() => 25).fetch, () => {});
		await pages.start();
		assert.equal((await pages.loadNextPage())?.id, 'r14');
		assert.equal((await pages.loadNextPage())?.id, 'r4');
		assert.equal(pages.hasMore, false);
	});

	it('passes the last row to the request of the next page', async () => {
		const { asked, fetch } = createPagedList(() => 25);
		const pages = new PagedRows(fetch, () => {});
		await pages.start();
		await pages.loadNextPage();
		assert.deepEqual(
			asked.map(({ page, last }) => [page, last?.id]),
			[
				[0, undefined],
				[1, 'r15'],
			],
		);
	});

	it('contains no duplicates if the list grows while it is loaded', async () => {
		let total = 25;
		const pages = new PagedRows(createPagedList(() => total).fetch, () => {});
		await pages.start();
		total = 28;
		await pages.loadNextPage();
		const ids = pages.rows.map(({ id }) => id);
		assert.equal(new Set(ids).size, ids.length);
	});

	it('drops its first rows after 500', async () => {
		const pages = new PagedRows(createPagedList(() => 2000).fetch, () => {});
		await pages.start();
		for (let n = 0; n < 60; n++) {
			await pages.loadNextPage();
		}
		assert.deepEqual([pages.rows.length, pages.dropped, pages.rows[0]?.id], [500, 110, 'r1889']);
	});

	it('keeps its rows when a page fails, and continues there', async () => {
		const { fetch } = createPagedList(() => 25);
		let fails = false;
		const pages = new PagedRows(
			cursor => (fails ? Promise.reject(new Error('no')) : fetch(cursor)),
			() => {},
		);
		await pages.start();
		fails = true;
		assert.equal(await pages.loadNextPage(), undefined);
		assert.match(String(pages.error), /no/);
		assert.equal(pages.rows.length, 10);
		fails = false;
		assert.equal((await pages.loadNextPage())?.id, 'r14');
		assert.equal(pages.error, undefined);
	});

	it('adds new rows at the top, and keeps loaded pages', async () => {
		let total = 25;
		const pages = new PagedRows(createPagedList(() => total).fetch, () => {});
		await pages.start();
		await pages.loadNextPage();
		total = 27;
		await pages.refreshFirstPage();
		assert.deepEqual([pages.rows[0]?.id, pages.rows.length, pages.hasMore], ['r26', 22, true]);
	});

	it('shows a row that is added while the first page loads', async () => {
		const first = Promise.withResolvers<{ rows: Row[]; hasMore: boolean }>();
		let calls = 0;
		const pages = new PagedRows<Row>(
			() => (calls++ === 0 ? first.promise : Promise.resolve({ rows: [createRow(1)], hasMore: false })),
			() => {},
		);
		const started = pages.start();
		const refreshed = pages.refreshFirstPage();
		first.resolve({ rows: [], hasMore: false });
		await Promise.all([started, refreshed]);
		assert.deepEqual(pages.rows, [createRow(1)]);
	});

	it('ignores a response that arrives after a reset', async () => {
		const late = Promise.withResolvers<{ rows: Row[]; hasMore: boolean }>();
		let calls = 0;
		const pages = new PagedRows<Row>(
			() => (calls++ === 0 ? late.promise : Promise.resolve({ rows: [createRow(2)], hasMore: false })),
			() => {},
		);
		const first = pages.start();
		pages.dropRows();
		await pages.start();
		late.resolve({ rows: [createRow(1)], hasMore: false });
		await first;
		assert.deepEqual(pages.rows, [createRow(2)]);
	});

	it('loads no page twice if the response before a reset arrives while the first page is loaded again', async () => {
		const { asked, fetch } = createPagedList(() => 25);
		const late = Promise.withResolvers<void>();
		const again = Promise.withResolvers<void>();
		const holds = [late, again];
		const pages = new PagedRows<Row>(
			async cursor => {
				await holds.shift()?.promise;
				return fetch(cursor);
			},
			() => {},
		);
		const before = pages.start();
		pages.dropRows();
		const first = pages.start();
		late.resolve();
		await before;
		const second = pages.loadNextPage();
		again.resolve();
		await Promise.all([first, second]);
		while (pages.hasMore) {
			await pages.loadNextPage();
		}
		assert.equal(pages.rows.length, 25);
		assert.deepEqual(
			asked.map(({ page }) => page),
			[0, 0, 1, 2],
		);
	});

	it('contains no duplicates if the service lists a row twice, because a tree with two rows of one ID shows none', async () => {
		let rows = [createRow(2), createRow(1), createRow(2)];
		const pages = new PagedRows<Row>(
			async () => ({ rows, hasMore: false }),
			() => {},
		);
		await pages.start();
		assert.deepEqual(pages.rows, [createRow(2), createRow(1)]);
		rows = [createRow(3), createRow(3), createRow(2)];
		await pages.refreshFirstPage();
		assert.deepEqual(pages.rows, [createRow(3), createRow(2)]);
	});

	it('starts again if more rows than a page were added, because those in between are unknown', async () => {
		let total = 25;
		const pages = new PagedRows(createPagedList(() => total).fetch, () => {});
		await pages.start();
		await pages.loadNextPage();
		total = 40;
		await pages.refreshFirstPage();
		while (pages.hasMore) {
			await pages.loadNextPage();
		}
		assert.deepEqual(
			pages.rows.map(({ id }) => id),
			Array.from({ length: 40 }, (_, n) => `r${39 - n}`),
		);
	});

	it('reports each change', async () => {
		let reported = 0;
		const pages = new PagedRows(createPagedList(() => 5).fetch, () => reported++);
		await pages.start();
		pages.replaceRow('r1', { id: 'r1', text: 'new' });
		pages.replaceRow('r2', undefined);
		assert.equal(reported, 3);
		assert.deepEqual(
			pages.rows.map(({ id, text }) => text ?? id),
			['r4', 'r3', 'new', 'r0'],
		);
	});
});
