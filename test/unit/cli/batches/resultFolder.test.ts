import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResultFolder } from '#cli/batches/resultFolder.ts';
import { ResultJournal } from '#suites/results/resultJournal.ts';
import { createSuiteNamed, createSummary } from '../reports/results.ts';

describe('the result folder', () => {
	let data: string;
	const opened: ResultFolder[] = [];
	const suite = createSuiteNamed('one');

	beforeEach(() => {
		data = fs.mkdtempSync(path.join(os.tmpdir(), 'results-'));
	});
	afterEach(async () => {
		await Promise.all(opened.splice(0).map(folder => folder.close()));
		fs.rmSync(data, { recursive: true });
	});

	const openFolder = async (): Promise<ResultFolder> => {
		const folder = await ResultFolder.openFolder(data);
		opened.push(folder);
		return folder;
	};
	/** Writes the result file of a finished or an interrupted batch. */
	const writeResultFile = async (file: string, isWhole: boolean): Promise<void> => {
		const journal = await ResultJournal.createFile(file, {
			version: 1,
			suite: suite.file,
			fingerprint: suite.fingerprint,
			connection: 'c',
			startedAt: 0,
		});
		await (isWhole ? journal.writeSummary(createSummary()) : undefined);
		await journal.close();
	};

	it('gives each concurrent batch of a suite a separate file', async () => {
		const files = await Promise.all([1, 2, 3].map(async () => (await openFolder()).openResultFile(suite, 'same')));
		assert.equal(new Set(files).size, 3);
	});

	it('gives the file of an interrupted batch to exactly one batch that resumes it', async () => {
		const [first, second] = [await openFolder(), await openFolder()];
		const [whole, interrupted] = [await first.openResultFile(suite, 'same'), await second.openResultFile(suite, 'same')];
		await writeResultFile(whole, true);
		await writeResultFile(interrupted, false);
		await Promise.all([first.close(), second.close()]);
		assert.equal(await (await openFolder()).openResultFile(suite, 'same'), interrupted);
		assert.equal(await (await openFolder()).openResultFile(suite, 'same'), whole);
		assert.notEqual(await (await openFolder()).openResultFile(suite, 'other'), whole);
	});

	it('keeps twenty files and those that are still being written', async () => {
		const busy = await openFolder();
		const inUse = await busy.openResultFile(suite, 'in use');
		await writeResultFile(inUse, false);
		fs.utimesSync(inUse, 0, 0);
		for (let at = 0; at < 24; at++) {
			const folder = await ResultFolder.openFolder(data);
			await writeResultFile(await folder.openResultFile(suite, at), true);
			await folder.close();
		}
		const kept = fs.readdirSync(path.dirname(inUse)).filter(name => name.endsWith('.jsonl'));
		assert.ok(kept.includes(path.basename(inUse)));
		assert.equal(kept.length, 21);
	});

	it('reports changes since an interrupted batch, but not since finished batches or those with other options', async () => {
		const depends = { options: 'o', configuration: 'c', files: 'f' };
		const writeBatch = async (isWhole: boolean): Promise<void> => {
			const folder = await ResultFolder.openFolder(data);
			const head = { version: 1, suite: suite.file, fingerprint: suite.fingerprint, connection: 'c', startedAt: 0, depends } as const;
			const journal = await ResultJournal.createFile(await folder.openResultFile(suite, depends), head);
			await (isWhole ? journal.writeSummary(createSummary()) : undefined);
			await journal.close();
			await folder.close();
		};
		const listChanged = async (now: Readonly<Record<string, string>>): Promise<readonly string[]> => {
			const folder = await openFolder();
			return folder.findChanges(await folder.openResultFile(suite, now), now);
		};
		assert.deepEqual(await listChanged(depends), []);
		await writeBatch(false);
		assert.deepEqual(await listChanged(depends), []);
		assert.deepEqual(await listChanged({ ...depends, configuration: 'other', files: 'others' }), ['configuration', 'files']);
		assert.deepEqual(await listChanged({ ...depends, configuration: 'other', options: 'p' }), []);
		await Promise.all(opened.splice(0).map(folder => folder.close()));
		await writeBatch(true);
		assert.deepEqual(await listChanged({ ...depends, configuration: 'other' }), []);
	});
});
