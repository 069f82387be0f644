import { BackToTopNode } from '../nodes/backToTopNode.ts';
import { LoadMoreNode, type PagedNode } from '../nodes/loadMoreNode.ts';
import { ProblemNode } from '../nodes/problemNode.ts';
import type { TreeNode } from '../nodes/treeNode.ts';
import type { PagedRows } from './pagedRows.ts';

/** Creates the children of a node whose rows are loaded in pages. If there is an error, it is shown after the loaded rows. */
export function createPagedChildren<T extends { readonly id: string }>(
	parent: PagedNode,
	rows: PagedRows<T>,
	toNode: (row: T) => TreeNode,
	empty: TreeNode,
): TreeNode[] {
	const nodes: TreeNode[] = rows.rows.map(toNode);
	if (rows.dropped > 0) {
		nodes.unshift(new BackToTopNode(parent, rows.dropped));
	}
	if (rows.error !== undefined) {
		return [...nodes, new ProblemNode(parent, rows.error, 'agentWorkbench.tree.loadMore')];
	}
	if (rows.hasMore) {
		const left = rows.total === undefined ? undefined : rows.total - rows.dropped - rows.rows.length;
		return [...nodes, new LoadMoreNode(parent, left !== undefined && left > 0 ? left : undefined)];
	}
	return nodes.length > 0 ? nodes : [empty];
}
