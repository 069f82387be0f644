import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readLogPage, readRunDetail } from '#client/readers.ts';
import type { WorkflowLogPage, WorkflowLogsQuery, WorkflowRunDetail } from '#contract/workflows.ts';
import type { Connections } from '#editor/connections/connectionTypes.ts';
import { exportLogs } from '#editor/runs/logs/exportLogs.ts';
import { LoadedLogs } from '#editor/runs/logs/loadedLogs.ts';
import { firstFilter, firstSort, type LogsFilter } from '#pages/logs/logsFilter.ts';
import { parseLogsMessage } from '#pages/logs/logsMessages.ts';
import type { LogEntry } from '#runs/logs/logEntry.ts';
import { createPlayedRuns, PlayedLogs } from './playedLogs.ts';

const now = Date.now();
const seconds = Math.floor(now / 1000);
const anyTime: LogsFilter = { ...firstFilter, range: 'any' };
const one = { connectionId: 'c', agent: 'a' };
const listIds = (logs: LoadedLogs) => logs.shown.map(({ id }) => id);

/** Creates logs on a service whose responses the test defines. `asked` is the number of requests. */
function createServiceLogs(page: (query: WorkflowLogsQuery) => unknown, agents: readonly string[] = ['a']) {
	const reported = { asked: 0, atOnce: 0, most: 0 };
	const listLogs = async (query: WorkflowLogsQuery) => {
		reported.asked++;
		reported.atOnce++;
		reported.most = Math.max(reported.most, reported.atOnce);
		await new Promise(setImmediate);
		reported.atOnce--;
		return readLogPage(structuredClone(await page(query)) as WorkflowLogPage);
	};
	const connections = {
		listAgents: async () => agents.map(name => ({ name })),
		getClient: async () => ({ listLogs }),
		toProblem: (_: string, error: unknown) => error,
	} as unknown as Connections;
	return { connections, reported };
}

const createEntry = (id: unknown, at: unknown, run: object = {}) => ({
	id,
	workflow_run: {
		id,
		status: 'succeeded',
		error: null,
		elapsed_time: 1,
		total_tokens: 0,
		total_steps: 1,
		created_at: at,
		finished_at: at,
		...run,
	},
	created_by_end_user: { id: 'x', type: 'service_api', is_anonymous: false, session_id: 'ana' },
	created_at: at,
});

describe('the logs of a service with false responses', () => {
	it("end if it always claims to have more but sends nothing, and other agents' logs are shown", async () => {
		const { connections, reported } = createServiceLogs(
			({ model }) =>
				model === 'liar'
					? { data: [], has_more: true, total: -1, page: 1, limit: 100 }
					: { data: [createEntry('r1', seconds)], has_more: false, total: 1, page: 1, limit: 100 },
			['liar', 'honest'],
		);
		const logs = new LoadedLogs(connections, { connectionId: 'c' }, anyTime, firstSort);
		await logs.loadMoreEntries();
		assert.deepEqual([listIds(logs), logs.hasMore, logs.total, reported.asked], [['r1'], false, undefined, 2]);
		logs.dispose();
	});

	it('list every entry once and end if it always sends the same page', async () => {
		const data = [createEntry('r1', seconds), createEntry('r1', seconds), createEntry('r2', seconds)];
		const { connections, reported } = createServiceLogs(() => ({ data, has_more: true, total: 1e9, page: 1, limit: 100 }));
		const logs = new LoadedLogs(connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		assert.deepEqual([listIds(logs), logs.hasMore], [['r1', 'r2'], true]);
		await logs.loadMoreEntries();
		assert.deepEqual([listIds(logs), logs.hasMore], [['r1', 'r2'], false]);
		assert.ok(reported.asked <= 11, String(reported.asked));
		logs.dispose();
	});

	it('are filtered, sorted and exported even if values have unexpected types', async () => {
		const odd = [
			createEntry(7, 1e15, { status: 5, error: { code: 1 }, elapsed_time: 'NaN', total_tokens: -3 }),
			{ ...createEntry('b', 'never', { elapsed_time: '2.5', total_tokens: null, error: 12 }), created_by_end_user: { session_id: 5 } },
			{ ...createEntry('c', -8.64e12, { total_tokens: '12' }), created_by_end_user: 'x', created_by_account: { name: { a: 1 } } },
		];
		const { connections } = createServiceLogs(() => ({ data: odd, has_more: false, total: 'many', page: 1, limit: 100 }));
		const logs = new LoadedLogs(connections, one, anyTime, { by: 'duration', descending: true });
		await logs.loadMoreEntries();
		assert.equal(logs.error, undefined);
		assert.deepEqual(
			logs.shown.map(({ id, status, elapsedSeconds, tokens, user, createdAt }) => [id, status, elapsedSeconds, tokens, user, createdAt]),
			[
				['b', 'succeeded', 2.5, 0, '5', undefined],
				['c', 'succeeded', 1, 12, '[object Object]', -8.64e15],
				['7', '5', 0, 0, 'ana', undefined],
			],
		);
		await logs.setFilter({ ...anyTime, user: 'AN', minTokens: 0 });
		assert.deepEqual(listIds(logs), ['7']);
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'lying-'));
		const file = path.join(folder, 'x.csv');
		const detail = readRunDetail({ id: 5, status: 5, error: ['x'], inputs: 3, outputs: [1] } as unknown as WorkflowRunDetail);
		const all = logs.shown as readonly LogEntry[];
		await exportLogs(file, all, async () => detail, { signal: new AbortController().signal, progress: () => undefined });
		assert.match(fs.readFileSync(file, 'utf8'), /\r\n,5,a,ana,0,0,7,"\[""x""\]",/);
		fs.rmSync(folder, { recursive: true });
		logs.dispose();
	});

	it('keep received entries if it disconnects between the pages of two logs', async () => {
		const played = new PlayedLogs({
			a: createPlayedRuns(150, now, place => ({ id: `a-${place}`, at: seconds - place })),
			b: createPlayedRuns(150, now, place => ({ id: `b-${place}`, at: seconds - place * 10 })),
		});
		const logs = new LoadedLogs(played.connections, { connectionId: 'c' }, anyTime, firstSort);
		await logs.loadMoreEntries();
		for (let failures = 0; logs.hasMore && failures < 20; failures++) {
			played.failure = new Error('gone');
			await logs.loadMoreEntries();
			await logs.loadMoreEntries();
		}
		assert.deepEqual([logs.shown.length, new Set(listIds(logs)).size], [300, 300]);
		const times = logs.shown.map(({ createdAt = 0 }) => createdAt);
		assert.deepEqual(
			times,
			times.toSorted((x, y) => y - x),
		);
		logs.dispose();
	});

	it('list all entries of a page that is much longer than requested', async () => {
		const data = Array.from({ length: 150_000 }, (_, at) => createEntry(`r${at}`, seconds));
		const { connections } = createServiceLogs(() => ({ data, has_more: false, total: 1, page: 1, limit: 100 }));
		const logs = new LoadedLogs(connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		assert.deepEqual([logs.error, logs.shown.length], [undefined, 150_000]);
		logs.dispose();
	});

	it('are requested a few at a time if it has 5,000 agents', async () => {
		const names = Array.from({ length: 5000 }, (_, place) => `agent-${place}`);
		const { connections, reported } = createServiceLogs(
			({ model }) => ({ data: [createEntry(model, seconds)], has_more: false, total: 1, page: 1, limit: 100 }),
			names,
		);
		const logs = new LoadedLogs(connections, { connectionId: 'c' }, anyTime, firstSort);
		await logs.loadMoreEntries();
		assert.deepEqual([logs.shown.length, logs.total, reported.asked], [100, 5000, 5000]);
		assert.ok(reported.most <= 8, String(reported.most));
		logs.dispose();
	});
});

describe('a live logs page', () => {
	it('keeps its entries if nothing on the newest page is in the range', async () => {
		const runs = createPlayedRuns(300, now, place => ({ at: seconds - place * 60 * 10 }));
		const played = new PlayedLogs({ a: runs }, false);
		const midnight = new Date(now).setHours(0, 0, 0, 0);
		const yesterday = runs.filter(({ at }) => at * 1000 < midnight && at * 1000 >= midnight - 86_400_000);
		for (let more = 0; more < 120; more++) {
			played.add('a', { id: `new-${more}`, at: seconds });
		}
		const logs = new LoadedLogs(played.connections, one, { ...firstFilter, range: 'yesterday' }, firstSort);
		await logs.loadMoreEntries();
		const before = listIds(logs);
		assert.ok(before.length >= Math.min(50, yesterday.length - 1), String(before.length));
		assert.equal(await logs.refreshFirstPage(), 0);
		assert.deepEqual(listIds(logs), before);
		logs.dispose();
	});

	it('ignores slow responses from before its filter changed', async () => {
		const played = new PlayedLogs({
			a: createPlayedRuns(20, now, place => ({ id: `run-${place}`, text: place < 3 ? 'timeout' : 'fine', at: seconds - place })),
		});
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		played.add('a', { id: 'new', at: seconds, text: 'fine' });
		let openGate = () => {};
		played.gate = new Promise<void>(resolve => {
			openGate = resolve;
		});
		const refreshed = logs.refreshFirstPage();
		await new Promise(setImmediate);
		played.gate = Promise.resolve();
		await logs.setFilter({ ...anyTime, text: 'timeout' });
		openGate();
		assert.equal(await refreshed, 0);
		assert.deepEqual(listIds(logs), ['run-0', 'run-1', 'run-2']);
		logs.dispose();
	});

	it('accepts every number that its fields accept', () => {
		const message = { type: 'filter', filter: { ...anyTime, minSeconds: 1e300, minTokens: 0 } };
		assert.deepEqual(parseLogsMessage(message), message);
	});

	it('sends no requests while its dates are invalid', async () => {
		const played = new PlayedLogs({ a: createPlayedRuns(5, now) });
		const logs = new LoadedLogs(played.connections, one, anyTime, firstSort);
		await logs.loadMoreEntries();
		await logs.setFilter({ ...anyTime, range: 'dates', from: '2026-13-99' });
		await logs.reloadEntries();
		assert.equal(await logs.refreshFirstPage(), 0);
		assert.equal(played.queries.length, 1);
		logs.dispose();
	});
});
