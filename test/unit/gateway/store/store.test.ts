import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Log } from '#gateway/process/log.ts';
import { Database } from '#gateway/store/database.ts';
import { StoreInUseError } from '#gateway/store/folder/folderHold.ts';
import { Retention } from '#gateway/store/retention.ts';
import { RetentionPeriod } from '#gateway/store/retentionPeriod.ts';
import { RunRemoval } from '#gateway/store/runRemoval.ts';
import type { RunEnd } from '#gateway/store/runRows.ts';
import { Store } from '#gateway/store/store.ts';

const log = new Log('json', () => {});

describe('the store', () => {
	let folder: string;
	let store: Store;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		store = new Store(folder, 0, log);
	});
	afterEach(async () => {
		await store.close();
		fs.rmSync(folder, { recursive: true });
	});

	let next = 0;
	function startRun(agent: number, texts: { inputs?: object; user?: string; listed?: boolean } = {}): { seq: number; id: string } {
		const id = `00000000-0000-4000-8000-${String(++next).padStart(12, '0')}`;
		const seq = store.runs.start({
			id,
			taskId: `task ${next}`,
			agent,
			listed: texts.listed ?? true,
			workflowId: 'w',
			user: texts.user ?? 'ana',
			inputs: JSON.stringify(texts.inputs ?? {}),
			createdAt: 1_000_000 + next,
		});
		return { seq, id };
	}

	const endRun = (status: string, outputs: object = {}): RunEnd => ({
		status,
		outputs: JSON.stringify(outputs),
		error: null,
		elapsedTime: 0.5,
		totalTokens: 1,
		totalSteps: 2,
		exceptionsCount: 0,
		finishedAt: 2_000_000,
	});

	async function indexAll(): Promise<void> {
		while (await store.search.indexSomeRuns());
	}

	const listSeqs = (rows: readonly { seq: number }[]) => rows.map(({ seq }) => seq);

	it('pages runs newest first, across blocks, by status', () => {
		const agent = store.agents.ensureAgent('a').id;
		const other = store.agents.ensureAgent('b').id;
		const expected: Record<string, number[]> = { all: [], succeeded: [], failed: [], running: [] };
		for (let i = 0; i < 9_000; i++) {
			const { seq } = startRun(i % 5 === 0 ? other : agent, { listed: i % 7 !== 0 });
			const status = i % 3 === 0 ? 'failed' : i % 11 === 0 ? 'running' : 'succeeded';
			if (status !== 'running') {
				store.runs.finishRun(seq, endRun(status));
			}
			if (i % 5 !== 0 && i % 7 !== 0) {
				expected['all']?.unshift(seq);
				expected[status]?.unshift(seq);
			}
		}
		for (const [name, all] of Object.entries(expected)) {
			const status = name === 'all' ? undefined : name;
			assert.equal(store.runs.countRuns(agent, status), all.length);
			for (const offset of [0, 1, 17, Math.floor(all.length / 2), all.length - 5, all.length, all.length + 20]) {
				assert.deepEqual(
					listSeqs(store.runs.getRunPage(agent, status, offset, 20)),
					all.slice(offset, offset + 20),
					`${name} from ${offset}`,
				);
			}
		}
	});

	it('finds runs by any part of their texts, queued or indexed', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const other = store.agents.ensureAgent('b').id;
		const first = startRun(agent, { inputs: { text: 'Ein Äpfelchen "im" Glas\n\\', n: 12345 } });
		const second = startRun(agent, { inputs: { text: '日本語の文' }, user: 'böb' });
		const third = startRun(other, { inputs: { text: 'Äpfelchen' } });
		for (const { seq } of [first, second, third]) {
			store.runs.finishRun(seq, endRun(seq === second.seq ? 'failed' : 'succeeded', { z: `out ${seq}z` }));
		}
		const findRuns = (keyword: string, status?: string) => store.search.findRuns({ agent, keyword, status, offset: 0, limit: 20 });
		const checkPages = async () => {
			const cases: Readonly<Record<string, number[]>> = {
				äpfel: [first.seq],
				ÄPFELCHEN: [first.seq],
				'"im" Glas\n\\': [first.seq],
				'2345': [first.seq],
				日本: [second.seq],
				語: [second.seq],
				böb: [second.seq],
				'z"}': [second.seq, first.seq],
				'}': [second.seq, first.seq],
				nothing: [],
				'~': [],
				'~~': [],
				[first.id]: [first.seq],
				[`${'x'.repeat(30)}tail`]: [],
			};
			for (const [keyword, expected] of Object.entries(cases)) {
				assert.deepEqual(await findRuns(keyword), { seqs: expected, total: expected.length, hasMore: false }, keyword);
			}
			assert.deepEqual((await findRuns('out', 'failed')).seqs, [second.seq]);
			assert.deepEqual((await findRuns('語', 'succeeded')).seqs, []);
			assert.deepEqual((await findRuns(first.id, 'failed')).seqs, []);
		};
		await checkPages();
		await indexAll();
		await checkPages();
		const late = startRun(agent, { inputs: { text: 'late' } });
		store.runs.finishRun(late.seq, endRun('succeeded'));
		assert.deepEqual((await findRuns('late')).seqs, [late.seq]);
	});

	it('pages search results', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const all = Array.from({ length: 50 }, (_, i) => {
			const { seq } = startRun(agent, { inputs: { text: i % 2 === 0 ? 'even number' : 'odd number' } });
			store.runs.finishRun(seq, endRun('succeeded'));
			return { seq, even: i % 2 === 0 };
		});
		const expected = all
			.filter(({ even }) => even)
			.map(({ seq }) => seq)
			.reverse();
		for (const [offset, limit] of [
			[0, 10],
			[10, 10],
			[20, 10],
			[24, 1],
			[25, 10],
		] as const) {
			const page = await store.search.findRuns({ agent, keyword: 'even', status: undefined, offset, limit });
			assert.deepEqual(page.seqs, expected.slice(offset, offset + limit));
			assert.equal(page.total, 25);
			assert.equal(page.hasMore, offset + limit < 25);
		}
	});

	it('finds nothing of a run that was deleted while being indexed', async () => {
		const agent = store.agents.ensureAgent('forgetful').id;
		const find = async (keyword: string) =>
			(await store.search.findRuns({ agent, keyword, status: undefined, offset: 0, limit: 20 })).total;
		const { seq: kept } = startRun(agent);
		store.runs.finishRun(kept, endRun('succeeded', { text: 'ordinary' }));
		while (await store.search.indexSomeRuns());
		const { seq } = startRun(agent);
		store.runs.finishRun(seq, endRun('succeeded', { text: 'Nebuchadnezzar' }));
		const step = store.search.indexSomeRuns();
		// nothing awaits here: the thread has indexed the run, and its response is pending
		const index = new DatabaseSync(path.join(folder, 'gateway.search.db'), { readOnly: true });
		const rows = index.prepare('SELECT count(*) AS found FROM run_search WHERE rowid = ?');
		for (const limit = Date.now() + 20_000; (rows.get(seq) as { found: number }).found === 0 && Date.now() < limit; );
		index.close();
		const db = new Database(path.join(folder, 'gateway.db'), log);
		db.runTransaction(() => new RunRemoval(db).removeRun(seq));
		await db.close();
		await step;
		assert.deepEqual([await find('Nebuchadnezzar'), await find('ordinary')], [0, 1]);
		while (await store.search.indexSomeRuns());
		assert.deepEqual([await find('Nebuchadnezzar'), await find('ordinary')], [0, 1]);
	});

	it('keeps a cached total exact while runs are added, changed and deleted', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const other = store.agents.ensureAgent('b').id;
		const countFound = async (status?: string) =>
			(await store.search.findRuns({ agent, keyword: 'ordinary', status, offset: 0, limit: 1 })).total;
		const seqs: number[] = [];
		const addRun = async (of: number, status: string, text: string) => {
			const { seq } = startRun(of);
			store.runs.finishRun(seq, endRun(status, { text }));
			while (await store.search.indexSomeRuns());
			seqs.push(seq);
		};
		for (let i = 0; i < 3; i++) {
			await addRun(agent, 'succeeded', 'ordinary');
		}
		assert.deepEqual([await countFound(), await countFound('failed')], [3, 0]);
		await addRun(agent, 'failed', 'An ORDINARY run');
		await addRun(agent, 'succeeded', 'another');
		await addRun(other, 'succeeded', 'ordinary');
		assert.deepEqual([await countFound(), await countFound('failed'), await countFound('succeeded')], [4, 1, 3]);
		const db = new Database(path.join(folder, 'gateway.db'), log);
		db.runTransaction(() => new RunRemoval(db).removeRun(seqs[0] as number));
		await db.close();
		assert.equal(await countFound(), 3);
		while (await store.search.indexSomeRuns());
		assert.deepEqual([await countFound(), await countFound('succeeded')], [3, 2]);
	});

	it('counts all matches, the same on each page, and fewer after a deletion', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const row = store.conversations.createConversation({
			...{ id: 'c1', agent, user: 'ana', name: 'n', introduction: '', created_at: 1, updated_at: 1, inputs: '{}', variables: '{}' },
		});
		for (let i = 0; i < 2_500; i++) {
			const { seq, id } = startRun(agent, { inputs: { text: 'common word' } });
			store.runs.finishRun(seq, endRun('succeeded'));
			if (i < 30) {
				store.conversations.startMessage(row.seq, { id: `m${i}`, run_id: id, created_at: 1, inputs: '{}', files: '[]', query: 'q' });
			}
		}
		const listTotals = async () => {
			const pages = [0, 20, 2_000].map(offset => store.search.findRuns({ agent, keyword: 'common', status: undefined, offset, limit: 20 }));
			return (await Promise.all(pages)).map(({ total }) => total);
		};
		await indexAll();
		assert.deepEqual(await listTotals(), [2_500, 2_500, 2_500]);
		while (store.conversations.deleteSomeTurns(row.seq));
		assert.deepEqual(await listTotals(), [2_470, 2_470, 2_470]);
		await indexAll();
		assert.deepEqual(await listTotals(), [2_470, 2_470, 2_470]);
		assert.equal(store.runs.countRuns(agent), 2_470);
	});

	it('ends only the runs that a dead process left running', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const [done, left, draft] = [startRun(agent), startRun(agent), startRun(agent, { listed: false })];
		store.runs.finishRun(done.seq, endRun('succeeded', { x: 1 }), [{ run: done.seq, number: 1, event: '{"n":1}' }]);
		store.runs.addEvents([{ run: left.seq, number: 1, event: '{"n":2}' }]);
		await store.close();
		store = new Store(folder, 0, log);
		assert.equal(store.interrupted, 2);
		assert.equal(store.runs.getRunDetail(agent, done.id)?.status, 'succeeded');
		assert.deepEqual(store.runs.getEvents(done.seq), ['{"n":1}']);
		for (const { id } of [left, draft]) {
			const row = store.runs.getRunDetail(agent, id);
			assert.equal(row?.status, 'failed');
			assert.match(row?.error ?? '', /^interrupted/);
		}
		assert.deepEqual(
			[store.runs.countRuns(agent), store.runs.countRuns(agent, 'failed'), store.runs.countRuns(agent, 'running')],
			[2, 1, 0],
		);
		await store.close();
		store = new Store(folder, 0, log);
		assert.equal(store.interrupted, 0);
	});

	it('reads the events of a run in pages of any size, and continues with new ones', () => {
		const agent = store.agents.ensureAgent('a').id;
		const [before, run, after] = [startRun(agent), startRun(agent), startRun(agent)];
		const texts = [5, 1, 900, 2, 3, 40, 40, 40].map((length, i) => JSON.stringify(String(i).repeat(length)));
		store.runs.addEvents(texts.map((event, i) => ({ run: run.seq, number: i + 1, event })));
		store.runs.addEvents([before, after].map(({ seq }) => ({ run: seq, number: 1, event: '"not of this run"' })));
		const pages: (readonly string[])[] = [];
		let last = 0;
		const readAll = () => {
			for (
				let page = store.runs.getEventPage(run.seq, last, 100);
				page.events.length > 0;
				page = store.runs.getEventPage(run.seq, last, 100)
			) {
				pages.push(page.events);
				last = page.last;
			}
		};
		readAll();
		assert.deepEqual(
			pages.map(page => page.length),
			[2, 1, 4, 1],
		);
		store.runs.addEvents([{ run: run.seq, number: 9, event: '"late"' }]);
		readAll();
		assert.deepEqual(pages.flat(), [...texts, '"late"']);
		assert.deepEqual(store.runs.getEventPage(startRun(agent).seq, 0), { events: [], last: 0 });
	});

	it("doesn't end a run twice", () => {
		const agent = store.agents.ensureAgent('a').id;
		const { seq, id } = startRun(agent);
		store.runs.finishRun(seq, endRun('succeeded'));
		store.runs.finishRun(seq, endRun('failed'));
		assert.equal(store.runs.getRunDetail(agent, id)?.status, 'succeeded');
		assert.equal(store.runs.countRuns(agent, 'failed'), 0);
	});

	it('separates conversations by agent and user, and deletes their messages with them', () => {
		const agent = store.agents.ensureAgent('a').id;
		const row = store.conversations.createConversation({
			id: 'c1',
			agent,
			user: 'ana',
			name: 'n',
			introduction: '',
			created_at: 1,
			updated_at: 1,
			inputs: '{}',
			variables: '{}',
		});
		store.conversations.startMessage(row.seq, { id: 'm1', run_id: 'r', created_at: 1, inputs: '{}', files: '[]', query: 'q' });
		assert.equal(store.conversations.get(agent, 'eve', 'c1'), undefined);
		assert.equal(store.conversations.get(agent + 1, 'ana', 'c1'), undefined);
		store.conversations.finishMessage('m1', { status: 'normal', error: null, metadata: '{}', answer: 'a', variables: () => '{"v":1}' }, 5);
		assert.deepEqual(
			[store.conversations.get(agent, 'ana', 'c1')?.updated_at, store.conversations.get(agent, 'ana', 'c1')?.variables],
			[5, '{"v":1}'],
		);
		assert.equal(store.conversations.deleteSomeTurns(row.seq), false);
		assert.equal(store.conversations.countMessages(row.seq), 0);
		assert.equal(store.conversations.getMessage(row.seq, 'm1'), undefined);
	});

	it('starts no turn in a deleted conversation, nor in the next one created', () => {
		const agent = store.agents.ensureAgent('a').id;
		const conversation = { agent, user: 'ana', name: 'n', introduction: '', created_at: 1, updated_at: 1, inputs: '{}', variables: '{}' };
		const gone = store.conversations.createConversation({ ...conversation, id: 'c1' });
		store.conversations.deleteSomeTurns(gone.seq);
		const next = store.conversations.createConversation({ ...conversation, id: 'c2' });
		const begun = store.conversations.startMessage(gone.seq, {
			id: 'm',
			run_id: 'r',
			created_at: 1,
			inputs: '{}',
			files: '[]',
			query: 'q',
		});
		assert.equal(begun, false);
		assert.equal(store.conversations.countMessages(next.seq), 0);
	});

	it("writes its log to the database file while it's open", async () => {
		store.agents.ensureAgent('a');
		const { size } = fs.statSync(path.join(folder, 'gateway.db'));
		while (fs.statSync(path.join(folder, 'gateway.db')).size === size) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		assert.equal(store.agents.get('a')?.name, 'a');
	});

	it('reindexes a run that changed while being indexed', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const { seq } = startRun(agent, { inputs: { text: 'looked for' } });
		const totals = { outputs: null, elapsedTime: 0, totalTokens: 0, exceptionsCount: 0 };
		store.runs.pauseRun(seq, { ...totals, totalSteps: 2, taskId: 't', request: '{}', source: null, state: '{}', forms: [] }, []);
		const indexing = store.search.indexSomeRuns();
		store.runs.resumeRun(seq);
		store.runs.finishRun(seq, { ...endRun('succeeded'), totalSteps: 4 });
		await indexing;
		await indexAll();
		const countFoundRuns = async (status: string) =>
			(await store.search.findRuns({ agent, keyword: 'looked for', status, offset: 0, limit: 20 })).seqs;
		assert.deepEqual([await countFoundRuns('paused'), await countFoundRuns('succeeded')], [[], [seq]]);
		assert.deepEqual(
			[store.runs.countRuns(agent, 'paused'), store.runs.countRuns(agent, 'running'), store.runs.countRuns(agent)],
			[0, 0, 1],
		);
	});

	it('rebuilds the search index if it turns out to be damaged while it is used, and names no damage of the store', async () => {
		const agent = store.agents.ensureAgent('agent').id;
		for (let number = 0; number < 300; number++) {
			const { seq } = startRun(agent, { inputs: { text: `gauge ${createHash('sha256').update(String(number)).digest('hex').repeat(9)}` } });
			store.runs.finishRun(seq, endRun('succeeded'));
		}
		await indexAll();
		await store.close();
		const file = path.join(folder, 'gateway.search.db');
		new DatabaseSync(file).close();
		const isReadable = (words: string) => {
			const db = new DatabaseSync(file);
			try {
				return db.prepare('SELECT rowid FROM run_search WHERE run_search MATCH ?').all(words).length >= 0;
			} catch {
				return false;
			} finally {
				db.close();
			}
		};
		// a page that is read by a search, but not when the file is opened
		const bytes = fs.readFileSync(file);
		const pages = Array.from({ length: bytes.length / 4096 }, (_, page) => page * 4096);
		const damaged = pages.find(start => {
			fs.writeFileSync(file, Buffer.from(bytes).fill(0xee, start, start + 4096));
			return isReadable('"abc"') && !isReadable('"gauge"');
		});
		assert.notEqual(damaged, undefined);
		store = new Store(folder, 0, log);
		const find = () => store.search.findRuns({ agent, keyword: 'gauge', status: undefined, offset: 0, limit: 500 });
		assert.equal((await find()).total, 300);
		await indexAll();
		assert.equal((await find()).total, 300);
	});

	it('rebuilds the index of a store that had it in the same file', async () => {
		const agent = store.agents.ensureAgent('a').id;
		const { seq } = startRun(agent, { inputs: { text: 'kept from before' } });
		store.runs.finishRun(seq, endRun('succeeded'));
		await indexAll();
		await store.close();
		const old = new DatabaseSync(path.join(folder, 'gateway.db'));
		old.exec(`CREATE VIRTUAL TABLE run_search USING fts5 (scope, body, content = '', contentless_delete = 1, tokenize = 'trigram');
			DROP TABLE paused_runs;
			DROP TABLE forms;
			DROP TABLE text_calls;
			DROP TABLE text_usage;
			DROP TABLE model_replies;
			DROP TABLE agent_descriptions;
			DROP TABLE response_items;
			DROP TABLE responses;
			DROP INDEX messages_by_run;
			PRAGMA user_version = 1`);
		old.close();
		fs.rmSync(path.join(folder, 'gateway.search.db'));
		store = new Store(folder, 0, log);
		await indexAll();
		assert.deepEqual((await store.search.findRuns({ agent, keyword: 'from before', status: undefined, offset: 0, limit: 20 })).seqs, [seq]);
	});

	it('refuses a second process and a newer format', async () => {
		assert.throws(() => new Store(folder, 0, log), StoreInUseError);
		await store.close();
		const raw = new DatabaseSync(path.join(folder, 'gateway.db'));
		const { user_version: version } = raw.prepare('PRAGMA user_version').get() as { user_version: number };
		raw.exec('PRAGMA user_version = 999');
		raw.close();
		assert.throws(() => new Store(folder, 0, log), /written by a newer version \(format 999;/);
		const back = new DatabaseSync(path.join(folder, 'gateway.db'));
		back.exec(`PRAGMA user_version = ${version}`);
		back.close();
		store = new Store(folder, 0, log);
	});
});

describe('retention', () => {
	it('deletes old calls of models even if many before them have a later time, from a clock that was ahead', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		const store = new Store(folder, 0, log);
		const names = { endpoint: '', model: '', route: '', provider: '', user: '', agent: '', run: '', currency: '' };
		const unknown = { input_tokens: null, cached_tokens: null, output_tokens: null, cost: null, error: null, request: null, reply: null };
		const createCall = (at: number) => ({ at, status: 200, tries: 1, hit: 0, elapsed: 1, ...names, ...unknown });
		store.textCalls.add([9_000, 9_000, 9_000, 10, 20, 800].map(createCall));
		assert.equal(store.textCalls.deleteCallsBefore(500, 3, 1_000), 2);
		assert.deepEqual(
			store.textCalls.getCallPage({}, undefined, 10).rows.map(({ at }) => at),
			[800, 9_000, 9_000, 9_000],
		);
		assert.deepEqual([store.textCalls.getNewestTime(1_000), store.textCalls.getNewestTime(799)], [800, undefined]);
		await store.close();
		fs.rmSync(folder, { recursive: true });
	});

	it('deletes old finished runs with all their data', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		const store = new Store(folder, 0, log);
		const agent = store.agents.ensureAgent('a').id;
		const makeStore = (id: string, finishedAt: number | undefined) => {
			const seq = store.runs.start({
				id,
				taskId: id,
				agent,
				listed: true,
				workflowId: 'w',
				user: 'u',
				inputs: `{"t":"${id}"}`,
				createdAt: 1,
			});
			store.runs.addEvents([{ run: seq, number: 1, event: '{}' }]);
			if (finishedAt !== undefined) {
				store.runs.finishRun(seq, {
					status: 'succeeded',
					outputs: null,
					error: null,
					elapsedTime: 0,
					totalTokens: 0,
					totalSteps: 0,
					exceptionsCount: 0,
					finishedAt,
				});
			}
			return seq;
		};
		const [old, running, fresh] = [makeStore('old-run', 10), makeStore('running-run', undefined), makeStore('fresh-run', 1_000)];
		while (await store.search.indexSomeRuns());
		const uploaded = { id: 'up', user: 'u', name: 'n', size: 1, extension: '', mime_type: '', created_at: 10 };
		store.uploads.add(uploaded);
		fs.writeFileSync(store.uploads.getUploadPath('up'), 'x');
		await store.close();
		const db = new Database(path.join(folder, 'gateway.db'), log);
		const reopened = new Store(fs.mkdtempSync(path.join(folder, 'other-')), 0, log);
		const retention = new Retention(db, reopened, 1, log);
		assert.equal(retention.deleteRuns(500, 100), 1);
		assert.equal(retention.deleteRuns(500, 100), 0);
		await db.close();
		await reopened.close();
		const after = new Store(folder, 0, log);
		assert.equal(after.runs.getRunDetail(agent, 'old-run'), undefined);
		assert.deepEqual(after.runs.getEvents(old), []);
		assert.deepEqual(after.runs.getEvents(fresh), ['{}']);
		assert.equal(after.runs.getEvents(running).length, 1);
		assert.equal(after.runs.countRuns(agent), 2);
		const find = async (keyword: string) => (await after.search.findRuns({ agent, keyword, status: undefined, offset: 0, limit: 10 })).seqs;
		assert.deepEqual([await find('old-run'), await find('fresh-run')], [[], [fresh]]);
		while (await after.search.indexSomeRuns());
		assert.deepEqual([await find('old-run'), await find('fresh-run')], [[], [fresh]]);
		after.uploads.deleteUploadsBefore(500);
		assert.equal(after.uploads.get('up'), undefined);
		assert.ok(!fs.existsSync(after.uploads.getUploadPath('up')));
		await after.close();
		fs.rmSync(folder, { recursive: true });
	});

	it('deletes old runs even if many before them have a later end, from a clock that was ahead or a long pause', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		const store = new Store(folder, 0, log);
		const agent = store.agents.ensureAgent('a').id;
		const addRuns = (count: number, finishedAt: number) => {
			for (let number = 0; number < count; number++) {
				const id = `${finishedAt} ${number}`;
				const run = { id, taskId: id, agent, listed: true, workflowId: 'w', user: 'u', inputs: '{}', createdAt: 1 };
				const end = { outputs: null, error: null, elapsedTime: 0, totalTokens: 0, totalSteps: 0, exceptionsCount: 0, finishedAt };
				store.runs.finishRun(store.runs.start(run), { status: 'succeeded', ...end });
			}
		};
		addRuns(150, Date.now() + 86_400_000);
		addRuns(1, Date.now());
		addRuns(250, 10);
		await store.close();
		const reopened = new Store(folder, 1, log);
		const until = performance.now() + 5_000;
		while (reopened.runs.countRuns(agent) > 151 && performance.now() < until) {
			await new Promise(resolve => setTimeout(resolve, 10));
		}
		const count = reopened.runs.countRuns(agent);
		await reopened.close();
		fs.rmSync(folder, { recursive: true });
		assert.equal(count, 151);
	});
	it('keeps everything for now if the clock is suddenly so far ahead that all of it would be old', async () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		const store = new Store(folder, 0, log);
		const agent = store.agents.ensureAgent('a').id;
		const run = { agent, listed: true, workflowId: 'w', user: 'u', inputs: '{}', createdAt: 1 };
		const end = { outputs: null, error: null, elapsedTime: 0, totalTokens: 0, totalSteps: 0, exceptionsCount: 0, finishedAt: Date.now() };
		store.runs.finishRun(store.runs.start({ ...run, id: 'r', taskId: 'r' }), { status: 'succeeded', ...end });
		// a run that the process left running ends at the next start, when the clock is wrong
		store.runs.start({ ...run, id: 'left', taskId: 'left' });
		const file = { user: 'u', name: 'n', size: 1, extension: 'txt', mime_type: 'text/plain' };
		const upload = await store.uploads.addBytes(file, Buffer.from('a'));
		await store.close();
		const realNow = Date.now;
		const { promise: isSwept, resolve: onSwept } = Promise.withResolvers<void>();
		const watching = new Log('json', () => {});
		Date.now = () => realNow() + 365 * 86_400_000;
		try {
			const ahead = new Store(folder, 30, watching);
			const deleteUploads = ahead.uploads.deleteUploadsBefore.bind(ahead.uploads);
			ahead.uploads.deleteUploadsBefore = time => {
				deleteUploads(time);
				onSwept();
			};
			watching.warn = () => onSwept();
			await isSwept;
			const kept = [ahead.runs.countRuns(agent), ahead.uploads.get(upload)?.name];
			await ahead.close();
			assert.deepEqual(kept, [2, 'n']);
		} finally {
			Date.now = realNow;
		}
		fs.rmSync(folder, { recursive: true });
	});
});

describe('a retention period', () => {
	const day = 86_400_000;
	const now = Date.UTC(2026, 0, 1);

	it('ends at the present while data is recent, and as the clock goes on', () => {
		const period = new RetentionPeriod(30, now - 29 * day, log);
		assert.equal(period.findStart(now, 0), now - 30 * day);
		assert.equal(period.findStart(now + 2 * day, 0), now - 28 * day);
		assert.notEqual(new RetentionPeriod(30, undefined, log).findStart(), undefined);
	});

	it('waits a day of uptime after a jump, and no longer if the clock is set back', () => {
		const period = new RetentionPeriod(30, now - 31 * day, log);
		assert.equal(period.findStart(now, 5), undefined);
		assert.equal(period.findStart(now + 1, day), undefined);
		assert.equal(period.findStart(now + 2, day + 5), now + 2 - 30 * day);
		assert.equal(period.findStart(now + 40 * day, day + 6), undefined);
		assert.equal(period.findStart(now, day + 7), now - 30 * day);
	});
});
