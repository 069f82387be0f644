import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { WindowPresence } from '#base/files/windowPresence.ts';
import { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { waitUntil } from '../../../support/waitUntil.ts';

describe('the run history on disk', () => {
	let folder: string;
	let failures: unknown[];
	let opened: WindowPresence[];
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-history-'));
		failures = [];
		opened = [];
	});
	afterEach(() => {
		for (const each of opened) {
			each.dispose();
		}
		fs.rmSync(folder, { recursive: true, force: true });
	});

	/** Opens a window on the data folder. */
	const openWindow = (dataFolder = path.join(folder, 'data')) => {
		const window = new WindowPresence(dataFolder);
		opened.push(window);
		return { window, history: new RunRecordFiles(dataFolder, window, error => failures.push(error)) };
	};
	const createRecord = (key: string, fields: Partial<RunRecord> = {}): RunRecord => ({
		key,
		connectionId: 'built-in',
		agent: 'summarize',
		user: 'ana',
		mode: 'streaming',
		startedAt: key.charCodeAt(0),
		status: 'running',
		...fields,
	});
	const listKeys = (records: readonly RunRecord[]) => records.map(({ key }) => key);
	/** Waits until another window sees `last` as the last run, and returns the keys that it sees. */
	const readSavedKeys = async (last: string): Promise<string[]> => {
		const { history } = openWindow();
		while (listKeys(history.readOtherRuns() ?? []).at(-1) !== last) {
			await new Promise(resolve => setImmediate(resolve));
		}
		return listKeys(history.readOtherRuns() ?? []);
	};

	it('is written without closing the window', async () => {
		const { window, history } = openWindow();
		history.writeRecords([createRecord('a'), createRecord('b')]);
		assert.deepEqual(await readSavedKeys('b'), ['a', 'b']);
		assert.deepEqual(fs.readdirSync(path.join(folder, 'data', 'history')), [`${window.name}.json`]);
	});

	it('contains the last of several concurrent writes', async () => {
		const { history } = openWindow();
		history.writeRecords([createRecord('a')]);
		history.writeRecords([createRecord('a'), createRecord('b')]);
		history.writeRecords([createRecord('a'), createRecord('b'), createRecord('c')]);
		assert.deepEqual(await readSavedKeys('c'), ['a', 'b', 'c']);
	});

	it('contains the final records after the window closes, even during a write', () => {
		const { window, history } = openWindow();
		history.writeRecords([createRecord('a')]);
		history.close([createRecord('a'), createRecord('b')]);
		window.dispose();
		assert.deepEqual(listKeys(openWindow().history.takeOverRuns()), ['a', 'b']);
	});

	it('is not taken over from an open window', () => {
		const first = openWindow();
		const second = openWindow();
		first.history.close([createRecord('a')]);
		second.history.close([createRecord('b')]);
		assert.deepEqual(listKeys(second.history.takeOverRuns()), []);
		assert.deepEqual(listKeys(second.history.readOtherRuns() ?? []), ['a']);
		assert.deepEqual(listKeys(first.history.readOtherRuns() ?? []), ['b']);
		const third = openWindow();
		assert.deepEqual(listKeys(third.history.takeOverRuns()), []);
		assert.deepEqual(listKeys(third.history.readOtherRuns() ?? []), ['a', 'b']);
	});

	it('is taken over by exactly one window, complete, after its windows close', () => {
		for (const key of ['a', 'b', 'c']) {
			const { window, history } = openWindow();
			history.close([createRecord(key)]);
			window.dispose();
		}
		const first = openWindow();
		const second = openWindow();
		assert.deepEqual(listKeys(first.history.takeOverRuns()), ['a', 'b', 'c']);
		assert.deepEqual(listKeys(second.history.takeOverRuns()), []);
		assert.deepEqual(listKeys(second.history.readOtherRuns() ?? []), ['a', 'b', 'c']);
		assert.deepEqual(fs.readdirSync(path.join(folder, 'data', 'history')), [`${first.window.name}.json`]);
		first.window.dispose();
		assert.deepEqual(listKeys(second.history.takeOverRuns()), ['a', 'b', 'c']);
	});

	it('is taken over from a crashed window', () => {
		const { status, stdout } = spawnSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' });
		assert.equal(status, 0);
		const data = path.join(folder, 'data');
		fs.mkdirSync(path.join(data, 'windows'), { recursive: true });
		fs.mkdirSync(path.join(data, 'history'));
		fs.writeFileSync(path.join(data, 'windows', 'crashed'), JSON.stringify({ pid: Number(stdout), host: os.hostname() }));
		fs.writeFileSync(path.join(data, 'history', 'crashed.json'), JSON.stringify([createRecord('a')]));
		assert.deepEqual(listKeys(openWindow().history.takeOverRuns()), ['a']);
	});

	it('is taken over from a window of another machine only after that window stops renewing its claim', () => {
		const data = path.join(folder, 'data');
		fs.mkdirSync(path.join(data, 'windows'), { recursive: true });
		fs.mkdirSync(path.join(data, 'history'));
		const presence = path.join(data, 'windows', 'far');
		fs.writeFileSync(presence, JSON.stringify({ pid: 1, host: 'far' }));
		fs.writeFileSync(path.join(data, 'history', 'far.json'), JSON.stringify([createRecord('a')]));
		assert.deepEqual(listKeys(openWindow().history.takeOverRuns()), []);
		fs.utimesSync(presence, new Date(), new Date(Date.now() - 3600_000));
		assert.deepEqual(listKeys(openWindow().history.takeOverRuns()), ['a']);
	});

	it('loses nothing if a window that takes it over can write nothing, and is merged once it can', () => {
		const gone = openWindow();
		gone.history.close([createRecord('a')]);
		gone.window.dispose();
		const { window, history } = openWindow();
		const file = path.join(folder, 'data', 'history', `${window.name}.json`);
		fs.mkdirSync(path.join(file, 'in the way'), { recursive: true });
		assert.deepEqual(listKeys(history.takeOverRuns([createRecord('b')])), ['a', 'b']);
		assert.deepEqual(listKeys(history.takeOverRuns([createRecord('a'), createRecord('b')])), ['a', 'b']);
		assert.equal(failures.length, 1, 'not tried at each read, which a failed write would cause');
		fs.rmSync(file, { recursive: true });
		assert.deepEqual(listKeys(openWindow().history.readOtherRuns() ?? []), ['a']);
		history.close([createRecord('a'), createRecord('b')]);
		assert.deepEqual(listKeys(openWindow().history.readOtherRuns() ?? []), ['a', 'b']);
		assert.equal(fs.readdirSync(path.dirname(file)).length, 1);
	});

	it('keeps the runs that were taken over during a write', async () => {
		const { window, history } = openWindow();
		history.writeRecords([createRecord('b')]);
		await readSavedKeys('b');
		const gone = openWindow();
		gone.history.close([createRecord('a')]);
		gone.window.dispose();
		const listTemporaryFiles = () => fs.readdirSync(path.join(folder, 'data', 'history')).filter(name => name.endsWith('.tmp'));
		history.writeRecords([createRecord('b', { error: 'x'.repeat(10_000_000) })]);
		while (listTemporaryFiles().length === 0) {
			await new Promise(resolve => setImmediate(resolve));
		}
		assert.deepEqual(listKeys(history.takeOverRuns([createRecord('b')])), ['a', 'b']);
		assert.equal(listTemporaryFiles().length, 1, 'the write is still going on');
		await waitUntil('the write to end', () => listTemporaryFiles().length === 0);
		assert.deepEqual(listKeys(openWindow().history.readOtherRuns() ?? []), ['a', 'b']);
		assert.deepEqual(fs.readdirSync(path.join(folder, 'data', 'history')), [`${window.name}.json`]);
	});

	it("isn't taken over while it can't be read", () => {
		const gone = openWindow();
		gone.history.close([createRecord('a')]);
		gone.window.dispose();
		const file = path.join(folder, 'data', 'history', `${gone.window.name}.json`);
		fs.renameSync(file, `${file}.moved`);
		fs.mkdirSync(file);
		const { history } = openWindow();
		assert.deepEqual(history.takeOverRuns(), []);
		fs.rmdirSync(file);
		fs.renameSync(`${file}.moved`, file);
		assert.deepEqual(listKeys(history.takeOverRuns()), ['a']);
	});

	it('includes the single file of earlier versions', () => {
		fs.mkdirSync(path.join(folder, 'data'));
		fs.writeFileSync(path.join(folder, 'data', 'runs.json'), JSON.stringify([createRecord('a')]));
		assert.deepEqual(listKeys(openWindow().history.takeOverRuns()), ['a']);
	});

	it('is empty if the file is missing or invalid', () => {
		assert.deepEqual(openWindow().history.takeOverRuns(), []);
		assert.ok(!fs.existsSync(path.join(folder, 'data')), 'a window that owns nothing writes nothing');
		fs.mkdirSync(path.join(folder, 'data', 'history'), { recursive: true });
		for (const text of ['[{"key":', '{}', '']) {
			fs.writeFileSync(path.join(folder, 'data', 'history', 'broken.json'), text);
			assert.deepEqual(openWindow().history.takeOverRuns(), []);
		}
	});

	it("reports an error if it can't be written", () => {
		fs.writeFileSync(path.join(folder, 'file'), '');
		const { history } = openWindow(path.join(folder, 'file', 'data'));
		history.writeRecords([createRecord('a')]);
		history.close([createRecord('a')]);
		assert.ok(failures.length > 0);
	});
});
