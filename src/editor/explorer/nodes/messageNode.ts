import * as vscode from 'vscode';
import type { Remedy } from '#base/problems.ts';
import type { TreeNode } from './treeNode.ts';

/** A message shown instead of children, with an action that runs on click. */
export class MessageNode implements TreeNode {
	readonly id: string;
	readonly parent: TreeNode;
	readonly #text: string;
	readonly #remedy: Remedy | undefined;
	readonly #tooltip: string;

	/** `tooltip`: a longer explanation than fits into the side bar; defaults to `text`. */
	constructor(parent: TreeNode, text: string, remedy?: Remedy, tooltip = text) {
		this.id = `${parent.id}/message`;
		this.parent = parent;
		this.#text = text;
		this.#remedy = remedy;
		this.#tooltip = tooltip;
	}

	createItem(): vscode.TreeItem {
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
