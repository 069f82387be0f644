import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { RunHistory } from '../../../src/workflows/runHistory.ts';
import type { RunRecord } from '../../../src/workflows/runTypes.ts';

describe('the history of runs on disk', () => {
	let folder: string;
	let failures: unknown[];
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-history-'));
		failures = [];
	});
	afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

	const history = (dataFolder = path.join(folder, 'data')) => new RunHistory(dataFolder, error => failures.push(error));
	const run = (key: string): RunRecord => ({
		key,
		connectionId: 'built-in',
		agent: 'summarize',
		user: 'ana',
		mode: 'streaming',
		startedAt: 1,
		status: 'running',
	});
	const kept = async (...keys: string[]): Promise<void> => {
		while (
			!history()
				.read()
				.some(({ key }) => key === keys.at(-1))
		) {
			await new Promise(resolve => setImmediate(resolve));
		}
		assert.deepEqual(
			history()
				.read()
				.map(({ key }) => key),
			keys,
		);
	};

	it('has what was written, without the window being closed', async () => {
		history().write([run('a'), run('b')]);
		await kept('a', 'b');
		assert.deepEqual(fs.readdirSync(path.join(folder, 'data')), ['runs.json']);
	});

	it('has the last of what was written at once', async () => {
		const written = history();
		written.write([run('a')]);
		written.write([run('a'), run('b')]);
		written.write([run('a'), run('b'), run('c')]);
		await kept('a', 'b', 'c');
	});

	it('has what the window knew when it closed, whatever was being written', async () => {
		const written = history();
		written.write([run('a')]);
		written.close([run('a'), run('b')]);
		await kept('a', 'b');
	});

	it('is empty where there is no file, or one that is no history', () => {
		assert.deepEqual(history().read(), []);
		fs.mkdirSync(path.join(folder, 'data'));
		for (const text of ['[{"key":', '{}', '']) {
			fs.writeFileSync(path.join(folder, 'data', 'runs.json'), text);
			assert.deepEqual(history().read(), []);
		}
	});

	it('says so where it cannot be kept', async () => {
		fs.writeFileSync(path.join(folder, 'file'), '');
		const written = history(path.join(folder, 'file', 'data'));
		written.write([run('a')]);
		written.close([run('a')]);
		assert.ok(failures.length > 0);
	});
});
