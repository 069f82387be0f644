import type { FindRuns, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { DifyFeature } from '../dify/difyTypes.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import type { TreeNode } from './nodes/treeNode.ts';

/** What the tree's nodes read from. */
export interface TreeStores {
	readonly connections: Connections;
	readonly runs: Runs;
	readonly findRuns: FindRuns;
	readonly runFiles: RunFileIndex;
	/** Deployments of Dify and their apps. */
	readonly dify: DifyFeature;
	/** Has a node rendered again, a moment later. */
	changed(node: TreeNode): void;
}
