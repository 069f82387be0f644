import * as vscode from 'vscode';
import { explorerCommands } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { loadedOnce } from '#base/timing/loadedOnce.ts';
import type { FindRuns, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { DifyRoom } from '../dify/difyTypes.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import type { ConversationChange } from './conversations/conversationTypes.ts';
import { documentScheme } from './documents/documentUri.ts';
import type { ExplorerCore } from './explorerCore.ts';
import type { TreeNode } from './nodes/treeNode.ts';
import { RunBadge } from './runBadge.ts';

/** What the view *Agents* needs. */
export interface ExplorerParts {
	readonly extensionPath: string;
	readonly connections: Connections;
	readonly runs: Runs;
	readonly findRuns: FindRuns;
	readonly runFiles: RunFileIndex;
	readonly dify: DifyRoom;
	readonly onDidChangeConversation: vscode.Event<ConversationChange>;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

/**
 * The view *Agents*, its badge, its commands, and the documents that open from it: all registered at once; what renders and acts is
 * loaded on first use ({@link ExplorerCore}).
 */
export class Explorer extends DisposableBase {
	readonly #parts: ExplorerParts;
	readonly #treeChanged = this.own(new vscode.EventEmitter<TreeNode[] | undefined>());
	readonly #documentChanged = this.own(new vscode.EventEmitter<vscode.Uri>());
	readonly #lensesChanged = this.own(new vscode.EventEmitter<void>());
	readonly #view: vscode.TreeView<TreeNode>;
	readonly #load = loadedOnce(() => this.#loadCore());
	#core: ExplorerCore | undefined;

	constructor(parts: ExplorerParts) {
		super();
		this.#parts = parts;
		this.#view = this.own(
			vscode.window.createTreeView('agentWorkbench.agents', {
				treeDataProvider: this.#provider(),
				showCollapseAll: true,
				canSelectMany: true,
				dragAndDropController: this.#dragAndDrop(),
			}),
		);
		this.own(new RunBadge(this.#view, parts.runs));
		for (const id of explorerCommands) {
			this.own(parts.commands.register(id, async (...args: unknown[]) => (await this.#load()).execute(id, args)));
		}
		this.#registerDocuments();
	}

	/** The view asks for the roots first: a node is there only once the core is. */
	#provider(): vscode.TreeDataProvider<TreeNode> {
		return {
			onDidChangeTreeData: this.#treeChanged.event,
			getChildren: async node => (await this.#load()).tree.getChildren(node),
			getTreeItem: async node => (await this.#load()).tree.getTreeItem(node),
			getParent: node => node.parent,
			resolveTreeItem: (item, node) => this.#core?.tree.resolveWithImage(item, node) ?? item,
		};
	}

	/** Files of nodes go wherever files go; agent files come in. */
	#dragAndDrop(): vscode.TreeDragAndDropController<TreeNode> {
		const files = 'text/uri-list';
		return {
			dragMimeTypes: [files],
			dropMimeTypes: [files],
			handleDrag: (nodes, data) => {
				const uris = nodes.flatMap(node => ('uri' in node && node.uri ? [String(node.uri)] : []));
				if (uris.length > 0) {
					data.set(files, new vscode.DataTransferItem(uris.join('\r\n')));
				}
			},
			handleDrop: async (_target, data) => (await this.#load()).drop((await data.get(files)?.asString()) ?? ''),
		};
	}

	#registerDocuments(): void {
		const { workspace, languages } = vscode;
		this.own(
			workspace.registerTextDocumentContentProvider(documentScheme, {
				onDidChange: this.#documentChanged.event,
				provideTextDocumentContent: async uri => (await this.#load()).documents.provideTextDocumentContent(uri),
			}),
		);
		this.own(
			languages.registerCodeLensProvider(
				{ scheme: documentScheme },
				{
					onDidChangeCodeLenses: this.#lensesChanged.event,
					provideCodeLenses: async document => (await this.#load()).documents.provideCodeLenses(document),
				},
			),
		);
	}

	async #loadCore(): Promise<ExplorerCore> {
		const loaded = await import('./explorerCore.ts');
		const core = this.own(new loaded.ExplorerCore(this.#parts, this.#view));
		this.own(core.tree.onDidChangeTreeData(nodes => this.#treeChanged.fire(nodes)));
		this.own(core.documents.onDidChange(uri => this.#documentChanged.fire(uri)));
		this.own(core.documents.onDidChangeCodeLenses(() => this.#lensesChanged.fire()));
		this.#core = core;
		return core;
	}
}
