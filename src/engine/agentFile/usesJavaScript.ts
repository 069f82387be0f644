import type { CodeSettings } from '../nodes/code.ts';
import type { Graph } from './agentTypes.ts';

/** Whether an agent has a code node in JavaScript, also inside of its containers: its first run is quicker where a thread is ready for it. */
export function usesJavaScript(graph: Graph): boolean {
	return [...graph.nodes.values()].some(
		node =>
			(node.type === 'code' && (node.settings as CodeSettings).code_language === 'javascript') ||
			(node.inner && usesJavaScript(node.inner)),
	);
}
