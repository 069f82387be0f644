import { findReachableNodes, graphPath, isStart, readAgentGraph } from '../agentGraph.ts';
import { getNodeRole } from '../nodeKinds/nodeKinds.ts';
import type { AgentReading } from '../reading/agentReading.ts';
import { findNodeAt } from '../yamlTree.ts';

/** Returns the positions of the IDs of nodes that no edge leads to, so that runs skip them. Empty if the graph has no start. */
export function findLooseNodes({ root, content }: AgentReading): readonly { readonly offset: number; readonly length: number }[] {
	const graph = readAgentGraph(content);
	const reached = findReachableNodes(graph);
	const targets = new Set(graph.edges.map(({ target }) => target));
	return !graph.nodes.some(isStart)
		? []
		: graph.nodes
				.filter(({ id, type }) => type !== '' && getNodeRole(type) !== 'inner-start' && !reached.has(id) && !targets.has(id))
				.flatMap(({ at }) => findNodeAt(root, [...graphPath, 'nodes', at, 'id']) ?? []);
}
