import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs';
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
	afterEach(() => {
		journals.dispose();
		rmSync(folder, { recursive: true });
	});

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
	});

	it('are complete after a failure, for example because the disk was full for a while', async () => {
		const file = path.join(folder, 'a.ndjson');
		mkdirSync(file);
		for (const note of ['first', 'second']) {
			journals.writeEntry('a', { at: 1, note });
			await journals.flushEntries();
		}
		assert.equal(errors.length, 1, 'reported once');
		rmdirSync(file);
		journals.writeEntry('a', { at: 1, note: 'third' });
		assert.deepEqual(await readNotes('a'), ['first', 'second', 'third']);
	});

	it('have a note where entries are missing because a failure lasted too long', async () => {
		const file = path.join(folder, 'a.ndjson');
		mkdirSync(file);
		for (let at = 0; at < 20; at++) {
			journals.writeEntry('a', { at, note: String(at).padStart(1_000_000, ' ') });
			await journals.flushEntries();
		}
		rmdirSync(file);
		await journals.flushEntries();
		journals.writeEntry('a', { at: 20, note: 'after' });
		const notes = (await readNotes('a')).map(note => String(note).trim());
		const missing = "Entries are missing here because they couldn't be saved.";
		assert.deepEqual(notes, ['0', '1', '2', '3', '4', '5', '6', '7', missing, 'after']);
	});

	it('are not written again after their run was removed', async () => {
		const file = path.join(folder, 'a.ndjson');
		mkdirSync(file);
		journals.writeEntry('a', { at: 1, note: 'removed' });
		await journals.removeJournals(['a']);
		rmdirSync(file);
		assert.deepEqual(await readNotes('a'), []);
	});

	it('keep the order of entries if the window closes during a write', async () => {
		const write = (from: number) => [0, 1, 2].map(at => journals.writeEntry('a', { at: from + at, note: String(from + at) }));
		write(0);
		await journals.flushEntries();
		for (let ticks = 0; ticks < 12; ticks++) {
			const next = 3 + ticks * 6;
			write(next);
			const flushed = journals.flushEntries();
			write(next + 3);
			for (let tick = 0; tick < ticks; tick++) {
				await new Promise(resolve => setImmediate(resolve));
			}
			journals.dispose();
			const saved = readFileSync(path.join(folder, 'a.ndjson'), 'utf8');
			await flushed;
			assert.equal(readFileSync(path.join(folder, 'a.ndjson'), 'utf8'), saved);
			journals = new EventJournals(folder, error => errors.push(error));
			assert.deepEqual(
				await readNotes('a'),
				Array.from({ length: next + 6 }, (_, at) => String(at)),
				`closed after ${ticks} ticks`,
			);
		}
		assert.deepEqual(errors, []);
	});
});
