import type { AgentNode, Edge, FailurePolicy, Graph, StartVariable } from '../agentFile/agentTypes.ts';
import { answer } from '../nodes/answer.ts';
import type { NodeType } from '../nodes/nodeType.ts';
import { start } from '../nodes/start.ts';

const noFailure: FailurePolicy = { strategy: 'none', defaults: {}, retries: 0, retryDelayMs: 0 };

/** Builds a graph for an app without one: its inputs, the step that generates its text, and its answer. */
export function buildAppGraph(
	variables: readonly StartVariable[],
	{ type, title, nodeType, settings }: Pick<AgentNode, 'type' | 'title' | 'settings'> & { readonly nodeType: NodeType },
): Graph {
	const nodes = [
		createAppNode('start', 'Start', start, { variables }, ['model']),
		{ ...createAppNode('model', title, nodeType, settings, ['answer']), type },
		createAppNode('answer', 'Answer', answer, answer.schema.parse({ answer: '{{#model.text#}}' }), []),
	];
	const [root, , last] = nodes as [AgentNode, AgentNode, AgentNode];
	return { root, roots: [root], nodes: new Map(nodes.map(node => [node.id, node])), responses: [last] };
}

function createAppNode(id: string, title: string, type: NodeType, settings: unknown, targets: readonly string[]): AgentNode {
	return {
		id,
		type: type.type,
		title,
		nodeType: type,
		settings,
		failure: noFailure,
		outgoing: targets.map((target): Edge => ({ source: id, target, handle: 'source' })),
		incoming: id === 'start' ? 0 : 1,
		inner: undefined,
	};
}
