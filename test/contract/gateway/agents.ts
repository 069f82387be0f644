import { stringify } from 'yaml';

type Node = { readonly id: string; readonly data: Record<string, unknown> };

/** An agent file whose nodes follow one another. */
function agentFile(
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
			...workflow,
			graph: {
				nodes: nodes.map(node => ({ ...node, type: 'custom' })),
				edges: nodes
					.slice(1)
					.map((node, i) => ({ id: `e${i}`, source: nodes[i]?.id, target: node.id, sourceHandle: 'source', targetHandle: 'target' })),
			},
		},
	});
}

const nameVariable = { variable: 'name', label: 'Name', type: 'text-input', required: true, max_length: 48 };

/** Answers `Hello NAME!` at once. */
export function greeter(greeting = 'Hello'): string {
	return agentFile('workflow', 'Greeter', [
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

/** Waits on the offline model: `tokens` tokens, `delay` milliseconds before each. */
export function waiter(tokens = 1, delay = 60_000): string {
	return agentFile('workflow', 'Waiter', [
		{ id: 'start', data: { type: 'start', title: 'Start', variables: [] } },
		llm(`[offline: tokens=${tokens} delay=${delay}]`),
		{ id: 'end', data: { type: 'end', title: 'End', outputs: [{ variable: 'text', value_selector: ['llm', 'text'] }] } },
	]);
}

/** Fails in its second node. */
export function failer(): string {
	return agentFile('workflow', 'Failer', [
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

/** Chat that answers with the offline model's words, after `delay` milliseconds a token. */
export function chatter(tokens = 5, delay = 0): string {
	return agentFile(
		'advanced-chat',
		'Chatter',
		[
			{ id: 'start', data: { type: 'start', title: 'Start', variables: [] } },
			llm(`[offline: tokens=${tokens}${delay > 0 ? ` delay=${delay}` : ''}] {{#sys.query#}}`),
			{
				id: 'answer',
				data: { type: 'answer', title: 'Answer', answer: 'You said {{#sys.query#}} (turn {{#sys.dialogue_count#}}): {{#llm.text#}}' },
			},
		],
		{ features: { opening_statement: 'Good day.' } },
	);
}

function llm(prompt: string): Node {
	return {
		id: 'llm',
		data: {
			type: 'llm',
			title: 'Model',
			model: { provider: 'offline', name: 'offline', mode: 'chat', completion_params: {} },
			prompt_template: [{ role: 'user', text: prompt }],
			context: { enabled: false, variable_selector: [] },
			vision: { enabled: false },
		},
	};
}
