import * as vscode from 'vscode';
import { getErrorMessage, getRemedy, getShortErrorMessage } from '#base/problems.ts';
import type { TreeNode } from './treeNode.ts';

/** An error that occurred while loading the children of a node. A click executes its remedy or tries again. */
export class ProblemNode implements TreeNode {
	readonly id: string;
	readonly parent: TreeNode;
	readonly #error: unknown;
	readonly #retry: string;

	/** `retry` is the ID of the command that tries again. The command is called with the parent. */
	constructor(parent: TreeNode, error: unknown, retry = 'agentWorkbench.tree.refresh') {
		this.id = `${parent.id}/problem`;
		this.parent = parent;
		this.#error = error;
		this.#retry = retry;
	}

	createTreeItem(): vscode.TreeItem {
		const message = getErrorMessage(this.#error);
		const remedy = getRemedy(this.#error);
		const item = new vscode.TreeItem(getShortErrorMessage(this.#error));
		item.contextValue = 'problem';
		item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('problemsErrorIcon.foreground'));
		item.description = remedy?.title ?? vscode.l10n.t('Try again');
		item.tooltip = message;
		item.command = remedy
			? { ...remedy, arguments: [...(remedy.arguments ?? [])] }
			: { title: vscode.l10n.t('Try again'), command: this.#retry, arguments: [this.parent] };
		return item;
	}
}
