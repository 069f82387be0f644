import { listProperties } from '#base/text/textFaults.ts';
import { type AgentGraph, findNodesBefore, getOutputHandles, graphPath, isStart } from '../agentGraph.ts';
import { formatEdgeId } from '../edits/connecting.ts';
import { getNodeRole } from '../nodeKinds/nodeKinds.ts';
import { formatScalar } from '../scalarText.ts';
import { findNodeAt } from '../yamlTree.ts';
import type { AgentCursor } from './agentCursor.ts';

/** Maximum number of edges to offer. */
const mostEdges = 20;

interface NewEdge {
	readonly label: string;
	/** The edge as an object on one line. */
	readonly insert: string;
	readonly search: string;
}

/**
 * Returns whole edges for the start of a list item: from free output handles to nodes that no edge leads to, those from the node above
 * first. None closes a cycle.
 */
export function listNewEdges({ path, root, flow, hasColon }: AgentCursor, graph: AgentGraph): readonly NewEdge[] {
	const isEdge = path.length === 4 && path.slice(0, 3).join('.') === [...graphPath, 'edges'].join('.');
	if (!isEdge || flow || hasColon || listProperties(findNodeAt(root, path)).length > 1) {
		return [];
	}
	const { nodes, edges } = graph;
	const used = new Set(edges.map(({ source, handle }) => `${source} ${handle}`));
	const reached = new Set(edges.map(({ target }) => target));
	const targets = nodes.filter(
		node => node.type !== '' && !reached.has(node.id) && !isStart(node) && getNodeRole(node.type) !== 'inner-start',
	);
	const found = targets.flatMap(target => {
		const sources = nodes.filter(
			({ id, parent, type }) =>
				id !== target.id &&
				parent === target.parent &&
				type !== '' &&
				getNodeRole(type) !== 'end' &&
				!findNodesBefore(graph, id).has(target.id),
		);
		return sources.flatMap(source =>
			getOutputHandles(source)
				.filter(handle => !used.has(`${source.id} ${handle}`))
				.map(handle => ({ source, handle, target, distance: (target.at - source.at + nodes.length) % nodes.length })),
		);
	});
	return found
		.sort((a, b) => a.distance - b.distance)
		.slice(0, mostEdges)
		.map(({ source, handle, target }) => ({
			label: `${source.id}${handle === 'source' ? '' : ` (${handle})`} → ${target.id}`,
			insert: formatEdge(source.id, handle, target.id),
			search: target.title,
		}));
}

function formatEdge(source: string, handle: string, target: string): string {
	const fields = { id: formatEdgeId(source, handle, target), type: 'custom', source, sourceHandle: handle, target, targetHandle: 'target' };
	return `{ ${Object.entries(fields)
		.map(([name, value]) => `${name}: ${formatScalar(value, true)}`)
		.join(', ')} }`;
}
