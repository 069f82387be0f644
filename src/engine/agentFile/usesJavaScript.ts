import type { CodeSettings } from '../nodes/code.ts';
import type { Graph } from './agentTypes.ts';

/**
 * True if an agent has a JavaScript code node, including inside containers. Starting a thread in advance makes such an agent's first run
 * faster.
 */
export function hasJavaScriptNode(graph: Graph): boolean {
	return [...graph.nodes.values()].some(
		node =>
			(node.type === 'code' && (node.settings as CodeSettings).code_language === 'javascript') ||
			(node.inner && hasJavaScriptNode(node.inner)),
	);
}
