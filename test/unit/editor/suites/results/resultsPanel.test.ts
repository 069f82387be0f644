import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { ColumnMemory } from '#editor/platform/columnMemory.ts';
import { WindowBatch } from '#editor/suites/batches/batch.ts';
import { ResultStore } from '#editor/suites/batches/resultStore.ts';
import { ResultsPanel, type ResultsPanelParts } from '#editor/suites/results/resultsPanel.ts';
import { type FromResults, type FromResultsHost, firstListing } from '#pages/results/resultsMessages.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import type { Suite } from '#suites/suite.ts';
import { RecordedLog } from '../../../../support/editor/connectionsUnderTest.ts';
import { MemoryState } from '../../../../support/editor/memoryState.ts';

type Message<T extends FromResultsHost['type']> = Extract<FromResultsHost, { type: T }>;

const suite = '/w/a.suite.json';
const place = { file: suite, offset: 0, length: 1, line: 1, column: 1 };
const formatResultLine = (ordinal: number, more: Partial<CaseResult> = {}) => {
	const result: CaseResult = {
		ordinal,
		name: `case ${ordinal}`,
		place,
		outcome: 'passed',
		score: 1,
		inputs: {},
		outputs: { said: `${ordinal}` },
		checks: [],
		startedAt: 0,
		seconds: 1,
		...more,
	};
	return `${JSON.stringify({ result })}\n`;
};
const head = `${JSON.stringify({ head: { version: 1, suite, fingerprint: 'f', connection: 'c', startedAt: 0 } })}\n`;

describe('ResultsPanel', () => {
	let folder: string;
	let store: ResultStore;
	let panel: ResultsPanel;
	let received: vscode.EventEmitter<unknown>;
	let posted: vscode.EventEmitter<FromResultsHost>;
	let running: Map<string, WindowBatch>;
	let started: vscode.EventEmitter<WindowBatch>;
	let accepted: string[];
	let rerun: vscode.EventEmitter<unknown>;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-panel-'));
		store = new ResultStore(folder);
		received = new vscode.EventEmitter();
		posted = new vscode.EventEmitter();
		running = new Map();
		started = new vscode.EventEmitter();
		accepted = [];
		rerun = new vscode.EventEmitter();
		const webview = {
			onDidReceiveMessage: received.event,
			postMessage: async (message: FromResultsHost) => posted.fire(structuredClone(message)),
		};
		const webviewPanel = { title: '', visible: true, webview, onDidChangeViewState: new vscode.EventEmitter().event };
		const parts = {
			files: { readSuiteForDisplay: async () => ({ suite: undefined, faults: [] }) },
			batches: { findBatchByFile: (file: string) => running.get(file), onDidStart: started.event },
			store,
			actions: {
				runSuite: async (_suite: vscode.Uri, cases: unknown) => rerun.fire(cases),
				acceptSnapshots: async (_suite: vscode.Uri, results: readonly CaseResult[]) =>
					accepted.push(...results.map(({ outputs }) => JSON.stringify(outputs))),
			},
			columns: new ColumnMemory(new MemoryState(), 'results'),
			log: new RecordedLog().channel,
		} as unknown as ResultsPanelParts;
		const kept = { suite: vscode.Uri.file(suite).toString(), batch: undefined, listing: firstListing, view: 'results' as const };
		panel = new ResultsPanel(webviewPanel as unknown as vscode.WebviewPanel, kept, parts);
	});
	afterEach(() => {
		panel.dispose();
		fs.rmSync(folder, { recursive: true });
	});

	/** Writes a batch of the suite with these results. */
	async function writeBatch(at: number, ...lines: readonly string[]): Promise<string> {
		const file = await store.createFile(suite, at, undefined, new Set());
		fs.writeFileSync(file, head + lines.join(''));
		return file;
	}
	/** Creates a batch of this window that writes this file. */
	function startBatch(file: string): WindowBatch {
		const batch = new WindowBatch({ file: suite } as Suite, 'c', file);
		running.set(file, batch);
		return batch;
	}
	const send = (message: FromResults) => received.fire(message);
	function waitForNext<T extends FromResultsHost['type']>(
		type: T,
		wanted: (message: Message<T>) => boolean = () => true,
	): Promise<Message<T>> {
		return new Promise(resolve => {
			const listener = posted.event(message => {
				if (message.type === type && wanted(message as Message<T>)) {
					listener.dispose();
					resolve(message as Message<T>);
				}
			});
		});
	}

	it('shows the first of many results before it reads and appends the others', async () => {
		const long = { said: 'x'.repeat(1000) };
		await writeBatch(1, ...Array.from({ length: 12_000 }, (_, at) => formatResultLine(at, { outputs: long })));
		const snapshot = waitForNext('snapshot');
		const whole = waitForNext('state', ({ state }) => !state.reading && state.results === 12_000);
		send({ type: 'ready' });
		const { state } = await snapshot;
		assert.ok(state.reading && state.count > 60 && state.count < 12_000, `${state.count} rows`);
		assert.equal((await whole).state.generation, state.generation, 'rows stay where they are');
	});

	it('shows results first, and then their differences from the baseline', async () => {
		await store.setBaseline(suite, await writeBatch(1, formatResultLine(0, { outcome: 'failed', score: 0 }), formatResultLine(1)));
		await writeBatch(2, formatResultLine(0), formatResultLine(1));
		const snapshot = waitForNext('snapshot');
		const compared = waitForNext('state', ({ state }) => state.changes !== undefined);
		send({ type: 'ready' });
		assert.deepEqual([(await snapshot).state.changes, (await snapshot).state.reading], [undefined, true]);
		const { state, rows } = await compared;
		assert.deepEqual([state.changes, state.reading], [{ better: 1, same: 1 }, false]);
		assert.deepEqual(
			rows?.rows.map(row => row.kind === 'case' && row.change),
			['better', 'same'],
		);
		const requestComparable = async (id: string) => {
			const shown = waitForNext('case');
			send({ type: 'case', id });
			return (await shown).case?.comparable;
		};
		assert.deepEqual([await requestComparable('0'), await requestComparable('1')], [true, false]);
	});

	it('cancels a batch immediately, even if other requests are pending', async () => {
		const file = await writeBatch(1, formatResultLine(0));
		const batch = startBatch(file);
		const snapshot = waitForNext('snapshot', ({ state }) => state.live !== undefined);
		send({ type: 'ready' });
		await snapshot;
		send({ type: 'listing', listing: { ...firstListing, text: 'case' } });
		send({ type: 'command', command: 'cancel' });
		assert.ok(batch.signal.aborted);
	});

	it('follows a batch that was running when its results were opened, and no longer once another is shown', async () => {
		const other = await writeBatch(1, formatResultLine(0));
		const file = await writeBatch(2, formatResultLine(0));
		const batch = startBatch(file);
		const snapshot = waitForNext('snapshot', ({ state }) => state.live !== undefined && state.results === 1);
		send({ type: 'ready' });
		await snapshot;
		const followed = waitForNext('state', ({ state }) => state.results === 2 && state.live?.total === 5);
		fs.appendFileSync(file, formatResultLine(1));
		batch.setTotal(5);
		assert.equal((await followed).state.live?.done, 2);
		const ended = waitForNext('state', ({ state }) => state.live === undefined && state.results === 3);
		fs.appendFileSync(file, formatResultLine(2));
		await batch.followEvents((async function* () {})());
		await ended;
		const left = waitForNext('state', ({ state }) => state.batch === path.basename(other));
		send({ type: 'batch', id: path.basename(other) });
		assert.equal((await left).state.live, undefined);
	});

	it('applies requests to the batch that the page showed, and not to one that has started since', async () => {
		const before = path.basename(await writeBatch(1, formatResultLine(0)));
		const snapshot = waitForNext('snapshot');
		send({ type: 'ready' });
		assert.equal((await snapshot).state.batch, before);
		const file = await writeBatch(2, formatResultLine(0, { outputs: { said: 'something else' } }));
		const shown = waitForNext('state', ({ state }) => state.batch === path.basename(file));
		started.fire(startBatch(file));
		send({ type: 'act', act: 'accept', id: '0', batch: before });
		send({ type: 'command', command: 'pin', batch: before });
		await shown;
		const answered = waitForNext('case');
		send({ type: 'case', id: '0' });
		await answered;
		assert.deepEqual([accepted, await store.getBaseline(suite)], [[], undefined]);
		send({ type: 'act', act: 'accept', id: '0', batch: path.basename(file) });
		const pinned = waitForNext('state', ({ state }) => state.batches.some(({ isBaseline }) => isBaseline));
		send({ type: 'command', command: 'pin', batch: path.basename(file) });
		await pinned;
		assert.deepEqual([accepted, await store.getBaseline(suite)], [['{"said":"something else"}'], file]);
	});

	it('reruns cases by name, because their numbers are others after the suite was edited, and in a comparison of variants', async () => {
		const failed = { outcome: 'failed', variant: 'b' } as const;
		const lines = [formatResultLine(2), formatResultLine(3, failed), formatResultLine(5, { ...failed, name: 'row 1', row: 1 })];
		const batch = path.basename(await writeBatch(1, ...lines));
		const snapshot = waitForNext('snapshot');
		send({ type: 'ready' });
		await snapshot;
		const waitForRun = () => new Promise(resolve => rerun.event(resolve));
		let run = waitForRun();
		send({ type: 'command', command: 'rerunFailed', batch });
		assert.deepEqual(await run, [
			{ ordinal: 3, name: 'case 3' },
			{ ordinal: 5, name: 'row 1', row: 1 },
		]);
		run = waitForRun();
		send({ type: 'rerun', ids: ['2', 'group x'] });
		assert.deepEqual(await run, [{ ordinal: 2, name: 'case 2' }]);
	});

	it('shows the trend when asked, and keeps the batch if one to open was deleted', async () => {
		const file = await writeBatch(1, formatResultLine(0));
		const snapshot = waitForNext('snapshot');
		send({ type: 'ready' });
		assert.equal((await snapshot).state.view, 'results');
		const trend = waitForNext('trend');
		const viewed = waitForNext('state', ({ state }) => state.view === 'trend');
		send({ type: 'view', view: 'trend' });
		assert.deepEqual((await trend).trend, { file: 'a.suite.history.jsonl', entries: [], count: 0, damaged: 0 });
		assert.equal((await viewed).state.isWhole, false, 'without a summary');
		const reported = waitForNext('state', ({ state }) => state.problem !== undefined);
		send({ type: 'batch', id: 'gone.jsonl' });
		const { state } = await reported;
		assert.deepEqual([state.problem, state.batch], ["The results of this batch don't exist anymore.", path.basename(file)]);
	});

	it('reports a deleted result file and continues with another', async () => {
		const before = await writeBatch(1, formatResultLine(0));
		const file = await writeBatch(2, formatResultLine(0), formatResultLine(1));
		const snapshot = waitForNext('snapshot');
		send({ type: 'ready' });
		assert.equal((await snapshot).state.results, 2);
		fs.rmSync(file);
		const reported = waitForNext('state', ({ state }) => state.problem !== undefined);
		send({ type: 'listing', listing: { ...firstListing, sort: 'name', descending: true } });
		assert.match((await reported).state.problem!, /no such file/);
		const other = waitForNext('state', ({ state }) => state.batch === path.basename(before));
		send({ type: 'batch', id: path.basename(before) });
		assert.deepEqual([(await other).state.results, (await other).state.problem], [1, undefined]);
	});
});
