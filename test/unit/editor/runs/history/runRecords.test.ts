import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { mock } from 'node:test';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { RunRecords } from '#editor/runs/history/runRecords.ts';
import { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import type { RunRecord } from '#runs/runTypes.ts';

describe('the runs of another window', () => {
	let folder: string;
	let history: string;
	let other: RunRecordFiles;
	let removed: string[];
	let removedOwn: string[];
	let records: RunRecords;
	let windows: WindowPresence[];
	const createRecord = (key: string): RunRecord => ({
		key,
		connectionId: 'built-in',
		agent: 'summarize',
		user: 'ana',
		mode: 'streaming',
		startedAt: 1,
		status: 'succeeded',
	});
	const openHistory = () => {
		windows.push(new WindowPresence(folder));
		return new RunRecordFiles(folder, windows.at(-1)!, assert.ifError);
	};
	/** Lets the window read the files of other windows several times. */
	const readSeveralTimes = () => {
		for (let i = 0; i < 20; i++) {
			mock.timers.tick(200);
		}
	};
	const listKeys = () => records.list().map(({ key }) => key);
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-records-'));
		history = path.join(folder, 'history');
		windows = [];
		mock.timers.enable({ apis: ['setTimeout'] });
		other = openHistory();
		other.close([createRecord('theirs')]);
		records = new RunRecords(openHistory());
		removed = [];
		removedOwn = [];
		records.onDidRemove(keys => removed.push(...keys));
		records.onDidRemoveOwn(keys => removedOwn.push(...keys));
	});
	afterEach(() => {
		mock.timers.reset();
		records.dispose();
		for (const window of windows) {
			window.dispose();
		}
		fs.rmSync(folder, { recursive: true, force: true });
	});

	it("stay while their folder can't be listed", () => {
		fs.renameSync(history, path.join(folder, 'moved'));
		fs.writeFileSync(history, '');
		readSeveralTimes();
		assert.deepEqual([listKeys(), removed, records.listStoredKeys()], [['theirs'], [], undefined]);
		fs.rmSync(history);
		fs.renameSync(path.join(folder, 'moved'), history);
		readSeveralTimes();
		assert.deepEqual([listKeys(), removed, records.listStoredKeys()], [['theirs'], [], new Set(['theirs'])]);
	});

	it("stay while their file can't be read", () => {
		const file = path.join(history, `${windows[0]!.name}.json`);
		fs.rmSync(file);
		fs.mkdirSync(file);
		readSeveralTimes();
		assert.deepEqual([listKeys(), removed, records.listStoredKeys()], [['theirs'], [], undefined]);
	});

	it('stay if their window closes and no other window can take them over', () => {
		fs.mkdirSync(path.join(folder, 'windows', windows[1]!.name, 'in the way'), { recursive: true });
		windows[0]!.dispose();
		readSeveralTimes();
		assert.deepEqual([listKeys(), removed, records.listStoredKeys()], [['theirs'], [], new Set(['theirs'])]);
	});

	it('leave the list when their window removes them, which also deletes their files', () => {
		other.close([]);
		readSeveralTimes();
		assert.deepEqual([listKeys(), removed, removedOwn], [[], ['theirs'], []]);
		records.add(createRecord('ours'));
		records.clear();
		assert.deepEqual([removed, removedOwn], [['theirs', 'ours'], ['ours']]);
	});
});
