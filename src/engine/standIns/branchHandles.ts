import { getOutputHandles } from '#agentFile/agentGraph.ts';
import { timeoutHandle } from '#agentFile/nodeKinds/nodeKind.ts';
import { findNodeKind } from '#agentFile/nodeKinds/nodeKinds.ts';
import type { AgentNode } from '../agentFile/agentTypes.ts';
import { isObjectValue } from '../variables/objectValue.ts';

type BranchingNode = Pick<AgentNode, 'type' | 'settings' | 'failure'>;

/** Returns the output handles of a node, as edges name them. */
export function listBranchHandles(node: BranchingNode): readonly string[] {
	const failed = node.failure.strategy === 'fail-branch' ? ['fail-branch'] : [];
	return [...getOutputHandles({ type: node.type, data: getBranchData(node) }), ...failed];
}

/**
 * Returns the name of the output that identifies the chosen handle of a branching node, for messages; undefined if the type doesn't
 * branch.
 */
export function getBranchOutput(type: string): string | undefined {
	return findNodeKind(type)?.branches?.output;
}

/** Returns the handle that a branching node chose according to its outputs; undefined if the outputs don't determine it. */
export function findBranchHandle(node: BranchingNode, values: Readonly<Record<string, unknown>>): string | undefined {
	const branches = findNodeKind(node.type)?.branches;
	if (!branches) {
		return undefined;
	}
	const ways = listBranchHandles(node);
	const named = values[branches.output];
	if (named === undefined || named === null) {
		return branches.guessHandle?.(values, ways, getBranchData(node));
	}
	return branches.byPerson && named === '' ? timeoutHandle : ways.find(way => way === String(named));
}

/** Returns settings in the format of `data`, because the schema of a type may reduce them to the list of branches. */
function getBranchData({ type, settings }: BranchingNode): Readonly<Record<string, unknown>> {
	const list = findNodeKind(type)?.branches?.list;
	return Array.isArray(settings) && list !== undefined ? { [list]: settings } : isObjectValue(settings) ? settings : {};
}
