import * as vscode from 'vscode';
import type { Remedy } from '#base/problems.ts';
import type { TreeNode } from './treeNode.ts';

/** A message that is shown instead of children. A click executes its action, if there is one. */
export class MessageNode implements TreeNode {
	readonly id: string;
	readonly parent: TreeNode;
	readonly #text: string;
	readonly #remedy: Remedy | undefined;
	readonly #tooltip: string;

	/** `tooltip` is an explanation that is too long for the side bar. Default: `text`. */
	constructor(parent: TreeNode, text: string, remedy?: Remedy, tooltip = text) {
		this.id = `${parent.id}/message`;
		this.parent = parent;
		this.#text = text;
		this.#remedy = remedy;
		this.#tooltip = tooltip;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(this.#text);
		item.contextValue = 'message';
		item.iconPath = new vscode.ThemeIcon('info');
		item.tooltip = this.#tooltip;
		if (this.#remedy) {
			item.description = this.#remedy.title;
			item.command = { ...this.#remedy, arguments: [...(this.#remedy.arguments ?? [])] };
		}
		return item;
	}
}
