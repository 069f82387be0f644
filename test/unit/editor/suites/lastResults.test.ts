import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { WindowBatch } from '#editor/suites/batches/batch.ts';
import { LastResults } from '#editor/suites/lastResults.ts';
import type { SuiteSummary } from '#suites/results/caseResult.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';

const suite = { name: 'tickets', file: '/suites/tickets.suite.json' } as Suite;
const uri = vscode.Uri.file(suite.file);
const finished = { cases: 200, passed: 200, failed: 0, notRun: 0, faults: 0, takenUp: 0, seconds: 2.1, tokens: 0, judgeTokens: 0, cost: 0 };

describe('the last result of a suite', () => {
	const window = vscode.window as { state: vscode.WindowState };
	const before = window.state;
	let opened: number;
	let isPageVisible: boolean;
	let shown: string[];
	let results: LastResults;
	const started = new vscode.EventEmitter<WindowBatch>();

	beforeEach(() => {
		opened = 0;
		isPageVisible = false;
		shown = [];
		results = new LastResults({
			onDidStart: started.event,
			showInExplorer: (_suite, result) => shown.push(result),
			isPageVisible: () => isPageVisible,
			openResults: () => opened++,
		});
	});
	afterEach(() => {
		results.dispose();
		window.state = before;
	});

	/** Runs a batch to its end. */
	async function finishBatch(summary: Partial<SuiteSummary> = {}, more: object = {}): Promise<void> {
		const batch = new WindowBatch(suite, 'c', '/results/1.jsonl');
		started.fire(batch);
		async function* createEvents(): AsyncGenerator<SuiteEvent> {
			yield { type: 'finished', summary: { ...finished, ...summary }, ...more } as SuiteEvent;
		}
		await batch.followEvents(createEvents());
		await batch.ended;
	}

	it('is shown in the lens and in the Test Explorer, failures first', async () => {
		assert.equal(results.getResult(uri), undefined);
		await finishBatch();
		assert.equal(results.getResult(uri), '200 passed · 2.1 s');
		await finishBatch({ passed: 1197, failed: 3, notRun: 1 });
		assert.equal(results.getResult(uri), '3 failed, 1 not run, 1,197 passed · 2.1 s');
		assert.deepEqual(shown, ['200 passed · 2.1 s', '3 failed, 1 not run, 1,197 passed · 2.1 s']);
		await finishBatch({ passed: 0, failed: 2 });
		assert.equal(results.getResult(uri), '2 failed · 2.1 s');
	});

	it("says that rows couldn't be read, and that the user canceled it", async () => {
		await finishBatch({ faults: 2 });
		assert.equal(results.getResult(uri), '2 unreadable, 200 passed · 2.1 s');
		await finishBatch({ passed: 0, faults: 2 });
		assert.equal(results.getResult(uri), '2 unreadable · 2.1 s');
		await finishBatch({ passed: 5 }, { cancelled: { stopped: 1, notStopped: 0 } });
		assert.equal(results.getResult(uri), '5 passed · 2.1 s · canceled');
	});

	it('is a notification only if the user looks elsewhere', async () => {
		const { infos, warnings } = await answerDialogs({ button: 'Open results' }, async () => {
			await finishBatch();
			await finishBatch({ seconds: 12 });
			isPageVisible = true;
			await finishBatch({ seconds: 13 });
			window.state = { focused: false, active: false };
			await finishBatch({ failed: 1 });
			await finishBatch({ faults: 1 });
			await Promise.resolve();
		});
		assert.deepEqual(infos, ['tickets: 200 passed · 12 s']);
		assert.deepEqual(warnings, ['tickets: 1 failed, 200 passed · 2.1 s', 'tickets: 1 unreadable, 200 passed · 2.1 s']);
		assert.equal(opened, 3);
	});
});
