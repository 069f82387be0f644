import type { FindRuns, Runs } from '#runs/runTypes.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { DifyFeature } from '../dify/difyTypes.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import type { AgentFileList } from './lists/agentFileList.ts';
import type { TreeNode } from './nodes/treeNode.ts';

/** Stores that the tree's nodes read their data from. */
export interface TreeStores {
	readonly connections: Connections;
	readonly runs: Runs;
	readonly findRuns: FindRuns;
	readonly runFiles: RunFileIndex;
	readonly dify: DifyFeature;
	/** The agents of the workspace's files, shown until the built-in gateway runs. */
	readonly agentFiles: AgentFileList;
	/** Schedules a refresh of a node. */
	onChange(node: TreeNode): void;
}
