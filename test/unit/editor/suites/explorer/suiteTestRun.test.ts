import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { WindowBatch } from '#editor/suites/batches/batch.ts';
import { SuiteTestRun } from '#editor/suites/explorer/suiteTestRun.ts';
import type { SuiteEvent } from '#suites/running/suiteEvents.ts';
import type { Suite } from '#suites/suite.ts';

const suite = { name: 'tickets', file: '/suites/tickets.suite.json', dataset: { file: '/suites/rows.jsonl' } } as Suite;
const result = { type: 'result', result: { name: 'r', row: 1, ordinal: 1, outcome: 'passed', seconds: 1, checks: [], place: { line: 1 } } };
const fault = { type: 'fault', fault: { message: 'Row 2: no JSON', file: '/suites/rows.jsonl', line: 2, column: 1 } };
const finished = {
	type: 'finished',
	summary: { cases: 1, passed: 1, failed: 0, notRun: 0, faults: 0, takenUp: 0, seconds: 1, tokens: 0, judgeTokens: 0, cost: 0 },
};

/** Follows a batch with these events. Returns what is shown on the item of its dataset. */
async function showDataset(...events: readonly object[]): Promise<string | undefined> {
	const batch = new WindowBatch(suite, 'c', '/results/1.jsonl');
	const dataset = {};
	let shown: string | undefined;
	const run = {
		appendOutput: () => {},
		passed: (item: object) => {
			shown = item === dataset ? 'passed' : shown;
		},
		failed: (item: object, messages: readonly vscode.TestMessage[]) => {
			shown = item === dataset ? messages.map(({ message }) => message).join(' ') : shown;
		},
	};
	const items = { getSuiteItem: () => ({}), getDatasetItem: () => dataset, getRowItem: () => undefined };
	const following = new SuiteTestRun(run as never, items as never, vscode.Uri.file(suite.file), suite).followBatch(batch);
	async function* createEvents(): AsyncGenerator<SuiteEvent> {
		yield* events as SuiteEvent[];
	}
	await batch.followEvents(createEvents());
	await following;
	return shown;
}

describe('the item of a dataset in the Test Explorer', () => {
	it('passes if all of its rows were read and passed', async () => {
		assert.equal(await showDataset(result, finished), 'passed');
	});

	it("fails if a row didn't pass or couldn't be read", async () => {
		const failed = { ...result, result: { ...result.result, outcome: 'failed' } };
		assert.equal(await showDataset(result, failed, fault, fault, finished), "Rows that didn't pass: 1 of 2 Rows that couldn't be read: 2");
		assert.equal(await showDataset(result, fault, finished), "Rows that couldn't be read: 1");
		assert.equal(await showDataset(fault, finished), "Rows that couldn't be read: 1");
	});

	it("has no result if the batch didn't run to its end", async () => {
		assert.equal(await showDataset(result, { ...finished, cancelled: { stopped: 0, notStopped: 0 } }), undefined);
		assert.equal(await showDataset(result), undefined);
	});
});
