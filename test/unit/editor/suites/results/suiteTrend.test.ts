import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ResultStore } from '#editor/suites/batches/resultStore.ts';
import { BatchHeads } from '#editor/suites/results/batchHeads.ts';
import { ShownBatch } from '#editor/suites/results/shownBatch.ts';
import { SuiteTrend } from '#editor/suites/results/suiteTrend.ts';
import { firstListing } from '#pages/results/resultsMessages.ts';
import { createResult } from '../../../cli/reports/results.ts';

const startedAt = Date.parse('2026-11-27T10:00:00.000Z');

describe('the trend of a suite', () => {
	let folder: string;
	let suite: string;
	let history: string;
	let store: ResultStore;
	let trend: SuiteTrend;
	let changes: number;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-trend-'));
		suite = path.join(folder, 'a.suite.json');
		history = path.join(folder, 'a.suite.history.jsonl');
		store = new ResultStore(path.join(folder, 'results'));
		changes = 0;
		trend = new SuiteTrend(vscode.Uri.file(suite), { store, heads: new BatchHeads() }, () => changes++);
	});
	afterEach(() => {
		trend.dispose();
		fs.rmSync(folder, { recursive: true });
	});

	/** Writes a batch of one passed case, and opens it. */
	async function openBatch({
		ordinals,
		isFinished = true,
	}: {
		readonly ordinals?: ReadonlySet<number>;
		readonly isFinished?: boolean;
	}): Promise<ShownBatch> {
		const file = await store.createFile(suite, startedAt + 20, ordinals, new Set());
		const head = { version: 1, suite, fingerprint: 'f', connection: 'c', startedAt, depends: { agents: 'hash' } };
		const lines = [{ head }, { result: createResult({ name: 'one' }) }, ...(isFinished ? [{ summary: { cases: 1 } }] : [])];
		fs.writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
		return ShownBatch.openBatch(file, firstListing, undefined, 1);
	}

	it('starts with a batch, which is added once and leads back to its results', async () => {
		assert.deepEqual(await trend.readTrend(), { file: 'a.suite.history.jsonl', entries: [], count: 0, damaged: 0 });
		const shown = await openBatch({});
		await trend.addBatch(shown);
		assert.equal(changes, 1);
		await trend.addBatch(shown);
		const { entries, count } = await trend.readTrend();
		assert.deepEqual([count, entries[0]?.at, entries[0]?.batch], [1, '2026-11-27T10:00:00.000Z', path.basename(shown.file)]);
		const [line] = fs.readFileSync(history, 'utf8').split('\n');
		const { suite: fingerprint, agents, passed, outcomes } = JSON.parse(line!) as Record<string, unknown>;
		assert.deepEqual([fingerprint, agents, passed, typeof outcomes], ['f', 'hash', 1, 'string']);
		fs.rmSync(shown.file);
		assert.equal((await trend.readTrend()).entries[0]?.batch, undefined);
	});

	it('has only batches in which all cases ran', async () => {
		for (const given of [{ ordinals: new Set([0]) }, { isFinished: false }]) {
			await assert.rejects(trend.addBatch(await openBatch(given)), { reason: 'incomplete' });
		}
		assert.equal(fs.existsSync(history), false);
	});

	it('shortens hostile texts, and says why a history cannot be read', async () => {
		const entry = { at: '2026-11-27T10:00:00Z', keys: 'k', cases: 1, passed: 1, failed: 0, notRun: 0, score: 1, tokens: 1, cost: 1 };
		const long = 'x'.repeat(10_000);
		const checks = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`${at} ${long}`, 1]));
		const hostile = { ...entry, commit: long, currency: long, variant: long, checks };
		fs.writeFileSync(history, `${JSON.stringify(hostile)}\n${JSON.stringify({ ...entry, checks: { ['__proto__']: 1 } })}\n<<<<<<<\n`);
		const { entries, count, damaged } = await trend.readTrend();
		assert.deepEqual([count, damaged], [2, 1]);
		assert.ok(JSON.stringify(entries).length < 20_000, `${JSON.stringify(entries).length} characters`);
		fs.rmSync(history);
		fs.mkdirSync(history);
		assert.match((await trend.readTrend()).problem ?? '', /EISDIR|EPERM|directory/);
	});

	it('never follows a link out of the workspace', async () => {
		const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-outside-'));
		fs.writeFileSync(path.join(outside, 'secret'), 'secret');
		try {
			fs.symlinkSync(path.join(outside, 'secret'), history);
		} catch {
			return; // needs a privilege on Windows
		}
		assert.match((await trend.readTrend()).problem ?? '', /is outside/);
		await assert.rejects(trend.addBatch(await openBatch({})), { name: 'OutsideScope' });
		assert.equal(fs.readFileSync(path.join(outside, 'secret'), 'utf8'), 'secret');
		fs.rmSync(outside, { recursive: true });
	});
});
