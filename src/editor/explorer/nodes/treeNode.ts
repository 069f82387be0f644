import type { MarkdownString, TreeItem } from 'vscode';

/**
 * Node of the tree *Agents*. An object stays the same as long as its node does, so that one node can be refreshed; what it shows is
 * read from the stores each time it is rendered.
 */
export interface TreeNode {
	/** Stable over refreshes and reloads, so that expansion and selection survive both. */
	readonly id: string;
	readonly parent: TreeNode | undefined;
	/** A new item each time; `id` is filled in by the tree. Must not wait: what is not known yet is not shown yet. */
	createItem(): TreeItem;
	/** Absent: a leaf. What is thrown becomes a node that says what to do. */
	getChildren?(): Promise<readonly TreeNode[]> | readonly TreeNode[];
	/** Made when the pointer rests on the node. */
	createTooltip?(): MarkdownString | undefined;
	/** What comes to the tooltip and takes a moment, as Markdown. */
	loadTooltipImage?(): Promise<string | undefined>;
}
