import { type AgentGraph, findReachableNodes, isStart } from '../agentGraph.ts';
import { findNodeReferrers, type Referrer } from '../edits/referrers.ts';
import type { NodeKind } from '../nodeKinds/nodeKind.ts';
import { findNodeKind } from '../nodeKinds/nodeKinds.ts';

/** Returns the agent inputs without which a reachable node fails, and maps each to the title of the first such node. */
export function findRequiredInputs(graph: AgentGraph): ReadonlyMap<string, string> {
	const reached = findReachableNodes(graph);
	const nodes = graph.nodes.filter(node => reached.has(node.id) && findNodeKind(node.type)?.failsWithout);
	const starts = graph.nodes.filter(isStart).map(({ id }) => id);
	const kinds = new Map(nodes.map(({ id, type }) => [id, findNodeKind(type)]));
	const needed = new Map<string, string>();
	for (const { node, title, path, variable } of findNodeReferrers(nodes, starts)) {
		const [name = ''] = variable.split('.');
		if (isRequiredByNode(kinds.get(node)?.failsWithout, path) && !needed.has(name)) {
			needed.set(name, title);
		}
	}
	return needed;
}

function isRequiredByNode(failsWithout: NodeKind['failsWithout'], path: Referrer['path']): boolean {
	return failsWithout === 'prompts'
		? path[0] === 'prompt_template' || path[0] === 'prompt_config'
		: /^variable$|selector$/.test(String(path.at(-1)));
}
