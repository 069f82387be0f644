import * as vscode from 'vscode';
import { explorerCommands } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { DifyFeature } from '../dify/difyTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { newSamplesKey } from '../platform/names.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import type { RunsFeature } from '../runs/register.ts';
import { ConversationCommands } from './conversations/conversationCommands.ts';
import { documentScheme } from './documents/documentUri.ts';
import type { TreeNode } from './nodes/treeNode.ts';
import { RunBadge } from './runBadge.ts';

interface ExplorerFeatureParts extends FeatureParts {
	readonly connections: Connections;
	readonly agentFolders: () => readonly string[];
	readonly runs: RunsFeature;
	readonly runFiles: RunFileIndex;
	readonly dify: DifyFeature;
}

/** Registers the *Agents* view, its badge, its commands, and the documents that it opens. `ExplorerCore` is loaded on first use. */
export function registerExplorer({
	context,
	connections,
	agentFolders,
	runs,
	runFiles,
	dify,
	commands,
	log,
	own,
}: ExplorerFeatureParts): void {
	const treeChanged = own(new vscode.EventEmitter<TreeNode[] | undefined>());
	const documentChanged = own(new vscode.EventEmitter<vscode.Uri>());
	const lensesChanged = own(new vscode.EventEmitter<void>());
	const conversations = own(new ConversationCommands(connections, commands));
	const load = createLazyLoader(async () => {
		const loaded = await import('./explorerCore.ts');
		const core = own(
			new loaded.ExplorerCore(
				{
					extensionPath: context.extensionPath,
					memory: context.globalState,
					agentFolders,
					connections,
					runs: runs.records,
					findRuns: async (...asked) => (await runs.load()).reader.findRunsWithText(...asked),
					runFiles,
					dify,
					onDidChangeConversation: conversations.onDidChange,
					commands,
					log,
				},
				view,
			),
		);
		own(core.tree.onDidChangeTreeData(nodes => treeChanged.fire(nodes)));
		own(core.documents.onDidChange(uri => documentChanged.fire(uri)));
		own(core.documents.onDidChangeCodeLenses(() => lensesChanged.fire()));
		return core;
	});
	const files = 'text/uri-list';
	const view: vscode.TreeView<TreeNode> = own(
		vscode.window.createTreeView('agentWorkbench.agents', {
			// the view asks for the roots first, so there are no nodes before the core is loaded
			treeDataProvider: {
				onDidChangeTreeData: treeChanged.event,
				getChildren: async node => (await load()).tree.getChildren(node),
				getTreeItem: async node => (await load()).tree.getTreeItem(node),
				getParent: node => node.parent,
				resolveTreeItem: (item, node) => load.loaded?.tree.resolveTreeItemWithImage(item, node) ?? item,
			},
			showCollapseAll: true,
			canSelectMany: true,
			// files of nodes can be dragged to any target that accepts files, and agent files can be dropped here
			dragAndDropController: {
				dragMimeTypes: [files],
				dropMimeTypes: [files],
				handleDrag: (nodes, data) => {
					const uris = nodes.flatMap(node => ('uri' in node && node.uri ? [String(node.uri)] : []));
					if (uris.length > 0) {
						data.set(files, new vscode.DataTransferItem(uris.join('\r\n')));
					}
				},
				handleDrop: async (_target, data) => (await load()).copyDroppedFiles((await data.get(files)?.asString()) ?? ''),
			},
		}),
	);
	own(new RunBadge(view, runs.records));
	const newSamples = context.globalState.get(newSamplesKey);
	if (newSamples !== undefined && newSamples === vscode.workspace.workspaceFolders?.[0]?.uri.toString()) {
		runInBackground(
			load().then(core => core.showSamples()),
			log,
			'Show samples',
		);
	}
	for (const id of explorerCommands) {
		own(commands.register(id, async (...args: unknown[]) => (await load()).executeCommand(id, args)));
	}
	own(
		vscode.workspace.registerTextDocumentContentProvider(documentScheme, {
			onDidChange: documentChanged.event,
			provideTextDocumentContent: async uri => (await load()).documents.provideTextDocumentContent(uri),
		}),
	);
	own(
		vscode.languages.registerCodeLensProvider(
			{ scheme: documentScheme },
			{
				onDidChangeCodeLenses: lensesChanged.event,
				provideCodeLenses: async document => (await load()).documents.provideCodeLenses(document),
			},
		),
	);
}
