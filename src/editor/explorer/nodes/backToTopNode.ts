import * as vscode from 'vscode';
import { formatNumber } from '../../platform/format.ts';
import type { PagedNode } from './loadMoreNode.ts';
import type { TreeNode } from './treeNode.ts';

/** Placeholder for rows that were dropped from the top of a long list. A click loads the list from the top. */
export class BackToTopNode implements TreeNode {
	readonly id: string;
	readonly parent: PagedNode;
	readonly #dropped: number;

	constructor(parent: PagedNode, dropped: number) {
		this.id = `${parent.id}/top`;
		this.parent = parent;
		this.#dropped = dropped;
	}

	createTreeItem(): vscode.TreeItem {
		const title = vscode.l10n.t('Back to top');
		const item = new vscode.TreeItem(title);
		item.contextValue = 'backToTop';
		item.iconPath = new vscode.ThemeIcon('arrow-up');
		item.description = vscode.l10n.t({
			message: '{0} earlier',
			args: [formatNumber(this.#dropped)],
			comment: ['{0} is a number of items before the shown ones'],
		});
		item.command = { title, command: 'agentWorkbench.tree.backToTop', arguments: [this.parent] };
		return item;
	}
}
