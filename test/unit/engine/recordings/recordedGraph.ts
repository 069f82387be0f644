import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices, ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import { createEndNode, createStartNode, createTestAgent, createTestServices, type TestNode } from '../run/engineFixture.ts';

/** Returns a function that returns pseudorandom whole numbers below a limit. */
export function createRandom(seed: number): (below: number) => number {
	let state = seed * 2_654_435_761 + 1;
	return below => {
		state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0;
		return ((state ^ (state >>> 14)) >>> 0) % below;
	};
}

/** A run that fails ends its other branches, and how far they got depends on timing. */
const failing = [
	{ error_strategy: 'fail-branch' },
	{ error_strategy: 'default-value', default_value: [{ key: 'text', type: 'string', value: 'none' }] },
	{ error_strategy: 'fail-branch', retry_config: { retry_enabled: true, max_retries: 2, retry_interval: 0 } },
];

/** Creates the nodes that call out, by kind. `from`: reference to a value of an earlier node. */
const kinds: readonly ((id: string, from: string, random: (below: number) => number) => readonly TestNode[])[] = [
	(id, from, random) => [{ id, data: createModelData(`Say something about {{#${from}#}}.`, failing[random(failing.length)]) }],
	(id, from) => [{ id, data: createRequestData(`http://service.test/items?b=2&a={{#${from}#}}`) }],
	id => [
		{
			id,
			data: {
				type: 'code',
				code_language: 'javascript',
				code: "const main = () => ({ text: Math.random() + ' ' + Date.now() })",
				variables: [],
				outputs: { text: { type: 'string' } },
			},
		},
	],
	(id, from) => [
		{
			id,
			data: {
				type: 'code',
				code_language: 'python3',
				code: 'def main(x): return {"text": x}',
				variables: [{ variable: 'x', value_selector: from.split('.') }],
				outputs: { text: { type: 'string' } },
			},
		},
	],
	(id, from) => [
		{
			id,
			data: {
				type: 'tool',
				provider_id: 'server',
				provider_type: 'mcp',
				provider_name: 'server',
				tool_name: 'look_up',
				tool_label: 'Look up',
				tool_parameters: { text: { type: 'mixed', value: `{{#${from}#}}` } },
			},
		},
	],
	(id, from, random) => [
		{
			id,
			data: {
				type: 'iteration',
				start_node_id: `${id}_start`,
				iterator_selector: ['start', 'items'],
				output_selector: [`${id}_inner`, 'text'],
				output_type: 'array[string]',
				is_parallel: random(2) === 0,
				parallel_nums: 3,
				error_handle_mode: 'continue-on-error',
			},
		},
		{ id: `${id}_start`, parentId: id, data: { type: 'iteration-start' } },
		{ id: `${id}_inner`, parentId: id, data: createModelData(`About {{#${id}.item#}} and {{#${from}#}}`) },
	],
];

function createModelData(text: string, policy: object = {}): TestNode['data'] {
	return {
		type: 'llm',
		model: { provider: 'p', name: 'small', mode: 'chat', completion_params: {} },
		prompt_template: [{ role: 'user', text }],
		...policy,
	};
}

function createRequestData(url: string): TestNode['data'] {
	return {
		type: 'http-request',
		method: 'get',
		url,
		headers: '',
		params: '',
		authorization: { type: 'no-auth', config: null },
		body: { type: 'none', data: [] },
	};
}

/** Creates an agent of random nodes that call out, in branches that run at the same time. */
export function createRandomAgent(seed: number): LoadedAgent {
	const random = createRandom(seed);
	const nodes: TestNode[] = [createListStart()];
	const edges: string[] = [];
	const made: string[] = [];
	for (let at = 0; at < 2 + random(5); at++) {
		const id = `n${at}`;
		const before = made.length === 0 || random(3) === 0 ? 'start' : made[random(made.length)]!;
		const created = kinds[random(kinds.length)]!(id, before === 'start' ? 'start.word' : `${before}.text`, random);
		nodes.push(...created);
		edges.push(`${before} > ${id}`, ...(created.length > 1 ? [`${id}_start > ${id}_inner`] : []));
		made.push(id);
	}
	nodes.push(
		createEndNode(Object.fromEntries(made.flatMap(id => ['text', 'output', 'body'].map(name => [`${id}_${name}`, `${id}.${name}`])))),
	);
	return createTestAgent(nodes, [...edges, ...made.map(id => `${id} > end`)]);
}

function createListStart(): TestNode {
	const start = createStartNode('word');
	const variables = start.data['variables'] as readonly object[];
	return {
		...start,
		data: { ...start.data, variables: [...variables, { variable: 'items', type: 'json_object', label: 'items', required: false }] },
	};
}

/** Creates services whose replies are different each time, and that count their calls. Some fail. */
export function createRandomServices(): { readonly services: EngineServices; readonly calls: string[] } {
	const calls: string[] = [];
	const invent = () => Math.random().toString(36).slice(2);
	async function* reply({ messages }: ModelRequest): AsyncGenerator<ModelPart> {
		calls.push(`model ${JSON.stringify(messages)}`);
		await new Promise<void>(resolve => setImmediate(resolve));
		if (Math.random() < 0.15) {
			throw Object.assign(new Error(`no capacity ${invent()}`), { reason: 'rate-limited' });
		}
		yield { type: 'reasoning', text: `hm ${invent()}` };
		for (const text of [invent(), ' ', `${invent()}\n`, '  # - "x"\n---\n', invent()]) {
			yield { type: 'text', text };
		}
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 2, totalPrice: '0.003', currency: 'USD' } };
	}
	const services: EngineServices = {
		...createTestServices(reply),
		http: async request => {
			calls.push(`http ${request.url.href}`);
			return {
				status: 200,
				headers: { 'content-type': 'application/json', date: invent() },
				body: Buffer.from(`{"v":"${invent()}"}`),
				url: request.url,
			};
		},
		python: {
			run: async () => {
				calls.push('python');
				return { text: invent() };
			},
		},
		tools: {
			mcp: {
				listProviders: async () => ['server'],
				listToolNames: async () => ['look_up'],
				findTool: async (provider, name) => {
					calls.push(`find ${name}`);
					return {
						provider,
						name,
						description: 'Looks up',
						parameters: { type: 'object', properties: {} },
						use: async () => {
							calls.push('tool');
							return { text: invent(), json: { found: invent() } };
						},
					};
				},
			},
			apis: { listProviders: async () => [], listToolNames: async () => [], findTool: async () => undefined },
			agents: { listProviders: async () => [], listToolNames: async () => [], findTool: async () => undefined },
		},
	};
	return { services, calls };
}
