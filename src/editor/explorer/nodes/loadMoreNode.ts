import * as vscode from 'vscode';
import { formatNumber } from '../../platform/format.ts';
import type { PagedRows } from '../lists/pagedRows.ts';
import type { TreeNode } from './treeNode.ts';

/** What a list of pages hangs from. */
export interface PagedNode extends TreeNode {
	/** The rows, of whatever kind. */
	readonly rows: Pick<PagedRows<{ readonly id: string }>, 'loadMore' | 'reset'>;
	/** The node of a row that is shown. */
	findRow(id: string): TreeNode | undefined;
}

/** Loads the next page of a list, or tries again where that failed. */
export class LoadMoreNode implements TreeNode {
	readonly id: string;
	readonly parent: PagedNode;
	readonly #left: number | undefined;

	/** `left`: rows that are still to come, where the service counts them. */
	constructor(parent: PagedNode, left: number | undefined) {
		this.id = `${parent.id}/more`;
		this.parent = parent;
		this.#left = left;
	}

	createItem(): vscode.TreeItem {
		const title = vscode.l10n.t('Load more…');
		const item = new vscode.TreeItem(title);
		item.contextValue = 'loadMore';
		item.iconPath = new vscode.ThemeIcon('ellipsis');
		item.description = this.#left === undefined ? '' : vscode.l10n.t('{0} more', formatNumber(this.#left));
		item.command = { title, command: 'agentWorkbench.tree.loadMore', arguments: [this.parent] };
		return item;
	}
}
