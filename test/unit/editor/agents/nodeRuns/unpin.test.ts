import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { Pins } from '#editor/agents/nodeRuns/pins.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

describe('the command that unpins outputs', () => {
	const { findFiles } = vscode.workspace;
	let folder: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-pins-'));
		fs.writeFileSync(path.join(folder, 'shop.yml'), 'workflow: { graph: { nodes: [{ id: ask, data: { type: llm, title: Ask } }] } }');
		Reflect.set(vscode.workspace, 'findFiles', async () =>
			fs.readdirSync(folder).flatMap(name => (name.endsWith('.run.json') ? [vscode.Uri.file(path.join(folder, name))] : [])),
		);
	});
	afterEach(() => {
		Reflect.set(vscode.workspace, 'findFiles', findFiles);
		fs.rmSync(folder, { recursive: true });
	});
	const writeRunFile = (name: string, ...pinned: string[]) => {
		const mocks = Object.fromEntries(pinned.map(node => [node, { outputs: {} }]));
		fs.writeFileSync(path.join(folder, name), JSON.stringify({ model: 'shop', inputs: {}, mocks }));
	};
	const unpin = async (pick?: string) => {
		const pins = new Pins({ find: async () => undefined, findAgentFile: async () => undefined, readEntries: assert.fail });
		const changed: string[] = [];
		const { showTextDocument } = vscode.window;
		const { applyEdit } = vscode.workspace;
		Reflect.set(vscode.workspace, 'applyEdit', async () => true);
		Reflect.set(vscode.window, 'showTextDocument', async ({ uri }: vscode.TextDocument) => {
			changed.push(path.basename(uri.fsPath));
			return { revealRange() {} };
		});
		try {
			const uri = vscode.Uri.file(path.join(folder, 'shop.yml'));
			const shown = await answerDialogs({ picks: [pick] }, () => pins.unpinOutputs({ node: 'ask', uri }));
			return { changed, asked: shown.placeHolders.length };
		} finally {
			Reflect.set(vscode.window, 'showTextDocument', showTextDocument);
			Reflect.set(vscode.workspace, 'applyEdit', applyEdit);
		}
	};

	it('changes the only run file that pins the node, without asking', async () => {
		writeRunFile('a.run.json', 'other');
		writeRunFile('b.run.json', 'ask');
		assert.deepEqual(await unpin(), { changed: ['b.run.json'], asked: 0 });
	});

	it('asks only for run files that pin the node', async () => {
		writeRunFile('a.run.json', 'ask');
		writeRunFile('b.run.json', 'other');
		writeRunFile('c.run.json', 'ask', 'other');
		assert.deepEqual(await unpin('c.run.json'), { changed: ['c.run.json'], asked: 1 });
		await assert.rejects(unpin('b.run.json'), /No item/);
	});

	it('reports that no run file pins the node', async () => {
		writeRunFile('a.run.json', 'other');
		await assert.rejects(unpin(), { message: "Outputs of 'Ask' aren't pinned in a run file." });
	});
});
