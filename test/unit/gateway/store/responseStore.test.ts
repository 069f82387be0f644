import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import type { ResponseObject } from '#contract/openai/responses.ts';
import { Log } from '#gateway/process/log.ts';
import { ResponseHistory } from '#gateway/responses/responseHistory.ts';
import { Database } from '#gateway/store/database.ts';
import { type ResponseRow, ResponseStore } from '#gateway/store/responseStore.ts';
import { Store } from '#gateway/store/store.ts';
import { StoreFault } from '#gateway/store/storeFault.ts';

const log = new Log('json', () => {});

describe('the response store', () => {
	let folder: string;
	let db: Database;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'responses-test-'));
		db = new Database(path.join(folder, 'gateway.db'), log);
	});
	afterEach(async () => {
		await db.close();
		fs.rmSync(folder, { recursive: true });
	});

	const createRow = (id: string, previous: string | null, created_at = 1, text = 'x'): ResponseRow => ({
		id,
		previous,
		conversation: null,
		created_at,
		head: `{"id":"${id}"}`,
		input: JSON.stringify([{ role: 'user', content: text }]),
		output: JSON.stringify([{ id: `msg_${id}`, type: 'message' }]),
	});
	const addResponse = (store: ResponseStore, ...all: ResponseRow[]) => {
		for (const each of all) {
			store.add(each, [`msg_${each.id}`]);
		}
	};
	const listIds = (chain: ReturnType<ResponseStore['getResponseChain']>) => ('length' in chain ? chain.map(({ id }) => id) : chain);

	it('finds a response with all previous ones, on branches too, and after reopening', async () => {
		addResponse(new ResponseStore(db), createRow('a', null), createRow('b', 'a'), createRow('c', 'b'), createRow('b2', 'a'));
		await db.close();
		db = new Database(path.join(folder, 'gateway.db'), log);
		const store = new ResponseStore(db);
		assert.deepEqual(listIds(store.getResponseChain('c', 1_000)), ['a', 'b', 'c']);
		assert.deepEqual(listIds(store.getResponseChain('b2', 1_000)), ['a', 'b2']);
		assert.deepEqual(store.getResponseChain('x', 1_000), { missing: 'x' });
		assert.ok('tooLong' in store.getResponseChain('c', 100));
		assert.equal(store.findResponseByItem('msg_b')?.id, 'b');
		assert.equal(store.findResponseByItem('msg_x'), undefined);
	});

	it('deletes a response with its items, and reports it as missing for its successors', () => {
		const store = new ResponseStore(db);
		addResponse(store, createRow('a', null), createRow('b', 'a'), createRow('c', 'b'));
		assert.equal(store.delete('b'), true);
		assert.equal(store.delete('b'), false);
		assert.equal(store.get('b'), undefined);
		assert.equal(store.findResponseByItem('msg_b'), undefined);
		assert.deepEqual(store.getResponseChain('c', 1_000), { missing: 'b' });
		assert.deepEqual(listIds(store.getResponseChain('a', 1_000)), ['a']);
	});

	it('keeps old responses while a conversation continues them', () => {
		const store = new ResponseStore(db);
		addResponse(
			store,
			createRow('old', null, 1),
			createRow('old2', 'old', 2),
			createRow('long', null, 1),
			createRow('long2', 'long', 50),
			createRow('new', null, 60),
		);
		assert.equal(store.deleteResponsesBefore(10, 1), 1);
		assert.equal(store.deleteResponsesBefore(10, 100), 1);
		assert.equal(store.deleteResponsesBefore(10, 100), 0);
		assert.deepEqual(listIds(store.getResponseChain('long2', 1_000)), ['long', 'long2']);
		assert.equal(store.get('old'), undefined);
		assert.equal(store.get('old2'), undefined);
		assert.ok(store.get('new'));
	});

	it('deletes the oldest responses if the total size is too large', () => {
		addResponse(new ResponseStore(db), createRow('before', null, 1, 'x'.repeat(1_000)));
		const store = new ResponseStore(db, 30_000);
		for (let i = 0; i < 50; i++) {
			addResponse(store, createRow(`r${i}`, null, i, 'x'.repeat(1_000)));
		}
		const { bytes, count } = db.get<{ bytes: number; count: number }>('SELECT sum(bytes) AS bytes, count(*) AS count FROM responses') ?? {
			bytes: 0,
			count: 0,
		};
		assert.ok(bytes <= 30_000 && count >= 10, `${count} of ${bytes} bytes`);
		assert.equal(store.get('before'), undefined);
		assert.ok(store.get('r49'));
	});

	it('deletes old responses together with old runs', async () => {
		addResponse(new ResponseStore(db), createRow('old', null, 1), createRow('new', null, Date.now()));
		await db.close();
		const store = new Store(folder, 1, log);
		while (store.responses.get('old')) {
			await nextTurn();
		}
		assert.ok(store.responses.get('new'));
		await store.close();
		db = new Database(path.join(folder, 'gateway.db'), log);
	});

	describe('as a history', () => {
		const createResponse = (id: string, previous: string | null, store = true) =>
			({
				id,
				store,
				previous_response_id: previous,
				output: [{ id: `rs_${id}`, type: 'reasoning', summary: [], encrypted_content: 'secret' }],
			}) as unknown as ResponseObject;
		const getRefusal = (work: () => unknown) => {
			try {
				work();
			} catch (error) {
				assert.ok(error instanceof ServiceFault);
				return [error.status, error.details.code, error.details.params];
			}
			return assert.fail('it was taken');
		};

		it('continues a response: its input and output, followed by the new input', () => {
			const history = new ResponseHistory(new ResponseStore(db), log);
			const first = history.resolveInput({ model: 'm', input: 'one' });
			history.add(createResponse('a', null), first.own);
			const second = history.resolveInput({ model: 'm', input: [{ role: 'user', content: 'two' }], previous_response_id: 'a' });
			assert.deepEqual(second.own, [{ role: 'user', content: 'two' }]);
			history.add(createResponse('b', 'a'), second.own);
			assert.deepEqual(
				history.resolveInput({ model: 'm', previous_response_id: 'b' }).items.map(item => item.content ?? item.id),
				['one', 'rs_a', 'two', 'rs_b'],
			);
			assert.equal(history.resolveInput({ model: 'm', previous_response_id: 'b' }).items[1]?.encrypted_content, 'secret');
		});

		it('resolves referenced items and stores them in full', () => {
			const history = new ResponseHistory(new ResponseStore(db), log);
			history.add(createResponse('a', null), []);
			const { own } = history.resolveInput({ model: 'm', input: [{ type: 'item_reference', id: 'rs_a' }] });
			assert.deepEqual(own, [{ id: 'rs_a', type: 'reasoning', summary: [], encrypted_content: 'secret' }]);
			assert.deepEqual(
				getRefusal(() => history.resolveInput({ model: 'm', input: [{ type: 'item_reference', id: 'rs_b' }] })),
				[400, undefined, 'input[0]'],
			);
		});

		it('refuses many references to a long item, because they could fill the memory', () => {
			const history = new ResponseHistory(new ResponseStore(db), log);
			const text = 'x'.repeat(1_000_000);
			history.add({ ...createResponse('a', null), output: [{ id: 'm', type: 'message', content: text }] } as never, []);
			const refer = (count: number) => Array.from({ length: count }, () => ({ type: 'item_reference', id: 'm' }));
			assert.equal(history.resolveInput({ model: 'm', input: refer(10) }).items.length, 10);
			assert.deepEqual(
				getRefusal(() => history.resolveInput({ model: 'm', input: refer(100) })),
				[400, 'context_length_exceeded', 'input'],
			);
		});

		it("refuses references to anything that isn't stored", () => {
			const history = new ResponseHistory(new ResponseStore(db), log);
			history.add(createResponse('a', null, false), []);
			assert.deepEqual(
				getRefusal(() => history.resolveInput({ model: 'm', input: 'x', previous_response_id: 'a' })),
				[400, 'previous_response_not_found', 'previous_response_id'],
			);
			assert.deepEqual(
				getRefusal(() => history.get('a', true)),
				[404, null, undefined],
			);
			assert.deepEqual(
				getRefusal(() => history.delete('a')),
				[404, null, undefined],
			);
			assert.deepEqual(
				getRefusal(() => history.resolveInput({ model: 'm' })),
				[400, undefined, 'input'],
			);
		});

		it('returns encrypted reasoning only if requested', () => {
			const history = new ResponseHistory(new ResponseStore(db), log);
			history.add(createResponse('a', null), []);
			assert.deepEqual(history.get('a', false).output, [{ id: 'rs_a', type: 'reasoning', summary: [] }]);
			assert.deepEqual(history.get('a', true).output, createResponse('a', null).output);
		});

		it("sends a response that can't be saved, marked as not stored", () => {
			const history = new ResponseHistory(new ResponseStore(db), log);
			db.refuseWrites(new StoreFault('disk-full'));
			const made = createResponse('a', null);
			history.add(made, []);
			assert.equal(made.store, false);
			db.refuseWrites(undefined);
			history.add(made, []);
			assert.equal(getRefusal(() => history.get('a', true))[0], 404);
		});
	});
});
