import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import type { TreeNode } from './treeNode.ts';

/** A suggested first step for a workspace without agents. */
class StarterNode implements TreeNode {
	readonly id: string;
	readonly parent: TreeNode | undefined;
	readonly #label: string;
	readonly #icon: string;
	readonly #command: CommandId;

	constructor(parent: TreeNode | undefined, label: string, icon: string, command: CommandId) {
		this.id = `${parent?.id ?? ''}/begin/${command}`;
		this.parent = parent;
		this.#label = label;
		this.#icon = icon;
		this.#command = command;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(this.#label);
		item.contextValue = 'begin';
		item.iconPath = new vscode.ThemeIcon(this.#icon);
		item.command = { title: this.#label, command: this.#command };
		return item;
	}
}

/** Creates nodes that suggest first steps in a workspace without agents. */
export function createStarterNodes(parent?: TreeNode): readonly TreeNode[] {
	return [
		new StarterNode(parent, vscode.l10n.t('New agent…'), 'new-file', 'agentWorkbench.agent.create'),
		new StarterNode(parent, vscode.l10n.t('Open sample workspace…'), 'library', 'agentWorkbench.samples.open'),
	];
}
