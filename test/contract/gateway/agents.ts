import { stringify } from 'yaml';

type Node = { readonly id: string; readonly data: Record<string, unknown> };

/** Creates an agent file with nodes in a chain. */
function createAgentFile(
	mode: 'workflow' | 'advanced-chat',
	name: string,
	nodes: readonly Node[],
	workflow: Record<string, unknown> = {},
): string {
	return stringify({
		version: '0.6.0',
		kind: 'app',
		app: { name, mode, description: `${name} for tests` },
		workflow: {
			environment_variables: [],
			conversation_variables: [],
			features: {},
			graph: {
				nodes: nodes.map(node => ({ ...node, type: 'custom' })),
				edges: nodes
					.slice(1)
					.map((node, i) => ({ id: `e${i}`, source: nodes[i]?.id, target: node.id, sourceHandle: 'source', targetHandle: 'target' })),
			},
			...workflow,
		},
	});
}

const nameVariable = { variable: 'name', label: 'Name', type: 'text-input', required: true, max_length: 48 };

/** Creates an agent that immediately answers `Hello NAME!`. */
export function createGreetingAgent(greeting = 'Hello'): string {
	return createAgentFile('workflow', 'Greeter', [
		{ id: 'start', data: { type: 'start', title: 'Start', variables: [nameVariable] } },
		{
			id: 'greet',
			data: {
				type: 'template-transform',
				title: 'Greet',
				template: `${greeting} {{ name }}!`,
				variables: [{ variable: 'name', value_selector: ['start', 'name'] }],
			},
		},
		{ id: 'end', data: { type: 'end', title: 'End', outputs: [{ variable: 'greeting', value_selector: ['greet', 'output'] }] } },
	]);
}

/**
 * Creates an agent with one node between start and end that returns some of the node's outputs. `settings`: fields of the file next to its
 * graph.
 */
function createOneNodeAgent(
	node: Readonly<Record<string, unknown>>,
	outputs: readonly string[],
	{ variables = [], ...settings }: { readonly variables?: readonly object[]; readonly environment_variables?: readonly object[] } = {},
): string {
	return createAgentFile(
		'workflow',
		'Asker',
		[
			{ id: 'start', data: { type: 'start', title: 'Start', variables } },
			{ id: 'ask', data: { title: 'Ask', ...node } },
			{ id: 'end', data: { type: 'end', title: 'End', outputs: outputs.map(name => ({ variable: name, value_selector: ['ask', name] })) } },
		],
		settings,
	);
}

/** Creates an agent with one http-request node. `settings` are the node's. */
export function createHttpAgent(
	settings: object,
	more: Parameters<typeof createOneNodeAgent>[2] = {},
	outputs: readonly string[] = ['body'],
): string {
	return createOneNodeAgent({ type: 'http-request', method: 'get', headers: '', params: '', ...settings }, outputs, more);
}

/** Creates an agent that calls a model and returns its text. */
export function createModelAgent(model: string): string {
	return createOneNodeAgent(createModelNodeData(model, 'Hi'), ['text']);
}

/**
 * Creates an agent with a chain of LLM nodes `ask1`, `ask2`… Each gets the reply of the one before.
 * @param prompts the prompt of each node, before that reply
 */
export function createModelChain(prompts: readonly string[]): string {
	const ids = prompts.map((_, i) => `ask${i + 1}`);
	return createAgentFile('workflow', 'Chain', [
		{ id: 'start', data: { type: 'start', title: 'Start', variables: [nameVariable] } },
		...ids.map((id, i) => ({
			id,
			data: createModelNodeData('priced', `${prompts[i]} {{#${i === 0 ? 'start.name' : `${ids[i - 1]}.text`}#}}`),
		})),
		{ id: 'end', data: { type: 'end', title: 'End', outputs: ids.map(id => ({ variable: id, value_selector: [id, 'text'] })) } },
	]);
}

/** Creates an agent that waits for the offline model: `tokens` tokens, with a delay of `delay` milliseconds before each. */
export function createWaitingAgent(tokens = 1, delay = 60_000): string {
	return createAgentFile('workflow', 'Waiter', [
		{ id: 'start', data: { type: 'start', title: 'Start', variables: [] } },
		createLlmNode(`[offline: tokens=${tokens} delay=${delay}]`),
		{ id: 'end', data: { type: 'end', title: 'End', outputs: [{ variable: 'text', value_selector: ['llm', 'text'] }] } },
	]);
}

/** Creates an agent that passes a text through `nodes` nodes, each of which emits two events. */
export function createEchoAgent(nodes: number): string {
	const ids = ['start', ...Array.from({ length: nodes }, (_, i) => `n${i}`)];
	return createAgentFile('workflow', 'Echoer', [
		{
			id: 'start',
			data: { type: 'start', title: 'Start', variables: [{ variable: 'output', label: 'Text', type: 'paragraph', required: true }] },
		},
		...ids.slice(1).map((id, i) => ({
			id,
			data: {
				type: 'variable-aggregator',
				title: 'Echo',
				output_type: 'string',
				variables: [[ids[i] as string, 'output']],
			},
		})),
		{ id: 'end', data: { type: 'end', title: 'End', outputs: [] } },
	]);
}

/** Creates an agent that fails in its second node. */
export function createFailingAgent(): string {
	return createAgentFile('workflow', 'Failer', [
		{ id: 'start', data: { type: 'start', title: 'Start', variables: [] } },
		{
			id: 'code',
			data: {
				type: 'code',
				title: 'Fail',
				code_language: 'javascript',
				code: 'function main() { throw new Error("as asked") }',
				variables: [],
				outputs: { x: { type: 'string' } },
			},
		},
		{ id: 'end', data: { type: 'end', title: 'End', outputs: [{ variable: 'x', value_selector: ['code', 'x'] }] } },
	]);
}

/** Creates a chat that answers with the offline model's text, with a delay of `delay` milliseconds per token. */
export function createChatAgent(tokens = 5, delay = 0): string {
	return createAgentFile(
		'advanced-chat',
		'Chatter',
		[
			{ id: 'start', data: { type: 'start', title: 'Start', variables: [] } },
			createLlmNode(`[offline: tokens=${tokens}${delay > 0 ? ` delay=${delay}` : ''}] {{#sys.query#}}`),
			{
				id: 'answer',
				data: { type: 'answer', title: 'Answer', answer: 'You said {{#sys.query#}} (turn {{#sys.dialogue_count#}}): {{#llm.text#}}' },
			},
		],
		{ features: { opening_statement: 'Good day.' } },
	);
}

/**
 * Creates a chat that saves each query in a conversation variable and answers with all of them. The first word of a query decides whether
 * that is slow or quick.
 */
export function createMemoryChat(delay: number): string {
	const createAssignerNode = (name: string) => ({
		id: name,
		data: {
			type: 'assigner',
			title: name,
			version: '2',
			items: [{ variable_selector: ['conversation', name], input_type: 'variable', operation: 'over-write', value: ['sys', 'query'] }],
		},
	});
	const answer = { type: 'answer', title: 'Answer', answer: 'slow={{#conversation.slow#}} quick={{#conversation.quick#}}' };
	const condition = { variable_selector: ['sys', 'query'], comparison_operator: 'start with', value: 'slow', varType: 'string' };
	const nodes = [
		{ id: 'start', data: { type: 'start', title: 'Start', variables: [] } },
		{ id: 'if', data: { type: 'if-else', title: 'If', cases: [{ case_id: 'true', logical_operator: 'and', conditions: [condition] }] } },
		createLlmNode(`[offline: tokens=1 delay=${delay}]`),
		createAssignerNode('slow'),
		createAssignerNode('quick'),
		{ id: 'answer1', data: answer },
		{ id: 'answer2', data: answer },
	];
	const edges = ['start source if', 'if true llm', 'llm source slow', 'slow source answer1', 'if false quick', 'quick source answer2'];
	return createAgentFile('advanced-chat', 'Keeper', nodes, {
		conversation_variables: ['slow', 'quick'].map(name => ({ id: name, name, value_type: 'string', value: 'none' })),
		graph: {
			nodes: nodes.map(node => ({ ...node, type: 'custom' })),
			edges: edges.map((edge, i) => {
				const [source, sourceHandle, target] = edge.split(' ');
				return { id: `e${i}`, source, sourceHandle, target, targetHandle: 'target' };
			}),
		},
	});
}

function createLlmNode(prompt: string): Node {
	return { id: 'llm', data: { title: 'Model', ...createModelNodeData('offline', prompt) } };
}

function createModelNodeData(model: string, prompt: string): Record<string, unknown> {
	return {
		type: 'llm',
		model: { provider: 'offline', name: model, mode: 'chat', completion_params: {} },
		prompt_template: [{ role: 'user', text: prompt }],
		context: { enabled: false, variable_selector: [] },
		vision: { enabled: false },
	};
}

/** Creates an app without a graph. */
export function createModelApp(mode: 'chat' | 'completion' | 'agent-chat', config: object = {}): string {
	return stringify({
		version: '0.6.0',
		kind: 'app',
		app: { name: `App ${mode}`, mode, description: 'An app for tests' },
		model_config: { model: { provider: '', name: 'offline', mode: 'chat', completion_params: {} }, ...config },
	});
}

/** Creates a portable agent (mode `agent`) that counts. */
export function createPortableAgent(): string {
	return stringify({
		version: '0.7.0',
		kind: 'app',
		app: { name: 'Portable', mode: 'agent', description: 'Counts' },
		agent: { package_ref: 'agent_1' },
		agent_packages: {
			agent_1: {
				schema_version: '1',
				metadata: { name: 'Counter' },
				soul: {
					prompt: { system_prompt: 'You count.' },
					model: { model_provider: '', model: 'offline' },
					tools: { dify_tools: [{ provider: 'maths', name: 'eval_expression', enabled: true }] },
				},
			},
		},
	});
}
