import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Database } from '../../../../src/gateway/store/database.ts';
import { StoreInUseError } from '../../../../src/gateway/store/folderHold.ts';
import { Retention } from '../../../../src/gateway/store/retention.ts';
import type { RunEnd } from '../../../../src/gateway/store/runStore.ts';
import { Store } from '../../../../src/gateway/store/store.ts';

describe('the store', () => {
	let folder: string;
	let store: Store;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		store = new Store(folder, 0);
	});
	afterEach(() => {
		store.close();
		fs.rmSync(folder, { recursive: true });
	});

	let next = 0;
	function start(agent: number, texts: { inputs?: object; user?: string; listed?: boolean } = {}): { seq: number; id: string } {
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

	const end = (status: string, outputs: object = {}): RunEnd => ({
		status,
		outputs: JSON.stringify(outputs),
		error: null,
		elapsedTime: 0.5,
		totalTokens: 1,
		totalSteps: 2,
		exceptionsCount: 0,
		finishedAt: 2_000_000,
	});

	const seqs = (rows: readonly { seq: number }[]) => rows.map(({ seq }) => seq);

	it('pages runs newest first, across blocks, by status', () => {
		const agent = store.agents.ensure('a').id;
		const other = store.agents.ensure('b').id;
		const expected: Record<string, number[]> = { all: [], succeeded: [], failed: [], running: [] };
		for (let i = 0; i < 9_000; i++) {
			const { seq } = start(i % 5 === 0 ? other : agent, { listed: i % 7 !== 0 });
			const status = i % 3 === 0 ? 'failed' : i % 11 === 0 ? 'running' : 'succeeded';
			if (status !== 'running') {
				store.runs.finish(seq, end(status));
			}
			if (i % 5 !== 0 && i % 7 !== 0) {
				expected['all']?.unshift(seq);
				expected[status]?.unshift(seq);
			}
		}
		for (const [name, all] of Object.entries(expected)) {
			const status = name === 'all' ? undefined : name;
			assert.equal(store.runs.count(agent, status), all.length);
			for (const offset of [0, 1, 17, Math.floor(all.length / 2), all.length - 5, all.length, all.length + 20]) {
				assert.deepEqual(seqs(store.runs.page(agent, status, offset, 20)), all.slice(offset, offset + 20), `${name} from ${offset}`);
			}
		}
	}).timeout(20_000);

	it('finds runs by any part of their texts, waiting for the index or in it', () => {
		const agent = store.agents.ensure('a').id;
		const other = store.agents.ensure('b').id;
		const first = start(agent, { inputs: { text: 'Ein Äpfelchen "im" Glas\n\\', n: 12345 } });
		const second = start(agent, { inputs: { text: '日本語の文' }, user: 'böb' });
		const third = start(other, { inputs: { text: 'Äpfelchen' } });
		for (const { seq } of [first, second, third]) {
			store.runs.finish(seq, end(seq === second.seq ? 'failed' : 'succeeded', { z: `out ${seq}z` }));
		}
		const find = (keyword: string, status?: string) => store.search.find(agent, keyword, status, 0, 20);
		const check = () => {
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
				assert.deepEqual(find(keyword).seqs, expected, keyword);
				assert.equal(find(keyword).total, expected.length, keyword);
				assert.equal(find(keyword).hasMore, false);
			}
			assert.deepEqual(find('out', 'failed').seqs, [second.seq]);
			assert.deepEqual(find('語', 'succeeded').seqs, []);
			assert.deepEqual(find(first.id, 'failed').seqs, []);
		};
		check();
		assert.equal(store.search.indexSome(2), 2);
		check();
		assert.equal(store.search.indexSome(100), 1);
		assert.equal(store.search.indexSome(100), 0);
		check();
	});

	it('pages what it finds', () => {
		const agent = store.agents.ensure('a').id;
		const all = Array.from({ length: 50 }, (_, i) => {
			const { seq } = start(agent, { inputs: { text: i % 2 === 0 ? 'even number' : 'odd number' } });
			store.runs.finish(seq, end('succeeded'));
			return { seq, even: i % 2 === 0 };
		});
		store.search.indexSome(30);
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
			const page = store.search.find(agent, 'even', undefined, offset, limit);
			assert.deepEqual(page.seqs, expected.slice(offset, offset + limit));
			assert.equal(page.total, 25);
			assert.equal(page.hasMore, offset + limit < 25);
		}
	});

	it('ends what a dead process left running, and nothing else', () => {
		const agent = store.agents.ensure('a').id;
		const [done, left, draft] = [start(agent), start(agent), start(agent, { listed: false })];
		store.runs.finish(done.seq, end('succeeded', { x: 1 }), [{ run: done.seq, number: 1, event: '{"n":1}' }]);
		store.runs.addEvents([{ run: left.seq, number: 1, event: '{"n":2}' }]);
		store.close();
		store = new Store(folder, 0);
		assert.equal(store.interrupted, 2);
		assert.equal(store.runs.detail(agent, done.id)?.status, 'succeeded');
		assert.deepEqual(store.runs.events(done.seq), ['{"n":1}']);
		for (const { id } of [left, draft]) {
			const row = store.runs.detail(agent, id);
			assert.equal(row?.status, 'failed');
			assert.match(row?.error ?? '', /^interrupted/);
		}
		assert.deepEqual([store.runs.count(agent), store.runs.count(agent, 'failed'), store.runs.count(agent, 'running')], [2, 1, 0]);
		store.close();
		store = new Store(folder, 0);
		assert.equal(store.interrupted, 0);
	});

	it('does not end a run twice', () => {
		const agent = store.agents.ensure('a').id;
		const { seq, id } = start(agent);
		store.runs.finish(seq, end('succeeded'));
		store.runs.finish(seq, end('failed'));
		assert.equal(store.runs.detail(agent, id)?.status, 'succeeded');
		assert.equal(store.runs.count(agent, 'failed'), 0);
	});

	it('keeps conversations apart by agent and user, and deletes messages with them', () => {
		const agent = store.agents.ensure('a').id;
		const row = store.conversations.create({
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
		store.conversations.finishMessage('m1', { status: 'normal', error: null, metadata: '{}', answer: 'a', variables: '{"v":1}' }, 5);
		assert.deepEqual(
			[store.conversations.get(agent, 'ana', 'c1')?.updated_at, store.conversations.get(agent, 'ana', 'c1')?.variables],
			[5, '{"v":1}'],
		);
		store.conversations.delete(row.seq);
		assert.equal(store.conversations.messageCount(row.seq), 0);
		assert.equal(store.conversations.message(row.seq, 'm1'), undefined);
	});

	it('carries its log into the file while it is open', async () => {
		store.agents.ensure('a');
		const { size } = fs.statSync(path.join(folder, 'gateway.db'));
		while (fs.statSync(path.join(folder, 'gateway.db')).size === size) {
			await new Promise(resolve => setTimeout(resolve, 50));
		}
		assert.equal(store.agents.get('a')?.name, 'a');
	});

	it('refuses a second process and a newer format', () => {
		assert.throws(() => new Store(folder, 0), StoreInUseError);
		store.close();
		const raw = new DatabaseSync(path.join(folder, 'gateway.db'));
		const { user_version: version } = raw.prepare('PRAGMA user_version').get() as { user_version: number };
		raw.exec('PRAGMA user_version = 999');
		raw.close();
		assert.throws(() => new Store(folder, 0), /written by a newer version \(format 999\)/);
		const back = new DatabaseSync(path.join(folder, 'gateway.db'));
		back.exec(`PRAGMA user_version = ${version}`);
		back.close();
		store = new Store(folder, 0);
	});
});

describe('retention', () => {
	it('deletes old finished runs with all that belongs to them', () => {
		const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'store-test-'));
		const store = new Store(folder, 0);
		const agent = store.agents.ensure('a').id;
		const make = (id: string, finishedAt: number | undefined) => {
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
				store.runs.finish(seq, {
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
		const [old, running, fresh] = [make('old-run', 10), make('running-run', undefined), make('fresh-run', 1_000)];
		store.search.indexSome(10);
		const uploaded = { id: 'up', user: 'u', name: 'n', size: 1, extension: '', mime_type: '', created_at: 10 };
		store.uploads.add(uploaded);
		fs.writeFileSync(store.uploads.path('up'), 'x');
		store.close();
		const db = new Database(path.join(folder, 'gateway.db'));
		const reopened = new Store(fs.mkdtempSync(path.join(folder, 'other-')), 0);
		const retention = new Retention(db, reopened.uploads, 1);
		assert.equal(retention.deleteRuns(500, 100), 1);
		assert.equal(retention.deleteRuns(500, 100), 0);
		db.close();
		reopened.close();
		const after = new Store(folder, 0);
		assert.equal(after.runs.detail(agent, 'old-run'), undefined);
		assert.deepEqual(after.runs.events(old), []);
		assert.deepEqual(after.runs.events(fresh), ['{}']);
		assert.equal(after.runs.events(running).length, 1);
		assert.equal(after.runs.count(agent), 2);
		assert.deepEqual(after.search.find(agent, 'old-run', undefined, 0, 10).seqs, []);
		assert.deepEqual(after.search.find(agent, 'fresh-run', undefined, 0, 10).seqs, [fresh]);
		after.uploads.deleteBefore(500);
		assert.equal(after.uploads.get('up'), undefined);
		assert.ok(!fs.existsSync(after.uploads.path('up')));
		after.close();
		fs.rmSync(folder, { recursive: true });
	});
});
