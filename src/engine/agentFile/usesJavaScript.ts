import type { CodeSettings } from '../nodes/code.ts';
import type { Graph } from './agentTypes.ts';

/**
 * True if an agent has a JavaScript code node, including inside of containers. Its first run is faster if a thread is started in advance.
 */
export function isUsingJavaScript(graph: Graph): boolean {
	return [...graph.nodes.values()].some(
		node =>
			(node.type === 'code' && (node.settings as CodeSettings).code_language === 'javascript') ||
			(node.inner && isUsingJavaScript(node.inner)),
	);
}
