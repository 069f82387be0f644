import type * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { AgentLists } from './agentLists.ts';
import { AgentsTree } from './agentsTree.ts';
import { ServiceDocuments } from './documents/serviceDocuments.ts';
import { ElapsedTime } from './elapsedTime.ts';
import type { ExplorerParts } from './explorer.ts';
import type { ExplorerCommand } from './explorerCommands.ts';
import { LogPolling } from './logPolling.ts';
import { TreeCommands } from './treeCommands.ts';
import type { TreeNode } from './treeNode.ts';

/** What renders the tree and its documents and carries out its commands. A bundle of its own: activation does without. */
export class ExplorerCore extends DisposableBase {
	readonly tree: AgentsTree;
	readonly documents: ServiceDocuments;
	readonly #commands: TreeCommands;

	constructor({ connections, runs, runFiles, onDidChangeConversation, log }: ExplorerParts, view: vscode.TreeView<TreeNode>) {
		super();
		const agents = this.own(new AgentLists(connections));
		const tree = this.own(new AgentsTree({ connections, runs, agents, runFiles, changed: node => this.tree.refresh(node) }, log));
		this.tree = tree;
		this.documents = this.own(new ServiceDocuments(connections));
		this.#commands = new TreeCommands({ connections, agents, tree, view, documents: this.documents });
		this.own(new LogPolling(tree, view, runs));
		this.own(new ElapsedTime(view, runs, () => tree.tick()));
		this.own(onDidChangeConversation(({ of, conversation }) => tree.conversationChanged(of, conversation)));
	}

	execute(id: ExplorerCommand, args: readonly unknown[]): unknown {
		return this.#commands.execute(id, args);
	}
}
