import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import { createRunFile, findEmptyValue, saveRunFile } from '#editor/runs/files/newRunFile.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

describe('the cursor in a new run file', () => {
	const getMarked = (inputs: object): string => {
		const text = JSON.stringify({ model: 'a', inputs }, undefined, 1).replaceAll(/\n */g, '');
		const place = findEmptyValue(text);
		return place === undefined ? 'nowhere' : `${text.slice(0, place)}|${text.slice(place)}`;
	};

	it('is in the first empty value', () => {
		assert.equal(getMarked({ n: 0, text: '', more: '' }), '{"model": "a","inputs": {"n": 0,"text": "|","more": ""}}');
		assert.equal(getMarked({ source: { $file: './' } }), '{"model": "a","inputs": {"source": {"$file": "./|"}}}');
		assert.equal(getMarked({ list: [] }), '{"model": "a","inputs": {"list": [|]}}');
	});

	it('stays at the start if no value is empty', () => {
		assert.equal(getMarked({ n: 0 }), 'nowhere');
	});
});

describe('a new run file', () => {
	const { workspaceFolders, getWorkspaceFolder } = vscode.workspace;
	let folder: string;
	beforeEach(() => {
		folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-run-files-')));
		const work = { name: 'work', index: 0, uri: vscode.Uri.file(path.join(folder, 'work')) };
		fs.mkdirSync(work.uri.fsPath);
		Object.assign(vscode.workspace, { workspaceFolders: [work], getWorkspaceFolder: () => work });
	});
	afterEach(() => {
		Object.assign(vscode.workspace, { workspaceFolders, getWorkspaceFolder });
		fs.rmSync(folder, { recursive: true });
	});

	for (const [what, link, target] of [
		['its folder is', 'work/runs', ''],
		['it is', 'work/runs/a.run.json', 'none.json'],
	] as const) {
		it(`isn't written if ${what} a link out of the workspace`, async () => {
			fs.mkdirSync(path.join(folder, path.dirname(link)), { recursive: true });
			fs.symlinkSync(path.join(folder, target), path.join(folder, link));
			await assert.rejects(createRunFile({ name: 'a', variables: [] } as unknown as AgentSummary), { reason: 'outside-workspace' });
			assert.deepEqual(fs.readdirSync(folder), ['work']);
		});
	}

	it("doesn't replace a run file whose name only results from completing the one entered in the dialog", async () => {
		const file = path.join(folder, 'work', 'mine.run.json');
		fs.writeFileSync(file, 'my run file');
		const answers = { files: [vscode.Uri.file(path.join(folder, 'work', 'mine'))] };
		await assert.rejects(
			answerDialogs(answers, () => saveRunFile('a', undefined, () => ({}))),
			{ reason: 'taken' },
		);
		assert.equal(fs.readFileSync(file, 'utf8'), 'my run file');
	});
});
