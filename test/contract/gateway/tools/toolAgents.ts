import { stringify } from 'yaml';

/** A tool as written in agent files. */
export interface NamedTool {
	readonly type: 'mcp' | 'api' | 'workflow' | 'builtin';
	readonly provider: string;
	readonly name: string;
}

const start = {
	id: 'start',
	type: 'custom',
	data: {
		type: 'start',
		title: 'Start',
		variables: [{ variable: 'name', label: 'Name', type: 'paragraph', required: true, max_length: 10_000 }],
	},
};

function createToolFile(node: Record<string, unknown>, outputs: readonly string[]): string {
	const ends = outputs.map(variable => ({ variable, value_selector: ['work', variable], value_type: 'string' }));
	return stringify({
		version: '0.6.0',
		kind: 'app',
		app: { name: '', mode: 'workflow', description: 'uses a tool' },
		workflow: {
			graph: {
				nodes: [
					start,
					{ id: 'work', type: 'custom', data: { title: 'Work', ...node } },
					{ id: 'end', type: 'custom', data: { type: 'end', title: 'End', outputs: ends } },
				],
				edges: [
					{ id: 'a', source: 'start', target: 'work', sourceHandle: 'source', targetHandle: 'target' },
					{ id: 'b', source: 'work', target: 'end', sourceHandle: 'source', targetHandle: 'target' },
				],
			},
		},
	});
}

/** Creates an agent with one tool node, whose parameters refer to the input `name`. */
export function createToolNodeAgent({ type, provider, name }: NamedTool, parameters: Readonly<Record<string, string>> = {}): string {
	const given = Object.fromEntries(Object.entries(parameters).map(([key, value]) => [key, { type: 'mixed', value }]));
	return createToolFile(
		{
			type: 'tool',
			provider_type: type,
			provider_id: provider,
			provider_name: provider,
			tool_name: name,
			tool_label: name,
			tool_parameters: given,
			tool_configurations: {},
		},
		['text', 'json'],
	);
}

/** Creates an agent with an agent node on the offline model, whose query is the input `name`. */
export function createAgentNodeAgent(tools: readonly NamedTool[], rounds = 3): string {
	const listed = tools.map(({ type, provider, name }) => ({
		enabled: true,
		type,
		provider_name: provider,
		tool_name: name,
		parameters: {},
		settings: {},
	}));
	return createToolFile(
		{
			type: 'agent',
			agent_strategy_name: 'function_calling',
			agent_parameters: {
				model: { type: 'constant', value: { provider: 'p', model: 'offline', completion_params: {} } },
				query: { type: 'variable', value: ['start', 'name'] },
				instruction: { type: 'constant', value: 'Help.' },
				maximum_iterations: { type: 'constant', value: rounds },
				tools: { type: 'constant', value: listed },
			},
		},
		['text'],
	);
}
