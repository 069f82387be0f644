import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { RunFileNode } from '#editor/explorer/nodes/runFileNode.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { TreeUnderTest } from '../../support/editor/treeUnderTest.ts';

describe('the tree of the built-in gateway', () => {
	const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
	let window: ConnectionsUnderTest;
	let tree: TreeUnderTest;

	describe("in a window that hasn't used it yet", () => {
		beforeEach(() => {
			window = new ConnectionsUnderTest();
			tree = new TreeUnderTest(window);
		});
		afterEach(async () => {
			tree.dispose();
			await window.dispose();
		});

		it('starts nothing until it is expanded', async () => {
			const readGateway = async () => (await tree.readRows()).find(({ context }) => context === 'connection.built-in');
			const root = await readGateway();
			assert.deepEqual([root?.label, root?.description], ['Built-in gateway', 'starts on first use']);
			assert.equal(window.registry.state('built-in').kind, 'idle');
			assert.ok((await tree.readRows('Built-in gateway')).some(({ label }) => label === 'summarize'));
			assert.match((await readGateway())?.description ?? '', /^\d+ agents? · running$/);
		});

		it('shows created and deleted agent files, and refreshes only that connection', async () => {
			await tree.readRows('Built-in gateway');
			await tree.waitForRefresh();
			const file = path.join(workspace, 'agents', 'second.yml');
			const came = tree.waitForRefresh();
			fs.copyFileSync(path.join(workspace, 'agents', 'summarize.yml'), file);
			assert.deepEqual(await came, ['connection/built-in']);
			assert.ok((await tree.readRows('Built-in gateway')).some(({ label }) => label === 'second'));
			const gone = new Promise<void>(resolve => {
				const listener = tree.tree.onDidChangeTreeData(async () => {
					if (!(await tree.readRows('Built-in gateway')).some(({ label }) => label === 'second')) {
						listener.dispose();
						resolve();
					}
				});
			});
			fs.rmSync(file);
			await gone;
		});

		it("shows the problem of an agent file that can't be loaded", async () => {
			const file = path.join(workspace, 'agents', 'broken.yml');
			fs.writeFileSync(file, 'app: [no agent');
			try {
				const row = await tree.findRow('Built-in gateway', 'broken');
				assert.notEqual(row.description, '');
				assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'warning');
			} finally {
				fs.rmSync(file);
			}
		});
	});

	describe('in a window that has used it', () => {
		before(() => {
			window = new ConnectionsUnderTest();
		});
		beforeEach(() => {
			tree = new TreeUnderTest(window);
		});
		afterEach(() => tree.dispose());
		after(() => window.dispose());

		it('shows the contents of an agent, and run files by the agent they name', async () => {
			const rows = await tree.readRows('Built-in gateway', 'summarize');
			assert.deepEqual(
				rows.map(({ label }) => label),
				['Run files', 'Runs', 'Logs'],
			);
			const inputs = await tree.readRows('Built-in gateway', 'summarize', 'Run files');
			assert.deepEqual(
				inputs.map(({ label, description, context }) => [label, description, context]),
				[
					['annual-report.run.json', '', 'runFile'],
					['release-notes.run.json', '', 'runFile'],
				],
			);
			assert.equal((inputs[0]!.node as RunFileNode).uri.fsPath, path.join(workspace, 'runs', 'annual-report.run.json'));
		});

		it('has the same, unique IDs after a refresh', async () => {
			const listTreeIds = async () => {
				const rows = await Promise.all([
					tree.readRows(),
					tree.readRows('Built-in gateway'),
					tree.readRows('Built-in gateway', 'summarize'),
					tree.readRows('Built-in gateway', 'summarize', 'Run files'),
				]);
				return rows.flat().map(({ item }) => item.id);
			};
			const before = await listTreeIds();
			window.registry.reloadLists('built-in');
			assert.deepEqual(await listTreeIds(), before);
			assert.equal(new Set(before).size, before.length);
		});

		it('shows active runs first, and refreshes only what changed', async () => {
			await tree.readRows('Built-in gateway', 'summarize', 'Runs');
			tree.runs.set({ key: 'old', status: 'failed', error: 'code: “main” returned a string', startedAt: Date.now() - 300_000 });
			tree.runs.set({ key: 'live', file: 'file:///w/runs/annual-report.run.json', node: { title: 'translate', index: 3 } });
			tree.runs.set({ key: 'new', status: 'succeeded', elapsedSeconds: 0.4, totalTokens: 0 });
			const rows = await tree.readRows('Built-in gateway', 'summarize', 'Runs');
			assert.deepEqual(
				rows.map(({ label, description, context }) => [label, description.replace(/^\d+ ms/, 'N ms'), context]),
				[
					['annual-report', 'N ms · node 3 · translate', 'run.active'],
					['summarize', 'just now · 0.4 s', 'run.finished'],
					['summarize', '5 min ago · code: “main” returned a string', 'run.finished'],
				],
			);
			const agent = (await tree.findRow('Built-in gateway', 'summarize')).node;
			/** Returns the IDs refreshed by a change, after all of its refreshes. */
			const recordRefreshes = async (change: () => void) => {
				await Promise.all([agent, ...rows.map(({ node }) => node), agent.parent!].map(node => tree.tree.waitForRefresh(node)));
				const before = tree.refreshed.length;
				change();
				await Promise.all([agent, ...rows.map(({ node }) => node)].map(node => tree.tree.waitForRefresh(node)));
				return tree.refreshed.slice(before).filter(id => id?.includes('/agent/'));
			};
			const progress = await recordRefreshes(() => tree.runs.set({ key: 'live', node: { title: 'write', index: 4 } }));
			assert.deepEqual(progress, ['connection/built-in/agent/summarize/runs/live']);
			const end = await recordRefreshes(() => tree.runs.set({ key: 'live', status: 'succeeded', elapsedSeconds: 1 }));
			assert.deepEqual(end, ['connection/built-in/agent/summarize']);
			assert.equal((await tree.findRow('Built-in gateway', 'summarize')).description, '');
		});

		it('shows how the last run of a file ended', async () => {
			const file = vscode.Uri.file(path.join(workspace, 'runs', 'annual-report.run.json')).toString();
			tree.runs.set({ key: 'a', file, status: 'succeeded', elapsedSeconds: 2, startedAt: Date.now() - 3_700_000 });
			const row = await tree.findRow('Built-in gateway', 'summarize', 'Run files', 'annual-report.run.json');
			assert.equal(row.description, '1 h ago · 2.0 s');
			assert.equal((row.item.iconPath as vscode.ThemeIcon).id, 'pass');
		});

		it('has tooltips in which no text of a service is parsed as Markdown', async () => {
			tree.runs.set({ key: 'a', status: 'failed', error: '[click](command:evil) ![x](http://evil)' });
			const row = await tree.findRow('Built-in gateway', 'summarize', 'Runs', 'summarize');
			const { tooltip } = tree.tree.resolveTreeItem(row.item, row.node);
			assert.ok(tooltip instanceof vscode.MarkdownString);
			assert.match(tooltip.value, /\\\[click\\\]\\\(command:evil\\\)/);
			assert.ok(!tooltip.isTrusted);
		});
	});
});
