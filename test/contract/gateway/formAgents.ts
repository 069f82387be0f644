import { stringify } from 'yaml';

type Data = Readonly<Record<string, unknown>> & { readonly type: string };

/** Creates an agent file from nodes by ID and edges such as `from > to` or `from [handle] > to`. */
export function createGraphFile(
	mode: 'workflow' | 'advanced-chat',
	nodes: Readonly<Record<string, Data>>,
	edges: readonly string[],
	workflow: Readonly<Record<string, unknown>> = {},
): string {
	const file = {
		version: '0.6.0',
		kind: 'app',
		app: { name: 'Asker', mode },
		workflow: {
			...workflow,
			graph: {
				nodes: Object.entries(nodes).map(([id, data]) => ({ id, type: 'custom', data: { title: id, ...data } })),
				edges: edges.map((edge, i) => {
					const [, source, handle = 'source', target] = /^(\w+)(?: \[(\w+)\])? > (\w+)$/.exec(edge) ?? [];
					return { id: `e${i}`, source, sourceHandle: handle, target, targetHandle: 'target' };
				}),
			},
		},
	};
	// agent files are parsed as YAML 1.1, in which yes and no aren't strings
	return stringify(file, { version: '1.1' });
}

export const startData = {
	type: 'start',
	variables: [{ variable: 'name', label: 'Name', type: 'text-input', required: true, max_length: 48 }],
} as const;

const note = { type: 'paragraph', output_variable_name: 'note', default: { type: 'variable', selector: ['start', 'name'], value: '' } };

/** Creates a form node with an optional note and the actions `ok` and `deny`. */
export function createFormNode(more: Readonly<Record<string, unknown>> = {}): Data {
	return {
		type: 'human-input',
		form_content: 'Is {{#start.name#}} right? {{#$output.note#}}',
		inputs: [note],
		user_actions: [
			{ id: 'ok', title: 'Yes', button_style: 'primary' },
			{ id: 'deny', title: 'No' },
		],
		timeout: 14,
		timeout_unit: 'day',
		delivery_methods: [{ id: 'd', type: 'webapp', enabled: true }],
		...more,
	};
}

const outputs = [
	{ variable: 'note', value_selector: ['ask', 'note'] },
	{ variable: 'action', value_selector: ['ask', '__action_value'] },
	{ variable: 'content', value_selector: ['ask', '__rendered_content'] },
];

/** Creates an agent that asks whether a name is right, and continues at `late` if there is no answer in time. */
export function createFormAgent(more: Readonly<Record<string, unknown>> = {}): string {
	return createGraphFile(
		'workflow',
		{
			start: startData,
			ask: createFormNode(more),
			end: { type: 'end', outputs },
			refused: { type: 'end', outputs: [{ variable: 'refused', value_selector: ['ask', '__action_id'] }] },
			late: { type: 'template-transform', template: 'nobody came', variables: [] },
			none: { type: 'end', outputs: [{ variable: 'late', value_selector: ['late', 'output'] }] },
		},
		['start > ask', 'ask [ok] > end', 'ask [deny] > refused', 'ask [__timeout] > late', 'late > none'],
	);
}

/** Creates an agent that shows two forms concurrently and ends when both are answered. */
export function createTwoFormsAgent(): string {
	return createGraphFile(
		'workflow',
		{
			start: startData,
			one: createFormNode(),
			two: createFormNode(),
			end: {
				type: 'end',
				outputs: [
					{ variable: 'one', value_selector: ['one', 'note'] },
					{ variable: 'two', value_selector: ['two', 'note'] },
				],
			},
		},
		['start > one', 'start > two', 'one [ok] > end', 'two [ok] > end'],
	);
}

/** Creates an agent that runs the offline model after its form. */
export function createSlowFormAgent(tokens: number, delay: number): string {
	return createGraphFile(
		'workflow',
		{
			start: startData,
			ask: createFormNode(),
			llm: {
				type: 'llm',
				model: { provider: 'any', name: 'offline', mode: 'chat', completion_params: {} },
				prompt_template: [{ role: 'user', text: `[offline: tokens=${tokens} delay=${delay}]` }],
			},
			end: { type: 'end', outputs: [{ variable: 'text', value_selector: ['llm', 'text'] }] },
		},
		['start > ask', 'ask [ok] > llm', 'llm > end'],
	);
}

/** Creates a chat that asks whether a query is right, saves it in a conversation variable and repeats the note. */
export function createFormChat(): string {
	return createGraphFile(
		'advanced-chat',
		{
			start: { type: 'start', variables: [] },
			keep: {
				type: 'assigner',
				version: '2',
				items: [{ variable_selector: ['conversation', 'last'], operation: 'over-write', input_type: 'variable', value: ['sys', 'query'] }],
			},
			before: { type: 'answer', answer: 'Wait. ' },
			ask: createFormNode({ form_content: 'Is it? {{#$output.note#}}', inputs: [{ type: 'paragraph', output_variable_name: 'note' }] }),
			after: { type: 'answer', answer: 'Noted {{#ask.note#}} of {{#conversation.last#}}.' },
		},
		['start > keep', 'keep > before', 'before > ask', 'ask [ok] > after'],
		{ conversation_variables: [{ id: 'v', name: 'last', value_type: 'string', value: 'nothing' }] },
	);
}
