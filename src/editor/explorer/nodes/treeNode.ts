import type { MarkdownString, TreeItem } from 'vscode';

/**
 * Node of the tree *Agents*. The object lives as long as its row, so that a single row can be refreshed; its content is read from the
 * stores on each rendering.
 */
export interface TreeNode {
	/** Stable across refreshes and reloads, so that expansion and selection survive both. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	/** Creates the item from the data that is available now; the tree sets its `id`. */
	createItem(): TreeItem;
	/** Absent for leaves. An error becomes a node that offers a remedy. */
	getChildren?(): Promise<readonly TreeNode[]> | readonly TreeNode[];
	/** Called when the pointer rests on the node. */
	createTooltip?(): MarkdownString | undefined;
	/** Loads Markdown with an image to append to the tooltip. */
	loadTooltipImage?(): Promise<string | undefined>;
}
