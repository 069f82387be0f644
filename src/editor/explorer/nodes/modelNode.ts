import * as vscode from 'vscode';
import type { TreeNode } from './treeNode.ts';

/** A model of a service. Only its name is known. */
export class ModelNode implements TreeNode {
	readonly id: string;
	readonly parent: TreeNode;
	readonly #name: string;

	constructor(parent: TreeNode, name: string) {
		this.id = `${parent.id}/model/${name}`;
		this.parent = parent;
		this.#name = name;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(this.#name);
		item.contextValue = 'model';
		item.iconPath = new vscode.ThemeIcon('symbol-misc');
		item.tooltip = this.#name;
		return item;
	}
}
