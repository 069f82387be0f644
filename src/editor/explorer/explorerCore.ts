import type * as vscode from 'vscode';
import type { ExplorerCommand } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { FindRuns, Runs } from '#runs/runTypes.ts';
import { copyAgentFiles } from '../agents/files/createAgent.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { DifyFeature } from '../dify/difyTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import { AgentsTree } from './agentsTree.ts';
import { showSamples } from './commands/openSamples.ts';
import { TreeCommands } from './commands/treeCommands.ts';
import type { ConversationChange } from './conversations/conversationTypes.ts';
import { ServiceDocuments } from './documents/serviceDocuments.ts';
import { ElapsedTime } from './elapsedTime.ts';
import { AgentFileList } from './lists/agentFileList.ts';
import { LogPolling } from './logPolling.ts';
import type { TreeNode } from './nodes/treeNode.ts';

interface ExplorerParts {
	readonly extensionPath: string;
	readonly memory: vscode.Memento;
	/** Returns the absolute paths of the agents folders; none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly connections: Connections;
	readonly runs: Runs;
	readonly findRuns: FindRuns;
	readonly runFiles: RunFileIndex;
	readonly dify: DifyFeature;
	readonly onDidChangeConversation: vscode.Event<ConversationChange>;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

/** Renders the tree and its documents, and runs the tree's commands. In a separate bundle, so that activation doesn't load it. */
export class ExplorerCore extends DisposableBase {
	readonly tree: AgentsTree;
	readonly documents: ServiceDocuments;
	readonly #commands: TreeCommands;
	readonly #registrar: CommandRegistrar;
	readonly #memory: vscode.Memento;

	constructor(
		{
			extensionPath,
			memory,
			agentFolders,
			connections,
			runs,
			findRuns,
			runFiles,
			dify,
			onDidChangeConversation,
			commands,
			log,
		}: ExplorerParts,
		view: vscode.TreeView<TreeNode>,
	) {
		super();
		this.#registrar = commands;
		this.#memory = memory;
		const agentFiles = this.register(new AgentFileList(agentFolders));
		const tree = this.register(
			new AgentsTree({ connections, runs, findRuns, runFiles, dify, agentFiles, onChange: node => this.tree.refreshNodes(node) }, log),
		);
		this.tree = tree;
		this.documents = this.register(new ServiceDocuments(connections));
		this.#commands = new TreeCommands({ extensionPath, memory, connections, runFiles, dify, tree, view, documents: this.documents });
		this.register(new LogPolling(tree, view, runs));
		this.register(new ElapsedTime(view, runs, all => tree.refreshTimes(all)));
		this.register(view.onDidChangeSelection(({ selection }) => tree.onSelection(selection)));
		let known = new Set(connections.list().map(({ id }) => id));
		this.register(
			connections.onDidChange(() => {
				const ids = connections.list().map(({ id }) => id);
				const added = ids.filter(id => !known.has(id));
				known = new Set(ids);
				if (added.length === 1) {
					const reveal = (node: TreeNode) => view.visible && view.reveal(node, { select: true, focus: false });
					runInBackground(tree.loadNewConnection(added[0] ?? '', reveal), log, 'Show new connection');
				}
			}),
		);
		this.register(onDidChangeConversation(({ of, conversation }) => tree.onConversationChange(of, conversation)));
	}

	/** Shows the samples in the window that was opened for them. */
	showSamples(): Promise<void> {
		return showSamples(this.#memory);
	}

	/** Copies agent files that were dropped on the tree to the agent folder. `list` contains one URI per line. */
	async copyDroppedFiles(list: string): Promise<void> {
		try {
			await copyAgentFiles(list);
		} catch (error) {
			void this.#registrar.showError(error, 'Drop files on Agents');
		}
		this.tree.refreshTree();
	}

	executeCommand(id: ExplorerCommand, args: readonly unknown[]): unknown {
		return this.#commands.executeCommand(id, args);
	}
}
