import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { copyAgentFiles } from '#editor/agents/files/createAgent.ts';
import { deleteFiles } from '#editor/explorer/commands/fileCommands.ts';
import { deleteNodes, getTargetNodes, renameNode, runNodes, runSelectedRunFiles } from '#editor/explorer/commands/nodeCommands.ts';
import type { TreeNode } from '#editor/explorer/nodes/treeNode.ts';
import { answerDialogs } from '../../../../support/editor/answers.ts';

const createNode = (contextValue: string, uri?: vscode.Uri) =>
	({ id: contextValue, parent: undefined, createTreeItem: () => ({ contextValue }), ...(uri && { uri }) }) as unknown as TreeNode;

describe('keys and selections in the tree', () => {
	/** Imitates VS Code's list, whose focus is on one row that may or may not be selected. */
	async function actAtKeyboard(focused: TreeNode, selected: TreeNode[], act: (view: { selection: readonly TreeNode[] }) => Promise<void>) {
		const view = { selection: selected };
		const executed: unknown[][] = [];
		const original: unknown = vscode.commands.executeCommand;
		Reflect.set(vscode.commands, 'executeCommand', async (id: string, ...args: unknown[]) => {
			if (id === 'list.toggleSelection') {
				view.selection = view.selection.includes(focused) ? view.selection.filter(each => each !== focused) : [...view.selection, focused];
			} else {
				executed.push([id.replace('agentWorkbench.', ''), ...args]);
			}
		});
		try {
			await act(view);
		} finally {
			Reflect.set(vscode.commands, 'executeCommand', original);
		}
		assert.deepEqual(new Set(view.selection), new Set(selected), 'the selection stays as it was');
		return executed;
	}

	const file = createNode('runFile', vscode.Uri.file('/a.run.json'));
	const other = createNode('runFile', vscode.Uri.file('/b.run.json'));

	it('act on the focused row, or on the selection if that contains it', async () => {
		assert.deepEqual(await actAtKeyboard(file, [other], deleteNodes), [['file.delete', file, [file]]]);
		const [[id, first, all]] = (await actAtKeyboard(file, [other, file], deleteNodes)) as [[string, TreeNode, TreeNode[]]];
		assert.deepEqual([id, new Set(all)], ['file.delete', new Set([file, other])]);
		assert.ok(all.includes(first));
	});

	for (const [context, remove, rename, run] of [
		['conversation', 'conversation.delete', 'conversation.rename', undefined],
		['connection.service.agents', 'connection.remove', 'connection.edit', undefined],
		['agent.file.published', 'file.delete', 'file.rename', 'agent.runDraft'],
		['agent.named.changed', 'agent.removeName', undefined, undefined],
		['run.finished', 'run.remove', undefined, 'run.runAgain'],
		['log.kept', undefined, undefined, 'run.runAgain'],
		['run.active', undefined, undefined, undefined],
		['connection.built-in', undefined, undefined, undefined],
	] as const) {
		it(`run the menu's command for ${context}, if there is one`, async () => {
			const row = createNode(context);
			const done = [];
			for (const act of [deleteNodes, renameNode, runNodes]) {
				done.push((await actAtKeyboard(row, [], act))[0]?.[0]);
			}
			assert.deepEqual(done, [remove, rename, run]);
		});
	}

	it('apply to the selection only if the row is part of it', () => {
		assert.deepEqual(getTargetNodes(file, [other]), [file]);
		assert.deepEqual(getTargetNodes(file, [other, file]), [other, file]);
		assert.deepEqual(getTargetNodes(file, undefined), [file]);
		assert.deepEqual(getTargetNodes(undefined, undefined), []);
	});

	it('run all selected run files', async () => {
		const executed = await actAtKeyboard(file, [], () => runSelectedRunFiles([file, createNode('conversation'), other]));
		assert.deepEqual(
			executed.map(([id, uri]) => [id, String((uri as vscode.Uri).path)]),
			[
				['workflow.runFile', '/a.run.json'],
				['workflow.runFile', '/b.run.json'],
			],
		);
	});

	describe('on files', () => {
		let folder: string;
		beforeEach(() => {
			folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-files-'));
		});
		afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

		it('delete all selected files, but only after a confirmation', async () => {
			const files = ['a.run.json', 'b.run.json'].map(name => path.join(folder, name));
			for (const each of files) {
				fs.writeFileSync(each, '{}');
			}
			const nodes = files.map(each => createNode('runFile', vscode.Uri.file(each)));
			const unsure = await answerDialogs({}, () => deleteFiles(nodes));
			assert.deepEqual(unsure.warnings, ['Delete 2 files?']);
			assert.equal(fs.readdirSync(folder).length, 2);
			await answerDialogs({ button: 'Move to trash' }, () => deleteFiles(nodes));
			assert.deepEqual(fs.readdirSync(folder), []);
		});

		it('copy dropped agent files without overwriting existing ones', async () => {
			const workspace = path.join(folder, 'work');
			fs.mkdirSync(path.join(workspace, 'agents'), { recursive: true });
			fs.writeFileSync(path.join(workspace, 'agents', 'mine.yml'), 'mine');
			for (const name of ['mine.yml', 'new.yaml', 'note.txt']) {
				fs.writeFileSync(path.join(folder, name), 'other');
			}
			const folders = [{ uri: vscode.Uri.file(workspace), name: 'work', index: 0 }];
			const joinUris = (...names: string[]) => names.map(name => String(vscode.Uri.file(path.join(folder, name)))).join('\r\n');
			await assert.rejects(copyAgentFiles(joinUris('mine.yml', 'new.yaml', 'note.txt'), folders), { reason: 'taken' });
			assert.deepEqual(fs.readdirSync(path.join(workspace, 'agents')).sort(), ['mine.yml', 'new.yaml']);
			assert.equal(fs.readFileSync(path.join(workspace, 'agents', 'mine.yml'), 'utf8'), 'mine');
			await assert.rejects(copyAgentFiles(joinUris('note.txt'), folders), { reason: 'no-agent-file' });
		});
	});
});
