import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RecordEvents } from '#runs/following/recordEvents.ts';
import { RunLeftovers } from '#runs/following/runLeftovers.ts';
import { EventJournals } from '#runs/history/eventJournals.ts';

describe("the events in a run's record", () => {
	const createFilled = (count: number, most: number) => {
		const events = new RecordEvents(most);
		for (let i = 0; i < count; i++) {
			events.add(i, 10);
		}
		return events;
	};

	it('are all shown if they fit', () => {
		assert.deepEqual(createFilled(10, 100).listEvents('…'), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
	});

	it("are cut in the middle if they don't fit, with a note", () => {
		const events = createFilled(100_000, 100);
		assert.deepEqual(events.listEvents('…'), [0, 1, 2, 3, 4, '…', 99_995, 99_996, 99_997, 99_998, 99_999]);
		assert.equal(events.left, 99_990);
	});

	it('always include the last event', () => {
		const events = createFilled(5, 100);
		events.add('long', 1000);
		assert.deepEqual(events.listEvents('…'), [0, 1, 2, 3, 4, 'long']);
	});
});

describe('files of runs', () => {
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-runs-'));
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

	it('are read at their positions, without the entries between them', async () => {
		const journal = new EventJournals(folder, assert.ifError);
		const entries = Array.from({ length: 50 }, (_, at) => ({ at, note: `Zoë ${'x'.repeat(at * 3000)}` }));
		for (const entry of entries) {
			journal.writeEntry('a', entry);
		}
		const spans = [];
		const read = [];
		for await (const { entry, span } of journal.readEntriesFrom('a', 0)) {
			spans.push(span);
			read.push(entry);
		}
		assert.deepEqual(read, entries);
		assert.deepEqual(await journal.readEntriesAt('a', [spans[49]!, spans[3]!]), [entries[49], entries[3]]);
		journal.writeEntry('a', { at: 50, note: 'later' });
		const later = [];
		for await (const { entry } of journal.readEntriesFrom('a', (spans.at(-1)?.to ?? 0) + 1)) {
			later.push(entry);
		}
		assert.deepEqual(later, [{ at: 50, note: 'later' }]);
		assert.deepEqual(await journal.readEntriesAt('gone', spans), []);
		journal.dispose();
	});

	it('are deleted with their runs, and when the history is cleared also those of unknown runs', async () => {
		const [journals, audio] = [path.join(folder, 'runs'), path.join(folder, 'audio')];
		const leftovers = new RunLeftovers([journals, audio], assert.ifError);
		await leftovers.removeOtherFiles(new Set());
		fs.mkdirSync(journals);
		fs.mkdirSync(audio);
		const longAgo = new Date(Date.now() - 2 * 86_400_000);
		for (const key of ['a', 'b', 'forgotten', 'new']) {
			for (const file of [path.join(journals, `${key}.ndjson`), path.join(audio, `${key}.mp3`)]) {
				fs.writeFileSync(file, '');
				fs.utimesSync(file, longAgo, key === 'new' ? new Date() : longAgo);
			}
		}
		await leftovers.removeFiles(['a']);
		assert.deepEqual(fs.readdirSync(journals), ['b.ndjson', 'forgotten.ndjson', 'new.ndjson']);
		await leftovers.removeOtherFiles(new Set(['b']));
		const left = [fs.readdirSync(journals), fs.readdirSync(audio)];
		assert.deepEqual(
			left,
			[
				['b.ndjson', 'new.ndjson'],
				['b.mp3', 'new.mp3'],
			],
			'the record of a new run may not be saved yet',
		);
	});
});
