import assert from 'node:assert/strict';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RequestedSuite } from '#editor/suites/explorer/chosenCases.ts';
import { ContinuousRuns } from '#editor/suites/explorer/continuousRuns.ts';
import type { Suite } from '#suites/suite.ts';
import { waitUntil } from '../../../../support/waitUntil.ts';

const suiteFile = path.resolve('suites/one.suite.json');
const requested: RequestedSuite = { uri: vscode.Uri.file(suiteFile), items: [], excluded: [] };
const suite = { file: suiteFile, target: { kind: 'agent', model: 'sort' }, cases: [], dataset: undefined } as unknown as Suite;
const agents = [
	{ name: 'sort', file: path.resolve('agents/sort.yml') },
	{ name: 'other', file: path.resolve('agents/other.yml') },
] as never;

describe('suites that run on save', () => {
	const { onDidSaveTextDocument } = vscode.workspace;
	let saved: vscode.EventEmitter<{ uri: vscode.Uri }>;
	beforeEach(() => {
		saved = new vscode.EventEmitter();
		Object.assign(vscode.workspace, { onDidSaveTextDocument: saved.event });
	});
	afterEach(() => void Object.assign(vscode.workspace, { onDidSaveTextDocument }));

	/** Saves files one after another, the last of which must start a run. Returns how often the suite was read and run. */
	const saveFiles = async (...files: readonly string[]) => {
		const counts = { reads: 0, runs: 0 };
		const runs = new ContinuousRuns({
			requested: [requested],
			readSuite: async () => {
				counts.reads++;
				assert.ok(counts.reads <= files.length, 'the suite is read although nothing was saved');
				return { suite, faults: [] };
			},
			agents: async () => agents,
			run: async () => void counts.runs++,
			log: { warn: (message: string) => assert.fail(message) } as unknown as vscode.LogOutputChannel,
		});
		for (const [index, file] of files.entries()) {
			saved.fire({ uri: vscode.Uri.file(path.resolve(file)) });
			await waitUntil('a read suite', () => counts.reads > index);
		}
		await waitUntil('a run', () => counts.runs > 0);
		await new Promise(setImmediate);
		runs.dispose();
		return counts;
	};

	it('run once after their file or the file of their agent was saved', async () => {
		assert.deepEqual(await saveFiles('suites/one.suite.json'), { reads: 1, runs: 1 });
		assert.deepEqual(await saveFiles('agents/sort.yml'), { reads: 1, runs: 1 });
	});

	it("don't run after other files were saved", async () => {
		assert.deepEqual(await saveFiles('agents/other.yml', 'README.md', 'suites/one.suite.json'), { reads: 3, runs: 1 });
	});
});
