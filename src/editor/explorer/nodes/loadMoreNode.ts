import * as vscode from 'vscode';
import { formatNumber } from '../../platform/format.ts';
import type { PagedRows } from '../lists/pagedRows.ts';
import type { TreeNode } from './treeNode.ts';

/** A node whose children are loaded in pages. */
export interface PagedNode extends TreeNode {
	readonly rows: Pick<PagedRows<{ readonly id: string }>, 'loadNextPage' | 'dropRows'>;
	/** Returns the node of a loaded row. */
	findRow(id: string): TreeNode | undefined;
}

/** Loads the next page of a list. */
export class LoadMoreNode implements TreeNode {
	readonly id: string;
	readonly parent: PagedNode;
	readonly #left: number | undefined;

	/** `left` is the number of rows that aren't loaded, if the service counts them. */
	constructor(parent: PagedNode, left: number | undefined) {
		this.id = `${parent.id}/more`;
		this.parent = parent;
		this.#left = left;
	}

	createTreeItem(): vscode.TreeItem {
		const title = vscode.l10n.t('Load more');
		const item = new vscode.TreeItem(title);
		item.contextValue = 'loadMore';
		item.iconPath = new vscode.ThemeIcon('ellipsis');
		item.description =
			this.#left === undefined
				? ''
				: vscode.l10n.t({ message: '{0} more', args: [formatNumber(this.#left)], comment: ['{0} is a number of items'] });
		item.command = { title, command: 'agentWorkbench.tree.loadMore', arguments: [this.parent] };
		return item;
	}
}
