import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Log } from '#gateway/process/log.ts';
import { Store } from '#gateway/store/store.ts';

const log = new Log('json', () => {});

describe('the log of runs', () => {
	let folder: string;
	let store: Store;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'log-test-'));
		store = new Store(folder, 0, log);
	});
	afterEach(async () => {
		await store.close();
		fs.rmSync(folder, { recursive: true });
	});

	let next = 0;
	/** Adds a finished run that started at a time; returns its row ID. */
	function addRun(
		agent: number,
		createdAt: number,
		{
			status = 'succeeded',
			error = null,
			nodeErrors = [],
		}: { status?: string; error?: string | null; nodeErrors?: readonly string[] } = {},
	): number {
		const id = `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`;
		const seq = store.runs.start({ id, taskId: id, agent, listed: true, workflowId: 'w', user: 'ana', inputs: '{}', createdAt });
		const events = nodeErrors.map((text, at) => ({
			run: seq,
			number: at + 1,
			event: JSON.stringify({ event: 'node_finished', data: { status: 'exception', error: text } }),
		}));
		store.runs.finishRun(
			seq,
			{
				...{ status, outputs: '{}', error, elapsedTime: 0, totalTokens: 0, totalSteps: 1, finishedAt: createdAt },
				exceptionsCount: nodeErrors.length,
			},
			events,
		);
		return seq;
	}
	const listSeqs = (rows: readonly { seq: number }[]) => rows.map(({ seq }) => seq);

	it('can be filtered by time and status, in pages, across blocks', () => {
		const agent = store.agents.ensureAgent('a').id;
		const other = store.agents.ensureAgent('b').id;
		const all = Array.from({ length: 6_000 }, (_, i) => {
			const status = i % 3 === 0 ? 'failed' : 'succeeded';
			// several start in the same millisecond
			const at = 1_000_000 + Math.floor(i / 4) * 10;
			return { at, status, mine: i % 5 !== 0, seq: addRun(i % 5 === 0 ? other : agent, at, { status }) };
		});
		for (const [after, before] of [
			[1_000_000, 1_014_990],
			[1_005_000, 1_005_000],
			[1_004_995, 1_012_003],
			[undefined, 1_000_010],
			[1_014_980, undefined],
			[2_000_000, undefined],
			[undefined, 5],
			[1_010_000, 1_000_000],
		] as const) {
			const span = store.runs.findRowSpan(after, before);
			for (const status of [undefined, 'failed']) {
				const expected = all
					.filter(each => each.mine && each.at >= (after ?? 0) && each.at <= (before ?? Number.MAX_SAFE_INTEGER))
					.filter(each => status === undefined || each.status === status)
					.map(({ seq }) => seq)
					.reverse();
				const what = `${after} to ${before}, ${status}`;
				assert.equal(store.runs.countRuns(agent, status, span), expected.length, what);
				for (const offset of [0, 7, Math.max(0, expected.length - 3), expected.length]) {
					assert.deepEqual(
						listSeqs(store.runs.getRunPage(agent, status, offset, 20, span)),
						expected.slice(offset, offset + 20),
						`${what} from ${offset}`,
					);
				}
			}
		}
	});

	it('can be searched for errors of runs and of handled node failures, within a time span', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const failed = addRun(agent, 1_000, { status: 'failed', error: 'HTTP 504: Gateway "Timeout"\nafter 60 s' });
		const swallowed = addRun(agent, 2_000, { status: 'partial-succeeded', nodeErrors: ['rate limit', 'Timeout of “écho”'] });
		addRun(agent, 3_000, {});
		const findRuns = async (keyword: string, span?: { first: number; last: number }) => {
			const { seqs, total } = await store.search.findRuns({ agent, keyword, status: undefined, span, offset: 0, limit: 20 });
			assert.equal(total, seqs.length);
			return seqs;
		};
		const checkPages = async () => {
			assert.deepEqual(await findRuns('timeout'), [swallowed, failed]);
			assert.deepEqual(await findRuns('"Timeout"\nafter'), [failed]);
			assert.deepEqual(await findRuns('rate lim'), [swallowed]);
			assert.deepEqual(await findRuns('écho'), [swallowed]);
			assert.deepEqual(await findRuns('timeout', store.runs.findRowSpan(1_500, undefined)), [swallowed]);
			assert.deepEqual(await findRuns('timeout', store.runs.findRowSpan(undefined, 1_999)), [failed]);
			assert.deepEqual(await findRuns('00000000-0000-4000-8000-000000000000'), []);
		};
		await checkPages();
		while (await store.search.indexSomeRuns());
		await checkPages();
	});

	it('rebuilds an index of an older version', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const seq = addRun(agent, 1_000, { status: 'failed', error: 'timeout' });
		while (await store.search.indexSomeRuns());
		await store.close();
		const file = fs.readdirSync(folder).find(name => name.includes('search') && name.endsWith('.db'));
		assert.ok(file, fs.readdirSync(folder).join());
		const index = new DatabaseSync(path.join(folder, file));
		index.exec('DELETE FROM run_search; PRAGMA user_version = 1');
		index.close();
		store = new Store(folder, 0, log);
		while (await store.search.indexSomeRuns());
		const { seqs } = await store.search.findRuns({ agent, keyword: 'timeout', status: undefined, offset: 0, limit: 20 });
		assert.deepEqual(seqs, [seq]);
	});
});
