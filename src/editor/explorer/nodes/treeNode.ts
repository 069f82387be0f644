import type { MarkdownString, TreeItem } from 'vscode';

/**
 * Node of the *Agents* tree. The object exists as long as its row, so that a single row can be refreshed. Its content is read from the
 * stores on each rendering.
 */
export interface TreeNode {
	/** Doesn't change on refresh or reload, so that expansion and selection are kept. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	/** Creates the item from the data that is currently available. The tree sets its `id`. */
	createTreeItem(): TreeItem;
	/** Absent for leaves. If this rejects or throws, the tree shows a node that offers a remedy. */
	getChildren?(): Promise<readonly TreeNode[]> | readonly TreeNode[];
	/** Called when the pointer hovers over the node. */
	createTooltip?(): MarkdownString | undefined;
	/** Loads Markdown with an image, which is appended to the tooltip. */
	loadTooltipImage?(): Promise<string | undefined>;
}
