import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SQLInputValue } from 'node:sqlite';
import { Log } from '#gateway/process/log.ts';
import { Database } from '#gateway/store/database.ts';
import { ReplyStore } from '#gateway/store/replyStore.ts';

/** Counts the rows that are read, and the sums. */
class CountingDatabase extends Database {
	rows = 0;
	sums = 0;

	override getRows<T>(sql: string, ...values: readonly SQLInputValue[]): T[] {
		const rows = super.getRows<T>(sql, ...values);
		this.rows += rows.length;
		return rows;
	}

	override get<T>(sql: string, ...values: readonly SQLInputValue[]): T | undefined {
		this.sums += sql.includes('sum(') ? 1 : 0;
		return super.get<T>(sql, ...values);
	}
}

describe('the store of cached replies', () => {
	let folder: string;
	let db: CountingDatabase;
	let replies: ReplyStore;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'replies-test-'));
		db = new CountingDatabase(path.join(folder, 'gateway.db'), new Log('json', () => {}));
		replies = new ReplyStore(db);
	});
	afterEach(async () => {
		await db.close();
		fs.rmSync(folder, { recursive: true });
	});

	const addReply = (key: string, now: number, length = 10, route = 'r') =>
		replies.add(key, route, { head: '{}', body: Buffer.alloc(length) }, 1_000, now);
	const has = (key: string) => replies.get(key, 0) !== undefined;

	it('returns no reply from a clock that was ahead, which would be fresh until then', () => {
		addReply('k', 5_000);
		assert.equal(replies.get('k', 0, 4_000), undefined);
		assert.notEqual(replies.get('k', 0, 5_000), undefined);
		assert.equal(replies.get('k', 5_001, 6_000), undefined);
	});

	it('reads a few rows for each reply, however many it has', () => {
		for (let i = 0; i < 300; i++) {
			addReply(`k${i}`, i);
		}
		[db.rows, db.sums] = [0, 0];
		addReply('k300', 300);
		assert.ok(db.rows <= 20, `${db.rows} rows`);
		assert.equal(db.sums, 0);
		assert.deepEqual({ ...replies.getSize() }, { entries: 100, bytes: 1_000 });
		assert.deepEqual(['k200', 'k201', 'k300'].map(has), [false, true, true]);
	});

	it('keeps to its limit if replies are replaced, deleted, or were saved by an earlier process', () => {
		for (let i = 0; i < 100; i++) {
			addReply(`k${i}`, i);
		}
		addReply('k99', 100, 20);
		assert.deepEqual(['k0', 'k1', 'k99'].map(has), [false, true, true]);
		replies = new ReplyStore(db);
		addReply('new', 101, 500);
		assert.ok(replies.getSize().bytes <= 1_000);
		assert.ok(has('new'));
		addReply('other', 102, 1_000, 'other route');
		assert.ok(has('new'));
		replies.clear();
		addReply('last', 103, 1_000);
		assert.deepEqual({ ...replies.getSize() }, { entries: 1, bytes: 1_000 });
		addReply('too long', 104, 1_001);
		assert.ok(has('last'));
	});
});
