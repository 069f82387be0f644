import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EventJournals } from '#runs/history/eventJournals.ts';

describe('the journals of runs', () => {
	let folder: string;
	let errors: unknown[];
	let journals: EventJournals;
	beforeEach(() => {
		folder = mkdtempSync(path.join(os.tmpdir(), 'journals-'));
		errors = [];
		journals = new EventJournals(folder, error => errors.push(error));
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	async function readNotes(key: string): Promise<readonly unknown[]> {
		const notes = [];
		for await (const entry of journals.readEntries(key)) {
			notes.push('note' in entry ? entry.note : entry);
		}
		return notes;
	}

	it('keep the first entry after a line that a crash cut off', async () => {
		journals.writeEntry('a', { at: 1, note: 'first' });
		await journals.flushEntries();
		appendFileSync(path.join(folder, 'a.ndjson'), '{"at":2,"no');
		for (const close of [async () => journals.flushEntries(), async () => journals.dispose()]) {
			journals = new EventJournals(folder, error => errors.push(error));
			journals.writeEntry('a', { at: 3, note: 'after' });
			await close();
		}
		assert.deepEqual(await readNotes('a'), ['first', 'after', 'after']);
		assert.deepEqual(errors, []);
	});

	it('are written even if the journal of another run fails', async () => {
		mkdirSync(path.join(folder, 'a.ndjson'));
		for (const key of ['a', 'b']) {
			journals.writeEntry(key, { at: 1, note: key });
		}
		await journals.flushEntries();
		assert.equal(errors.length, 1);
		assert.deepEqual(await readNotes('b'), ['b']);
		rmdirSync(path.join(folder, 'a.ndjson'));
		journals.writeEntry('a', { at: 1, note: 'again' });
		assert.deepEqual(await readNotes('a'), ['again']);
	});
});
