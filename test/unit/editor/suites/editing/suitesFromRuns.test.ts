import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { SuitesFromRuns } from '#editor/suites/editing/suitesFromRuns.ts';
import { makeTempFolder, removeFolder } from '../../../../../scripts/lib/tempFolder.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

type Parts = ConstructorParameters<typeof SuitesFromRuns>[0];
type Run = Parameters<SuitesFromRuns['createSuite']>[0];

describe('a new suite from a run', () => {
	const folder = makeTempFolder();
	const { workspaceFolders } = vscode.workspace;
	before(() => {
		Object.assign(vscode.workspace, { workspaceFolders: [{ uri: vscode.Uri.file(folder), name: 'work', index: 0 }] });
	});
	after(() => {
		Object.assign(vscode.workspace, { workspaceFolders });
		removeFolder(folder);
	});

	it("doesn't propose the file of another suite", async () => {
		const run = { agent: 'greet', inputs: { who: 'Ada' }, outputs: {} } as unknown as Run;
		const readProposal = async () => {
			const shown = await answerDialogs({ texts: ['a case'] }, () => new SuitesFromRuns({} as Parts).createSuite(run));
			return path.relative(folder, shown.saves[0]?.defaultUri?.fsPath ?? '');
		};
		assert.equal(await readProposal(), path.join('suites', 'greet.suite.json'));
		fs.mkdirSync(path.join(folder, 'suites'));
		fs.writeFileSync(path.join(folder, 'suites', 'greet.suite.json'), '{}');
		assert.equal(await readProposal(), path.join('suites', 'greet-2.suite.json'));
	});

	// the dialog only asks before the file is replaced that was entered
	it("doesn't replace a suite whose name only results from completing the entered one", async () => {
		const run = { agent: 'greet', inputs: { who: 'Ada' }, outputs: {} } as unknown as Run;
		const suite = path.join(folder, 'mine.suite.json');
		fs.writeFileSync(suite, 'my suite');
		const answers = { texts: ['a case'], files: [vscode.Uri.file(path.join(folder, 'mine.json'))] };
		const creating = answerDialogs(answers, () => new SuitesFromRuns({} as Parts).createSuite(run));
		await assert.rejects(creating, { reason: 'taken' });
		assert.equal(fs.readFileSync(suite, 'utf8'), 'my suite');
	});
});
