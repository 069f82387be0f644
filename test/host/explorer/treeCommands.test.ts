import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import { ExplorerCore } from '#editor/explorer/explorerCore.ts';
import type { TreeNode } from '#editor/explorer/nodes/treeNode.ts';
import { RunFileIndex } from '#editor/runs/files/runFileIndex.ts';
import { type Answers, answerDialogs } from '../../support/editor/answers.ts';
import { ConnectionsUnderTest } from '../../support/editor/connectionsUnderTest.ts';
import { getExtensionUnderTest } from '../../support/editor/extensionUnderTest.ts';
import { MemoryState } from '../../support/editor/memoryState.ts';
import { PlayedDeployments } from '../../support/editor/playedDeployments.ts';
import { recordCommands } from '../../support/editor/recordedCommands.ts';
import { PlayedRuns } from '../../support/editor/treeUnderTest.ts';
import { PlayedService } from '../../support/services/playedService.ts';
import { waitUntil } from '../../support/waitUntil.ts';

describe('a tree command', () => {
	const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
	let window: ConnectionsUnderTest;
	let service: PlayedService;
	let runFiles: RunFileIndex;
	let explorer: ExplorerCore;
	let revealed: TreeNode[];

	beforeEach(async () => {
		window = new ConnectionsUnderTest();
		service = new PlayedService();
		await service.start();
		await window.addConnection({ baseUrl: service.url, user: 'ana' }, 'key');
		runFiles = new RunFileIndex();
		revealed = [];
		const view = {
			visible: true,
			onDidChangeVisibility: new vscode.EventEmitter<never>().event,
			onDidChangeSelection: new vscode.EventEmitter<never>().event,
			reveal: async (node: TreeNode) => void revealed.push(node),
		} as unknown as vscode.TreeView<TreeNode>;
		explorer = new ExplorerCore(
			{
				extensionPath: getExtensionUnderTest().extensionPath,
				memory: new MemoryState(),
				agentFolders: () => [],
				connections: window.registry,
				runs: new PlayedRuns(),
				findRuns: async () => new Set(),
				runFiles,
				dify: new PlayedDeployments(),
				onDidChangeConversation: new vscode.EventEmitter<never>().event,
				commands: undefined as never,
				log: window.log.channel,
			},
			view,
		);
	});
	afterEach(async () => {
		explorer.dispose();
		runFiles.dispose();
		await vscode.commands.executeCommand('workbench.action.closeAllEditors');
		await window.dispose();
		await service.stop();
	});

	it('select the row of a connection that was just added', async () => {
		await window.addConnection({ id: 'other', name: 'Other', baseUrl: service.url, user: 'ana' }, 'key');
		await waitUntil('the row is revealed', () => revealed.length > 0);
		assert.deepEqual(
			revealed.map(({ id }) => id),
			['connection/other'],
		);
	});

	/** Returns the nodes under a path of labels. */
	const findNodes = async (...labels: string[]): Promise<TreeNode[]> => {
		let found = await explorer.tree.getChildren();
		for (const label of labels) {
			found = await explorer.tree.getChildren(found.find(node => node.createTreeItem().label === label));
		}
		return found;
	};
	const findNode = async (...labels: string[]): Promise<TreeNode> => {
		const found = (await findNodes(...labels.slice(0, -1))).find(each => each.createTreeItem().label === labels.at(-1));
		assert.ok(found, labels.join(' › '));
		return found;
	};
	const executeCommand = (name: string, argument?: unknown, answers: Answers = {}) =>
		answerDialogs(answers, async () => explorer.executeCommand(`agentWorkbench.${name}` as never, [argument]));

	it('loads more log entries and focuses the first new row, and returns to the top', async () => {
		service.runs = 620;
		const logs = await findNode('Played', 'echo', 'Logs');
		await findNodes('Played', 'echo', 'Logs');
		const more = (await findNodes('Played', 'echo', 'Logs')).at(-1)!.createTreeItem();
		assert.deepEqual(
			[more.contextValue, more.description, more.command?.command],
			['loadMore', '570 more', 'agentWorkbench.tree.loadMore'],
		);
		assert.equal(more.command?.arguments?.[0], logs);
		for (let page = 1; page < 12; page++) {
			await executeCommand('tree.loadMore', logs);
		}
		assert.match(revealed[0]!.id, /log-50$/);
		assert.match(revealed.at(-1)!.id, /log-550$/);
		const top = (await findNodes('Played', 'echo', 'Logs'))[0]!.createTreeItem();
		assert.deepEqual([top.contextValue, top.command?.command], ['backToTop', 'agentWorkbench.tree.backToTop']);
		await executeCommand('tree.backToTop', logs);
		assert.equal((await findNodes('Played', 'echo', 'Logs')).length, 51);
	});

	it('filters a log by status and keyword, and shows all again', async () => {
		const logs = await findNode('Played', 'echo', 'Logs');
		await executeCommand('logs.filter', logs, { picks: ['failed', 'Any time'], texts: [' broke '] });
		await findNodes('Played', 'echo', 'Logs');
		assert.equal(service.requests.at(-1), 'GET /v1/agent/workflows/logs?model=echo&keyword=broke&status=failed&page=1&limit=50');
		assert.deepEqual([logs.createTreeItem().contextValue, logs.createTreeItem().description], ['logs.filtered', "failed · 'broke' · 3"]);
		await executeCommand('logs.filter', logs, { picks: [undefined] });
		await executeCommand('logs.filter', logs, { picks: ['succeeded', 'Any time'], texts: [undefined] });
		assert.equal(logs.createTreeItem().contextValue, 'logs.filtered', 'who backs out keeps the filter');
		await executeCommand('logs.clearFilter', logs);
		await findNodes('Played', 'echo', 'Logs');
		assert.deepEqual([logs.createTreeItem().contextValue, logs.createTreeItem().description], ['logs', '3']);
	});

	it('opens a log entry as a document, and copies its run ID', async () => {
		const [entry] = await findNodes('Played', 'echo', 'Logs');
		const { command, arguments: [named] = [] } = entry?.createTreeItem().command ?? {};
		assert.equal(command, 'agentWorkbench.run.inspect');
		const { connectionId, agentName, runId } = named as Record<string, string>;
		assert.deepEqual([connectionId, agentName, runId], ['played', 'echo', 'run-0']);
		const { tooltip } = explorer.tree.resolveTreeItem(entry!.createTreeItem(), entry!);
		assert.match((tooltip as vscode.MarkdownString).value, /^\*\*succeeded\*\*[\s\S]*Run ID: `run-0`/);
		await executeCommand('log.open', entry);
		assert.equal(vscode.window.activeTextEditor?.document.uri.scheme, 'agent-workbench');
		assert.equal(vscode.window.activeTextEditor.document.languageId, 'json');
		await executeCommand('log.copyRunId', entry);
		assert.equal(await vscode.env.clipboard.readText(), 'run-0');
	});

	it('opens a conversation, and reopens a document by its URI', async () => {
		const [talk] = await findNodes('Played', 'echo', 'Conversations');
		await executeCommand('conversation.open', talk);
		assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /c1/);
		await executeCommand('document.open', { kind: 'run', connectionId: 'played', agent: 'echo', id: 'run-7', full: false });
		assert.match(vscode.window.activeTextEditor?.document.uri.path ?? '', /run-7/);
	});

	it('sorts conversations', async () => {
		const conversations = await findNode('Played', 'echo', 'Conversations');
		await executeCommand('conversations.sort', conversations, { picks: ['newest first'] });
		await findNodes('Played', 'echo', 'Conversations');
		assert.ok(service.requests.some(request => request.endsWith('sort_by=-created_at')));
		assert.equal(conversations.createTreeItem().description, 'newest first · 1');
		const sent = service.requests.length;
		await executeCommand('conversations.sort', conversations, { picks: [undefined] });
		await executeCommand('conversations.sort', conversations, { picks: ['newest first'] });
		await findNodes('Played', 'echo', 'Conversations');
		assert.equal(service.requests.length, sent, 'the same order is not asked for again');
	});

	it('reloads one list, or everything of a connection', async () => {
		const logs = await findNode('Played', 'echo', 'Logs');
		await findNodes('Played', 'echo', 'Logs');
		const countRequests = (what: string) => service.requests.filter(request => request.includes(what)).length;
		const [agents, pages] = [countRequests('/agents'), countRequests('/logs')];
		await executeCommand('tree.refresh', logs);
		await findNodes('Played', 'echo', 'Logs');
		assert.deepEqual([countRequests('/agents'), countRequests('/logs')], [agents, pages + 1]);
		await executeCommand('tree.refresh', await findNode('Played'));
		await findNodes('Played', 'echo', 'Logs');
		assert.deepEqual([countRequests('/agents'), countRequests('/logs')], [agents + 1, pages + 2]);
		await executeCommand('tree.refresh');
		await findNodes('Played', 'echo', 'Logs');
		assert.deepEqual([countRequests('/agents'), countRequests('/logs')], [agents + 2, pages + 3]);
	});

	it("opens an agent's file, and passes file rows to the commands for files", async () => {
		const agent = await findNode('Built-in gateway', 'summarize');
		await executeCommand('agent.openFile', agent);
		const file = path.join(workspace, 'agents', 'summarize.yml');
		assert.equal(vscode.window.activeTextEditor?.document.uri.fsPath, file);
		const [inputs, runFile] = [
			await findNode('Built-in gateway', 'summarize', 'Run files'),
			await findNode('Built-in gateway', 'summarize', 'Run files', 'annual-report.run.json'),
		];
		const executed = await recordCommands(async () => {
			await executeCommand('agent.runDraft', agent);
			await executeCommand('agent.publish', agent);
			await executeCommand('input.create', agent);
			await executeCommand('input.create', inputs);
			await executeCommand('input.run', runFile);
			await executeCommand('walkthrough.open');
		});
		const getNodeName = (of: unknown) => (of instanceof vscode.Uri ? path.basename(of.fsPath) : ((of as { name?: string }).name ?? of));
		assert.deepEqual(
			executed.map(([id, argument]) => [id, getNodeName(argument)]),
			[
				['agentWorkbench.agentFile.runDraft', 'summarize.yml'],
				['agentWorkbench.agentFile.publish', 'summarize.yml'],
				['agentWorkbench.runFile.create', 'summarize'],
				['agentWorkbench.runFile.create', 'summarize'],
				['agentWorkbench.workflow.runFile', 'annual-report.run.json'],
				['workbench.action.openWalkthrough', 'agent-workbench.agent-workbench#getStarted'],
			],
		);
	});

	it('renames an agent and updates the run files that name it', async () => {
		const getRunFile = (name: string) => path.join(workspace, 'agents', `${name}.yml`);
		const runFile = path.join(workspace, 'runs', 'of-it.run.json');
		try {
			await executeCommand('agent.create', undefined, { picks: ['Greeting'], texts: ['before'] });
			fs.writeFileSync(runFile, '{ "model": "before", "inputs": {} }');
			await executeCommand('tree.refresh');
			const agent = await findNode('Built-in gateway', 'before');
			await executeCommand('file.rename', agent, { texts: ['summarize'] });
			assert.ok(fs.existsSync(getRunFile('before')), 'a name that is taken is refused');
			await executeCommand('file.rename', agent, { texts: ['after'] });
			assert.deepEqual([fs.existsSync(getRunFile('before')), fs.existsSync(getRunFile('after'))], [false, true]);
			assert.equal(fs.readFileSync(runFile, 'utf8'), '{ "model": "after", "inputs": {} }');
		} finally {
			for (const each of [getRunFile('before'), getRunFile('after'), runFile]) {
				fs.rmSync(each, { force: true });
			}
		}
	});

	it('creates an agent, and unpublishes a published one', async () => {
		const file = path.join(workspace, 'agents', 'fresh.yml');
		try {
			await executeCommand('agent.create', undefined, { picks: ['Greeting'], texts: ['fresh'] });
			assert.ok(fs.existsSync(file));
			const readAgentState = async () => {
				await executeCommand('tree.refresh');
				return (await findNode('Built-in gateway', 'fresh')).createTreeItem().contextValue;
			};
			const client = await window.registry.getClient('built-in');
			await client.publishAgent('fresh');
			assert.equal(await readAgentState(), 'agent.file.published');
			await executeCommand('agent.unpublish', await findNode('Built-in gateway', 'fresh'));
			assert.equal(await readAgentState(), 'agent.file.published', 'not before the user has said so');
			await executeCommand('agent.unpublish', await findNode('Built-in gateway', 'fresh'), { button: 'Unpublish' });
			assert.equal(await readAgentState(), 'agent.file.changed');
		} finally {
			fs.rmSync(file, { force: true });
		}
	});

	it("fails with the service's message and a remedy if the service refuses", async () => {
		const agent = await findNode('Played', 'echo');
		service.fault = { status: 403, code: 'forbidden' };
		await assert.rejects(executeCommand('agent.unpublish', agent, { button: 'Unpublish' }), {
			reason: 'auth',
			message: /^'Played' doesn't allow this/,
			remedy: { title: 'Replace key', command: 'agentWorkbench.connection.setKey', arguments: ['played'] },
		});
	});
});
