import * as vscode from 'vscode';
import type { TreeStores } from '../treeStores.ts';
import type { AgentTreeNode } from './agentNode.ts';
import { MessageNode } from './messageNode.ts';
import { RunFileNode } from './runFileNode.ts';
import type { TreeNode } from './treeNode.ts';

/** The workspace's run files that run this agent. */
export class InputsNode implements TreeNode {
	readonly id: string;
	readonly parent: AgentTreeNode;
	readonly #stores: TreeStores;

	constructor(parent: AgentTreeNode, stores: TreeStores) {
		this.id = `${parent.id}/inputs`;
		this.parent = parent;
		this.#stores = stores;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Run files'), vscode.TreeItemCollapsibleState.Collapsed);
		item.contextValue = 'inputs';
		item.iconPath = new vscode.ThemeIcon('json');
		return item;
	}

	async getChildren(): Promise<readonly TreeNode[]> {
		const files = await this.#stores.runFiles.getRunFiles(this.parent.summary.name);
		return files.length === 0
			? [
					new MessageNode(this, vscode.l10n.t('No run files yet'), {
						title: vscode.l10n.t('New run file'),
						command: 'agentWorkbench.input.create',
						arguments: [this],
					}),
				]
			: files.map(uri => new RunFileNode(this, uri, this.#stores.runs));
	}
}
