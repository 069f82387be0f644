import assert from 'node:assert/strict';
import { mock } from 'node:test';
import * as vscode from 'vscode';
import { RunFileLenses } from '#editor/runs/files/editing/runFileLenses.ts';

describe('the lenses of a run file', () => {
	beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }));
	afterEach(() => mock.timers.reset());

	it('are requested again every minute if there are runs, because they say how long ago the last one was', () => {
		const onDidChange = new vscode.EventEmitter<never>().event;
		const records: object[] = [];
		const runs = { list: () => records, onDidChange, onDidRemove: onDidChange };
		const finished = { onDidFinish: onDidChange };
		const lenses = new RunFileLenses(runs as never, { onDidChange } as never, { onDidChoose: onDidChange } as never, finished as never);
		let requests = 0;
		lenses.onDidChangeCodeLenses(() => requests++);
		mock.timers.tick(120_000);
		assert.equal(requests, 0);
		records.push({});
		mock.timers.tick(120_000);
		assert.equal(requests, 2);
		lenses.dispose();
		mock.timers.tick(120_000);
		assert.equal(requests, 2);
	});
});
