import fc from 'fast-check';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { EngineServices, ModelPart, ModelRequest } from '#engine/run/engineTypes.ts';
import {
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	createTestServices,
	type TestNode,
} from '../run/engineFixture.ts';

const callers = ['model', 'http', 'javascript', 'python', 'tool', 'knowledge', 'template'] as const;
const containers = ['iteration', 'parallel iteration', 'loop'] as const;

/** A random node: what it does, which of the nodes before it comes before, and whose value it uses. */
export interface RandomNode {
	readonly kind: (typeof callers)[number] | (typeof containers)[number] | 'branch';
	readonly after: number;
	readonly uses: number;
	readonly variant: number;
	/** Nodes inside a container. */
	readonly inner: readonly RandomNode[];
}

const choices = { after: fc.nat(5), uses: fc.nat(5), variant: fc.nat(5) };
const createNodes = (maxLength: number, depth: number): fc.Arbitrary<readonly RandomNode[]> => {
	const caller = fc.record({ ...choices, kind: fc.constantFrom(...callers, 'branch' as const), inner: fc.constant([]) });
	const container = () => fc.record({ ...choices, kind: fc.constantFrom(...containers), inner: createNodes(2, depth - 1) });
	const node = depth === 0 ? caller : fc.oneof({ arbitrary: caller, weight: 3 }, { arbitrary: container(), weight: 1 });
	return fc.array<RandomNode>(node, { minLength: 1, maxLength });
};

/** Random graphs of nodes that call out, in branches that run at the same time, and in containers inside each other. */
export const randomGraphs = createNodes(6, 2);

/** A run that fails ends its other branches, and how far they got depends on timing. */
const policies = [
	{ error_strategy: 'default-value', default_value: [{ key: 'text', type: 'string', value: 'none' }] },
	{ error_strategy: 'fail-branch' },
	{ error_strategy: 'fail-branch', retry_config: { retry_enabled: true, max_retries: 2, retry_interval: 0 } },
];

/** Creates the data of a node that calls out. @param from reference to a value */
const dataOf: Record<(typeof callers)[number], (from: string, variant: number) => TestNode['data']> = {
	model: (from, variant) => createModelData(`Say something about {{#${from}#}}.`, policies[variant % policies.length]),
	http: from => ({
		type: 'http-request',
		method: 'get',
		url: `http://service.test/items?b=2&a={{#${from}#}}`,
		headers: '',
		params: '',
		authorization: { type: 'no-auth', config: null },
		body: { type: 'none', data: [] },
	}),
	javascript: () => ({
		type: 'code',
		code_language: 'javascript',
		code: "const main = () => ({ text: Math.random() + ' ' + Date.now() })",
		variables: [],
		outputs: { text: { type: 'string' } },
	}),
	python: from => ({
		type: 'code',
		code_language: 'python3',
		code: 'def main(x): return {"text": x}',
		variables: [{ variable: 'x', value_selector: from.split('.') }],
		outputs: { text: { type: 'string' } },
		// a value that a branch skipped isn't a string
		error_strategy: 'fail-branch',
	}),
	tool: from => ({
		type: 'tool',
		provider_id: 'server',
		provider_type: 'mcp',
		provider_name: 'server',
		tool_name: 'look_up',
		tool_label: 'Look up',
		tool_parameters: { text: { type: 'mixed', value: `{{#${from}#}}` } },
	}),
	knowledge: from => ({
		type: 'knowledge-retrieval',
		query_variable_selector: from.split('.'),
		dataset_ids: ['handbook'],
		error_strategy: 'fail-branch',
	}),
	template: from => createTemplateNode('', '{{ x }} {{ [1, 2, 3, 4, 5, 6, 7, 8, 9] | random }}', { x: from }).data,
};

/** The output of a node that later nodes use. */
const outputOf: Readonly<Record<RandomNode['kind'], string>> = {
	model: 'text',
	http: 'body',
	javascript: 'text',
	python: 'text',
	tool: 'text',
	knowledge: 'result',
	template: 'output',
	iteration: 'output',
	'parallel iteration': 'output',
	loop: 'loop_round',
	branch: 'text',
};

function createModelData(text: string, policy: object = {}): TestNode['data'] {
	return {
		type: 'llm',
		model: { provider: 'p', name: 'small', mode: 'chat', completion_params: {} },
		prompt_template: [{ role: 'user', text }],
		...policy,
	};
}

/** Nodes and edges of an agent, and the IDs and values of a level's nodes. */
interface Level {
	readonly nodes: TestNode[];
	readonly edges: string[];
	readonly made: MadeNode[];
}

/** A node, its value, and before that the values of the nodes before it. Others may not have run when the next node starts. */
interface MadeNode {
	readonly id: string;
	readonly values: readonly string[];
}

/** @param start node that the level starts with, and values that its nodes can use */
function createLevel(random: readonly RandomNode[], prefix: string, start: MadeNode, parentId?: string): Level {
	const level: Level = { nodes: [], edges: [], made: [] };
	const inside = parentId === undefined ? {} : { parentId };
	for (const [at, { kind, after, uses, variant, inner }] of random.entries()) {
		const id = `${prefix}${at}`;
		const known = [start, ...level.made];
		const before = known[after % known.length]!;
		const from = before.values[uses % before.values.length]!;
		level.edges.push(`${before.id} > ${id}`);
		if (kind === 'branch') {
			// a number would make the run fail
			const text = from.endsWith('.loop_round') ? 'start.word' : from;
			const condition = { id: 'c', comparison_operator: 'contains', value: 'a', variable_selector: text.split('.'), varType: 'string' };
			const cases = [{ case_id: 'true', logical_operator: 'and', conditions: [condition] }];
			level.nodes.push({ id, ...inside, data: { type: 'if-else', cases } });
			level.nodes.push({ id: `${id}_yes`, ...inside, data: createModelData(`Yes, {{#${from}#}}`, policies[0]) });
			level.edges.push(`${id} [true] > ${id}_yes`);
			level.made.push({ id: `${id}_yes`, values: [...before.values, `${id}_yes.text`] });
			continue;
		}
		if (isCaller(kind)) {
			level.nodes.push({ id, ...inside, data: dataOf[kind](from, variant) });
		} else {
			addContainer(level, { id, ...inside, data: createContainerData(id, kind) }, inner, { variant, from });
		}
		level.made.push({ id, values: [...before.values, `${id}.${outputOf[kind]}`] });
	}
	return level;
}

function isCaller(kind: RandomNode['kind']): kind is (typeof callers)[number] {
	return (callers as readonly string[]).includes(kind);
}

function createContainerData(id: string, kind: RandomNode['kind']): TestNode['data'] {
	const container = { start_node_id: `${id}_start` };
	return kind === 'loop'
		? { ...container, type: 'loop', loop_count: 2, break_conditions: [], loop_variables: [] }
		: {
				...container,
				type: 'iteration',
				iterator_selector: ['start', 'items'],
				output_type: 'array[string]',
				is_parallel: kind !== 'iteration',
				parallel_nums: 3,
				error_handle_mode: 'continue-on-error',
			};
}

function addContainer(
	level: Level,
	container: TestNode,
	random: readonly RandomNode[],
	{ variant, from }: { readonly variant: number; readonly from: string },
): void {
	const { id, data } = container;
	const isIteration = data.type === 'iteration';
	// without the item, all iterations send the same requests
	const value = isIteration && variant % 2 === 0 ? `${id}.item` : from;
	const inner = createLevel(random, `${id}_`, { id: `${id}_start`, values: [value] }, id);
	const output = inner.made.at(-1)!.values.at(-1)!.split('.');
	level.nodes.push(
		{ ...container, data: { ...data, ...(isIteration && { output_selector: output }) } },
		{ id: `${id}_start`, parentId: id, data: { type: `${data.type}-start` } },
		...inner.nodes,
	);
	level.edges.push(...inner.edges);
}

/** Creates the agent of a random graph. */
export function createRandomAgent(random: readonly RandomNode[]): LoadedAgent {
	const { nodes, edges, made } = createLevel(random, 'n', { id: 'start', values: ['start.word'] });
	const end = createEndNode(Object.fromEntries(made.map(({ id, values }) => [id, values.at(-1)!])));
	return createTestAgent([createListStart(), ...nodes, end], [...edges, ...made.map(({ id }) => `${id} > end`)]);
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
		await new Promise<void>(resolve => setTimeout(resolve, Math.random() * 2));
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
		knowledge: {
			listMetadataNames: async () => [],
			search: async ({ text }) => {
				calls.push(`search ${text}`);
				const origin = { dataset_id: 'd', dataset_name: 'handbook', document_id: 'i', document_name: 'leave.md', data_source_type: 'file' };
				const metadata = {
					...origin,
					_source: 'knowledge',
					segment_id: invent(),
					retriever_from: 'workflow',
					score: Math.random(),
				} as const;
				return { items: [{ title: 'leave.md', content: invent(), files: null, metadata: metadata as never }], notes: [] };
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
