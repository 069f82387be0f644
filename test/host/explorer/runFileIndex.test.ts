import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';

describe('the run files of an agent', () => {
	let index: RunFileIndex;
	let folder: string;
	beforeEach(() => {
		index = new RunFileIndex();
		const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
		assert.ok(workspace);
		folder = path.join(workspace, 'runs', 'nested');
		fs.mkdirSync(folder, { recursive: true });
		fs.writeFileSync(path.join(folder, 'one.run.json'), '{"model": "of-a-folder", "inputs": {}}');
	});
	afterEach(() => {
		index.dispose();
		fs.rmSync(folder, { recursive: true, force: true });
	});

	const getRunFileNames = async () => (await index.getRunFiles('of-a-folder')).map(uri => path.posix.basename(uri.path));
	async function waitForRunFileNames(wanted: readonly string[]): Promise<void> {
		while (JSON.stringify(await getRunFileNames()) !== JSON.stringify(wanted)) {
			await new Promise<void>(resolve => {
				const listener = index.onDidChange(() => {
					listener.dispose();
					resolve();
				});
			});
		}
	}

	it('disappear with their folder', async () => {
		await waitForRunFileNames(['one.run.json']);
		fs.rmSync(folder, { recursive: true });
		await waitForRunFileNames([]);
	});

	it('are searched again when the tree is refreshed', async () => {
		await waitForRunFileNames(['one.run.json']);
		const changed = new Promise<void>(resolve => index.onDidChange(resolve));
		index.invalidateIndex();
		await changed;
		await waitForRunFileNames(['one.run.json']);
	});
});
