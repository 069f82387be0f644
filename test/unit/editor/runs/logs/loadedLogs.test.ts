import assert from 'node:assert/strict';
import { LoadedLogs } from '#editor/runs/logs/loadedLogs.ts';
import { firstFilter, firstSort, type LogsFilter } from '#pages/logs/logsFilter.ts';
import { createPlayedRuns, PlayedLogs } from './playedLogs.ts';

const anyTime: LogsFilter = { ...firstFilter, range: 'any' };
const one = { connectionId: 'c', agent: 'a' };
const listIds = (logs: LoadedLogs) => logs.shown.map(({ id }) => id);

describe('the entries of a logs page', () => {
	let now = 0;
	beforeEach(() => {
		now = Date.now();
	});

	it('are loaded in pages without duplicates, even if the log grows', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(250, now) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		assert.deepEqual([logs.shown.length, logs.total, logs.hasMore, logs.isPartial], [100, 250, true, false]);
		const { generation } = logs;
		played.add('a', { id: 'new', at: now / 1000 });
		await logs.loadMoreEntries();
		await logs.loadMoreEntries();
		assert.deepEqual([logs.shown.length, new Set(listIds(logs)).size, logs.hasMore], [250, 250, false]);
		assert.equal(logs.generation, generation, 'entries keep their places');
		assert.equal(await logs.refreshFirstPage(), 1);
		assert.deepEqual(listIds(logs).slice(0, 2), ['new', 'run-0']);
		logs.dispose();
	});

	it('are filtered by status, text and time on the service', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(5000, now, place => ({ text: place % 7 === 0 ? 'timeout' : 'fine' })) });
		const logs = new LoadedLogs(played.connections, one, firstFilter, firstSort);
		await logs.setFilter({ ...firstFilter, range: 'hour', status: 'succeeded', text: ' timeout ' });
		const [query] = played.queries;
		assert.deepEqual([query?.keyword, query?.status, query?.created_at__before], ['timeout', 'succeeded', undefined]);
		assert.ok(Math.abs(Date.parse(query?.created_at__after ?? '') - (Date.now() - 3_600_000)) < 60_000);
		assert.equal(logs.isPartial, false);
		logs.dispose();
	});

	it('are filtered locally by user, duration and tokens, over several pages and without repeated requests', async () => {
		const played = new PlayedLogs({
			a: createPlayedRuns(2500, now, place => ({ seconds: place % 50 === 0 ? 12 : 1, user: place % 2 ? 'ana' : 'bob' })),
		});
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		await logs.setFilter({ ...anyTime, minSeconds: 10, user: 'BOB' });
		assert.deepEqual([logs.shown.length, logs.read, logs.isPartial, logs.hasMore], [22, 1100, true, true]);
		assert.deepEqual(
			played.queries.map(({ page }) => page),
			Array.from({ length: 11 }, (_, place) => place + 1),
		);
		await logs.setFilter(anyTime);
		assert.deepEqual([logs.shown.length, logs.isPartial], [1100, false]);
		logs.dispose();
	});

	it("are filtered locally and marked as partial if the service can't filter by time", async () => {
		// use the current time rather than the time when the tests started
		const second = Math.floor(Date.now() / 1000);
		const played = new PlayedLogs({ a: createPlayedRuns(300, now, place => ({ at: second - place * 60 })) }, false);
		const logs = new LoadedLogs(played.connections, one, { ...firstFilter, range: 'hour' }, firstSort);
		await logs.loadMoreEntries();
		assert.ok(logs.shown.length >= 60 && logs.shown.length <= 61, String(logs.shown.length));
		assert.deepEqual([logs.isPartial, logs.hasMore, logs.total], [true, false, undefined]);
		logs.dispose();
	});

	it('are sorted locally once they are loaded', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(120, now, place => ({ seconds: place, tokens: 1000 - place })) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		logs.setSort({ by: 'duration', descending: true });
		assert.deepEqual([listIds(logs)[0], logs.isPartial], ['run-99', true]);
		await logs.loadMoreEntries();
		assert.equal(listIds(logs)[0], 'run-119');
		logs.setSort({ by: 'tokens', descending: true });
		assert.equal(listIds(logs)[0], 'run-0');
		logs.setSort({ by: 'time', descending: false });
		assert.equal(listIds(logs)[0], 'run-119');
		logs.dispose();
	});

	it('of all agents of a connection are merged, newest first', async () => {
		const even = createPlayedRuns(150, now, place => ({ id: `a-${place}`, at: Math.floor(now / 1000) - place * 2 }));
		const odd = createPlayedRuns(150, now, place => ({ id: `b-${place}`, at: Math.floor(now / 1000) - place * 2 - 1 }));
		const played = new PlayedLogs({ a: even, b: odd, none: [] });
		const logs = new LoadedLogs(played.connections, { connectionId: 'c' }, anyTime, firstSort);
		await logs.loadMoreEntries();
		assert.deepEqual(listIds(logs).slice(0, 4), ['a-0', 'b-0', 'a-1', 'b-1']);
		assert.equal(logs.total, 300);
		while (logs.hasMore) {
			await logs.loadMoreEntries();
		}
		const times = logs.shown.map(({ createdAt }) => createdAt ?? 0);
		assert.equal(times.length, 300);
		assert.ok(times.every((at, place) => place === 0 || at <= times[place - 1]!));
		logs.dispose();
	});

	it('are kept if a page fails, and the next attempt continues there', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(250, now) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		played.failure = new Error('The service is gone.');
		await logs.loadMoreEntries();
		assert.deepEqual([logs.shown.length, (logs.error as Error).message, logs.isLoading], [100, 'The service is gone.', false]);
		await logs.loadMoreEntries();
		assert.deepEqual([logs.shown.length, logs.error], [200, undefined]);
		logs.dispose();
	});

	it('stop loading without an error if the user cancels', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(250, now) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		const open = Promise.withResolvers<void>();
		played.gate = open.promise;
		const loading = logs.loadMoreEntries();
		assert.equal(logs.isLoading, true);
		logs.cancelLoading();
		open.resolve();
		await loading;
		assert.deepEqual([logs.isLoading, logs.error, logs.shown.length], [false, undefined, 100]);
		await logs.loadMoreEntries();
		assert.equal(logs.shown.length, 200);
		logs.dispose();
	});

	it('show no entries of the filter before if the user cancels, and load those of the new one on request', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(50, now, place => ({ status: place % 2 ? 'failed' : 'succeeded' })) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		const open = Promise.withResolvers<void>();
		played.gate = open.promise;
		const filtering = logs.setFilter({ ...anyTime, status: 'failed' });
		assert.equal(logs.shown.length, 50, 'until the first page has arrived');
		logs.cancelLoading();
		open.resolve();
		await filtering;
		assert.deepEqual([logs.shown.length, logs.read, logs.hasMore], [0, 0, true]);
		await logs.loadMoreEntries();
		assert.deepEqual([logs.shown.length, logs.shown.every(({ status }) => status === 'failed')], [25, true]);
		logs.dispose();
	});

	it('are ignored if they were requested before the filter changed', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(50, now, place => ({ status: place % 2 ? 'failed' : 'succeeded' })) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		const open = Promise.withResolvers<void>();
		played.gate = open.promise;
		const first = logs.loadMoreEntries();
		const second = logs.setFilter({ ...anyTime, status: 'failed' });
		open.resolve();
		await Promise.all([first, second]);
		assert.equal(logs.shown.length, 25);
		assert.ok(logs.shown.every(({ status }) => status === 'failed'));
		logs.dispose();
	});

	it("aren't requested with invalid dates", async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(5, now) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.setFilter({ ...anyTime, range: 'dates', from: '2026-02-31' });
		assert.equal(played.queries.length, 0);
		await logs.setFilter({ ...anyTime, range: 'dates', from: '2026-02-01' });
		assert.equal(played.queries.length, 1);
		logs.dispose();
	});
});
