import type { Connections } from '../connections/connectionTypes.ts';
import type { Runs } from '../workflows/runTypes.ts';
import type { AgentLists } from './agentLists.ts';
import type { RunFileIndex } from './runFileIndex.ts';
import type { TreeNode } from './treeNode.ts';

/** What the tree's nodes read from. */
export interface TreeStores {
	readonly connections: Connections;
	readonly runs: Runs;
	readonly agents: AgentLists;
	readonly runFiles: RunFileIndex;
	/** Has a node rendered again, a moment later. */
	changed(node: TreeNode): void;
}
