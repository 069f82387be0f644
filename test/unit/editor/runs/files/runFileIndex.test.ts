import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';

const uri = vscode.Uri.file('/workspace/runs/one.run.json');

describe('the run files of an agent', () => {
	const { findFiles, createFileSystemWatcher, fs } = vscode.workspace;
	let changed: vscode.EventEmitter<vscode.Uri>;
	let deleted: vscode.EventEmitter<vscode.Uri>;
	let index: RunFileIndex;
	/** Called while a file is read. */
	let onRead: () => void;
	beforeEach(() => {
		[changed, deleted] = [new vscode.EventEmitter(), new vscode.EventEmitter()];
		onRead = () => {};
		Object.assign(vscode.workspace, {
			findFiles: async () => [uri],
			createFileSystemWatcher: () => ({
				onDidCreate: () => {},
				onDidChange: changed.event,
				onDidDelete: deleted.event,
				dispose: () => {},
			}),
			fs: {
				stat: async () => ({ type: vscode.FileType.File, size: 17 }),
				readFile: async () => {
					onRead();
					return new TextEncoder().encode('{"model": "echo"}');
				},
			},
		});
		index = new RunFileIndex();
	});
	afterEach(() => {
		index.dispose();
		Object.assign(vscode.workspace, { findFiles, createFileSystemWatcher, fs });
	});

	const countRunFiles = async () => (await index.getRunFiles('echo')).length;

	it('stay in the index while they are read again', async () => {
		assert.equal(await countRunFiles(), 1);
		changed.fire(uri);
		assert.equal(await countRunFiles(), 1);
	});

	it('are gone if their folder is deleted while the workspace is searched', async () => {
		onRead = () => deleted.fire(vscode.Uri.file('/workspace/runs'));
		assert.equal(await countRunFiles(), 0);
	});

	it('are gone if they are deleted while they are read again', async () => {
		assert.equal(await countRunFiles(), 1);
		onRead = () => deleted.fire(uri);
		const updated = new Promise<void>(resolve => {
			let events = 0;
			index.onDidChange(() => ++events === 2 && resolve());
		});
		changed.fire(uri);
		await updated;
		assert.equal(await countRunFiles(), 0);
	});
});
