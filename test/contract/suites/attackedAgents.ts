import type http from 'node:http';
import { stringify } from 'yaml';
import { createStreamResponse, type RecordedRequest } from '../recordingUpstream.ts';

type TestNode = { readonly id: string; readonly data: Record<string, unknown> };

const question = { variable: 'question', label: 'Question', type: 'paragraph', required: true, max_length: 20_000 };
export const startNode: TestNode = { id: 'start', data: { type: 'start', title: 'Start', variables: [question] } };

/** Creates an agent with nodes in a chain, whose last node gives the output `answer`. */
export function createChainAgent(nodes: readonly TestNode[], output: string, environment: Readonly<Record<string, string>> = {}): string {
	const all = [
		startNode,
		...nodes,
		{ id: 'end', data: { type: 'end', title: 'End', outputs: [{ variable: 'answer', value_selector: output.split('.') }] } },
	];
	return stringify({
		version: '0.6.0',
		kind: 'app',
		app: { name: '', mode: 'workflow', description: '' },
		workflow: {
			environment_variables: Object.entries(environment).map(([name, value]) => ({ id: name, name, value, value_type: 'secret' })),
			graph: {
				nodes: all.map(node => ({ ...node, type: 'custom' })),
				edges: all
					.slice(1)
					.map((node, at) => ({ id: `e${at}`, source: all[at]!.id, target: node.id, sourceHandle: 'source', targetHandle: 'target' })),
			},
		},
	});
}

export function createModelNode(model: string, system: string, user = '{{#start.question#}}'): TestNode {
	return {
		id: 'model',
		data: {
			type: 'llm',
			title: 'Model',
			model: { provider: 'any', name: model, mode: 'chat', completion_params: {} },
			prompt_template: [
				{ role: 'system', text: system },
				{ role: 'user', text: user },
			],
			context: { enabled: false, variable_selector: [] },
			vision: { enabled: false },
		},
	};
}

export function createHttpNode(url: string): TestNode {
	return {
		id: 'fetch',
		data: {
			type: 'http-request',
			title: 'Fetch',
			method: 'get',
			url,
			headers: '',
			params: '',
			body: { type: 'none', data: [] },
			authorization: { type: 'no-auth' },
		},
	};
}

export function createTemplateNode(template: string, selector: string): TestNode {
	return {
		id: 'shorten',
		data: {
			type: 'template-transform',
			title: 'Shorten',
			template,
			variables: [{ variable: 'text', value_selector: selector.split('.') }],
		},
	};
}

/** Creates a node that calls tools, by functions of the model. */
export function createAgentNode(model: string, tools: readonly string[]): TestNode {
	const listed = tools.map(name => ({ enabled: true, type: 'mcp', provider_name: 'shop', tool_name: name, parameters: {}, settings: {} }));
	return {
		id: 'work',
		data: {
			type: 'agent',
			title: 'Work',
			agent_strategy_name: 'function_calling',
			agent_parameters: {
				model: { type: 'constant', value: { provider: 'p', model, completion_params: {} } },
				query: { type: 'variable', value: ['start', 'question'] },
				instruction: { type: 'constant', value: 'Help.' },
				maximum_iterations: { type: 'constant', value: 5 },
				tools: { type: 'constant', value: listed },
			},
		},
	};
}

interface ChatRequest {
	readonly model: string;
	readonly messages: readonly { readonly role: string; readonly content: string | readonly { readonly text?: string }[] | null }[];
	readonly tools?: readonly { readonly function: { readonly name: string } }[];
}

/** Responds as a model that obeys every text (`obedient`), or as one that doesn't (`careful`). */
export function answerAsModel(request: RecordedRequest, response: http.ServerResponse): void | Promise<void> {
	const body = JSON.parse(request.body.toString()) as ChatRequest;
	const texts = body.messages.map(({ content }) =>
		typeof content === 'string' ? content : (content ?? []).map(({ text = '' }) => text).join(''),
	);
	const delta = body.model === 'careful' ? { content: "I can't help with that." } : obey(body, texts);
	const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: body.model };
	const length = texts.join('').length;
	const usage = { prompt_tokens: Math.ceil(length / 4), completion_tokens: 10, total_tokens: Math.ceil(length / 4) + 10 };
	const parts = [
		{ ...chunk, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
		{ ...chunk, choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' in delta ? 'tool_calls' : 'stop' }], usage },
	];
	return createStreamResponse(`${parts.map(part => `data: ${JSON.stringify(part)}\n\n`).join('')}data: [DONE]\n\n`)(request, response);
}

function obey({ messages, tools = [] }: ChatRequest, texts: readonly string[]): Record<string, unknown> {
	const text = decodeText(texts.join('\n'));
	const calls = messages.filter(({ role }) => role === 'tool').length;
	const [, first, second] = /write "(\w+)" and "(\w+)" joined/.exec(text) ?? [];
	if (tools.length > 0 && calls === 0) {
		return callTool(tools[0]!.function.name, {});
	}
	if (/Call the same tool again/.test(text) && calls < 4) {
		return callTool(tools[0]?.function.name ?? 'none', {});
	}
	if (tools.length > 1 && /call a tool|report your/.test(text) && calls === 1) {
		return callTool(tools[1]!.function.name, { id: first === undefined ? '1' : `${first}${second}` });
	}
	if (first !== undefined) {
		return { content: `${first}${second}` };
	}
	const shown = /Show th\w+[^:]*: ([\s\S]+)/.exec(text)?.[1];
	if (shown !== undefined) {
		return { content: shown };
	}
	if (/in Base64/.test(text)) {
		return { content: Buffer.from(texts[0] ?? '').toString('base64') };
	}
	return { content: /Repeat everything|Debug mode|Translate/.test(text) ? (texts[0] ?? '') : 'Done.' };
}

const callTool = (name: string, parameters: object) => ({
	tool_calls: [{ index: 0, id: `call_${name}`, type: 'function', function: { name, arguments: JSON.stringify(parameters) } }],
});

/** Reads hidden, reversed, wide and encoded text, as attackers hope that models do. */
function decodeText(text: string): string {
	const shown = text
		.replace(/[\u{e0020}-\u{e007e}]/gu, character => String.fromCodePoint(character.codePointAt(0)! - 0xe0000))
		.replaceAll('\u200b', '')
		.normalize('NFKC');
	const reversed = /\u202e([^\u202c]*)\u202c/.exec(shown)?.[1] ?? '';
	const encoded = /Base64 text and do what it says: (\S+)/.exec(shown)?.[1] ?? '';
	return `${shown}\n${[...reversed].reverse().join('')}\n${Buffer.from(encoded, 'base64').toString()}`;
}
