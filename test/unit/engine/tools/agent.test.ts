import assert from 'node:assert/strict';
import { loadAgent } from '#engine/agentFile/agentFile.ts';
import type { EngineServices, ModelRequest } from '#engine/run/engineTypes.ts';
import type { EngineTool, ToolSource, ToolSources } from '#engine/tools/engineTool.ts';
import { AgentTools, type PublishedAgentTool } from '#engine/tools/publishedAgents.ts';
import { GatewayTextModels } from '#gateway/textGeneration/gatewayTextModels.ts';
import { TextGeneration } from '#gateway/textGeneration/textGeneration.ts';
import { RouteTable } from '#models/routeTable.ts';
import { createTestApp } from '../modelApps/modelAppFixture.ts';
import {
	createAgentText,
	createEndNode,
	createStartNode,
	createTestAgent,
	createTestServices,
	runTestAgent,
	type TestNode,
} from '../run/engineFixture.ts';

const models = new GatewayTextModels(new TextGeneration(new RouteTable()));
const createConstant = (value: unknown) => ({ type: 'constant', value });
const clock = { enabled: true, type: 'builtin', provider_name: 'time', tool_name: 'current_time', parameters: {}, settings: {} };

function createAgentNode(tools: readonly object[], parameters: object = {}, data: object = {}): TestNode {
	return {
		id: 'work',
		data: {
			type: 'agent',
			agent_strategy_name: 'function_calling',
			agent_parameters: {
				model: createConstant({ provider: 'p', model: 'offline', completion_params: { max_tokens: 200 } }),
				tools: createConstant(tools),
				instruction: createConstant('Be brief.'),
				query: { type: 'variable', value: ['start', 'question'] },
				...parameters,
			},
			...data,
		},
	};
}

const createAgent = (node: TestNode, extra?: Parameters<typeof createTestAgent>[2]) =>
	createTestAgent([createStartNode('question'), node, createEndNode({ answer: 'work.text' })], ['start > work', 'work > end'], extra);

function createServices(tools: Partial<ToolSources> = {}, seen: ModelRequest[] = []): EngineServices {
	const none: ToolSource = { listProviders: async () => [], findTool: async () => undefined, listToolNames: async () => [] };
	return {
		...createTestServices((request, signal) => {
			seen.push(request);
			return models.streamReply(request, signal);
		}),
		tools: { mcp: none, apis: none, agents: none, ...tools },
	};
}

describe('agent nodes', () => {
	const question = { question: 'What is the current time in Asia/Tokyo?' };

	it('call their tools in rounds, log them, and output text, usage, files and json', async () => {
		const seen: ModelRequest[] = [];
		const { data, events, trace } = await runTestAgent(
			createAgent(createAgentNode([clock])),
			{ inputs: question },
			createServices({}, seen),
		);
		assert.equal(data.status, 'succeeded');
		assert.match(String(data.outputs?.['answer']), /offline model.*The tool current_time returned: "\d{4}-/);
		assert.equal(seen.length, 2);
		assert.equal(seen[0]?.maxTokens, 200);
		const logs = events.filter(({ event }) => event === 'agent_log').map(event => (event as { data: Record<string, unknown> }).data);
		assert.deepEqual(Object.keys(logs[0] ?? {}), [
			'node_execution_id',
			'node_id',
			'id',
			'parent_id',
			'label',
			'status',
			'error',
			'data',
			'metadata',
		]);
		assert.deepEqual(
			logs.filter(({ status }) => status === 'success').map(({ label }) => label),
			['offline Thought', 'CALL current_time', 'ROUND 1', 'offline Thought', 'ROUND 2'],
		);
		const finished = events.find(event => event.event === 'node_finished' && getNodeId(event) === 'work') as unknown as {
			data: { id: string; outputs: Record<string, unknown>; execution_metadata: Record<string, unknown> };
		};
		assert.equal(logs[0]?.['node_execution_id'], finished.data.id);
		const { outputs, execution_metadata: metadata } = finished.data;
		assert.deepEqual(Object.keys(outputs), ['text', 'usage', 'files', 'json']);
		assert.equal((outputs['json'] as unknown[]).length, 6);
		assert.equal((outputs['usage'] as { total_tokens: number }).total_tokens, metadata['total_tokens']);
		assert.equal(data.total_tokens, metadata['total_tokens']);
		assert.ok(trace.filter(line => line.startsWith('text_chunk')).length > 3);
	});

	it('write their actions with the strategy ReAct', async () => {
		const { data } = await runTestAgent(
			createAgent(createAgentNode([clock], {}, { agent_strategy_name: 'ReAct' })),
			{ inputs: question },
			createServices(),
		);
		assert.match(String(data.outputs?.['answer']), /^This is the offline model.*The tool current_time returned/);
	});

	it('hide parameters that the file sets from the model', async () => {
		const seen: ModelRequest[] = [];
		const fixed = {
			...clock,
			parameters: { format: { auto: 0, value: { type: 'mixed', value: '%Y {{#start.question#}}' } }, timezone: { auto: 1, value: null } },
		};
		const { data } = await runTestAgent(
			createAgent(createAgentNode([fixed, { ...clock, enabled: false }])),
			{ inputs: { question: 'current time' } },
			createServices({}, seen),
		);
		assert.deepEqual(
			seen[0]?.tools?.map(({ parameters }) => Object.keys(parameters['properties'] as object)),
			[['timezone']],
		);
		assert.match(String(data.outputs?.['answer']), /returned: "\d{4} current time"/);
	});

	it('say how to supply missing parts', async () => {
		for (const [tool, reason] of [
			[
				{ ...clock, type: 'mcp', provider_name: 'files', tool_name: 'read' },
				/MCP server 'files'\. Add it to agentWorkbench.gateway.mcpServers/,
			],
			[
				{ ...clock, type: 'api', provider_name: 'shop', tool_name: 'orders' },
				/OpenAPI description 'shop'\. Add it to agentWorkbench.gateway.apiTools/,
			],
			[{ ...clock, type: 'workflow', provider_name: 'x', tool_name: 'summarize' }, /the agent 'summarize', which isn't published here/],
			[{ ...clock, provider_name: 'langgenius/tavily/tavily', tool_name: 'tavily_search' }, /agentWorkbench.gateway.search/],
			[{ ...clock, provider_name: 'langgenius/github/github', tool_name: 'repos' }, /plugin 'github'.*an MCP server named 'github'/],
		] as const) {
			const { data } = await runTestAgent(createAgent(createAgentNode([tool])), { inputs: question }, createServices());
			assert.equal(data.status, 'failed');
			assert.match(String(data.error), reason);
		}
		const strategy = await runTestAgent(
			createAgent(createAgentNode([], {}, { agent_strategy_name: 'tree_of_thought' })),
			{ inputs: question },
			createServices(),
		);
		assert.match(String(strategy.data.error), /strategy 'tree_of_thought' isn't available here\. Use function_calling or ReAct/);
	});

	it('distinguish two tools with one name', async () => {
		const createOfferedTool = (provider: string): EngineTool => ({
			name: 'find',
			provider,
			description: provider,
			parameters: { type: 'object', properties: {} },
			use: async () => ({ text: provider }),
		});
		const mcp: ToolSource = {
			listProviders: async () => ['a', 'b'],
			findTool: async provider => createOfferedTool(provider),
			listToolNames: async () => [],
		};
		const seen: ModelRequest[] = [];
		const tools = ['a', 'b', 'b'].map(provider_name => ({ ...clock, type: 'mcp', provider_name, tool_name: 'find' }));
		await runTestAgent(createAgent(createAgentNode(tools)), { inputs: question }, createServices({ mcp }, seen));
		assert.deepEqual(
			seen[0]?.tools?.map(({ name }) => name),
			['find', 'b_find', 'b_find_2'],
		);
	});

	it('use other agents as tools, and end if one calls itself', async () => {
		const createPublishedTool = (name: string, text: string): PublishedAgentTool => ({
			name,
			appId: name,
			workflowId: name,
			agent: loadTestAgent(text),
		});
		const self = { ...clock, type: 'workflow', provider_name: 'echo', tool_name: 'echo' };
		const all = new Map([
			[
				'greet',
				createPublishedTool('greet', createAgentText([createStartNode('name'), createEndNode({ hello: 'start.name' })], ['start > end'])),
			],
			[
				'echo',
				createPublishedTool(
					'echo',
					createAgentText(
						[
							createStartNode('question'),
							createAgentNode([self], { query: createConstant('echo this') }),
							createEndNode({ answer: 'work.text' }),
						],
						['start > work', 'work > end'],
					),
				),
			],
		]);
		const agents = new AgentTools({ listAgentNames: async () => [...all.keys()], findAgent: async name => all.get(name) });
		const greet = { ...clock, type: 'workflow', provider_name: 'greet', tool_name: 'greet' };
		const one = await runTestAgent(
			createAgent(createAgentNode([greet])),
			{ inputs: { question: 'Please greet Ana' } },
			createServices({ agents }),
		);
		assert.match(String(one.data.outputs?.['answer']), /The tool greet returned/);
		const seen: ModelRequest[] = [];
		const endless = await runTestAgent(
			createAgent(createAgentNode([self])),
			{ inputs: { question: 'echo this' } },
			createServices({ agents }, seen),
		);
		assert.equal(endless.data.status, 'succeeded');
		assert.ok(seen.length < 20);
		assert.ok(seen.some(({ messages }) => messages.some(({ content }) => /more than 5 levels deep/.test(String(content)))));
	});

	it('use apps without a graph as tools, and send questions to chats', async () => {
		const published = {
			name: 'helper',
			appId: 'helper',
			workflowId: 'helper',
			agent: createTestApp({ pre_prompt: 'You help.' }, 'chat'),
		};
		const agents = new AgentTools({ listAgentNames: async () => ['helper'], findAgent: async () => published });
		assert.deepEqual((await agents.findTool('helper'))?.parameters['required'], ['query']);
		const seen: ModelRequest[] = [];
		const helper = { ...clock, type: 'workflow', provider_name: 'helper', tool_name: 'helper' };
		await runTestAgent(
			createAgent(createAgentNode([helper])),
			{ inputs: { question: 'Please call helper' } },
			createServices({ agents }, seen),
		);
		const asked = seen.find(({ messages }) => messages[0]?.content === 'You help.\n');
		assert.equal(asked?.messages.at(-1)?.role, 'user');
		assert.notEqual(asked?.messages.at(-1)?.content, 'You help.\n');
	});

	it("are refused with a message that a tool can't wait for input", async () => {
		const ask: TestNode = {
			id: 'ask',
			data: { type: 'human-input', form_content: 'x', inputs: [], user_actions: [{ id: 'ok', title: 'OK' }] },
		};
		const agent = loadTestAgent(createAgentText([createStartNode(), ask, createEndNode({})], ['start > ask', 'ask [ok] > end']));
		const published = { name: 'asker', appId: 'asker', workflowId: 'asker', agent };
		const agents = new AgentTools({ listAgentNames: async () => ['asker'], findAgent: async () => published });
		const asker = { ...clock, type: 'workflow', provider_name: 'asker', tool_name: 'asker' };
		const { events } = await runTestAgent(
			createAgent(createAgentNode([asker])),
			{ inputs: { question: 'Please call asker' } },
			createServices({ agents }),
		);
		assert.match(JSON.stringify(events), /An agent that is used as a tool can't wait for human input/);
	});

	it('fail with a finished log if the model fails, and can be stopped midway', async () => {
		const broken = createAgentNode([clock], { query: createConstant('[offline: error=500] current time') });
		const { data, events } = await runTestAgent(createAgent(broken), { inputs: question }, createServices());
		assert.equal(data.status, 'failed');
		assert.deepEqual(listStatuses(events), ['ROUND 1 start', 'offline Thought start', 'offline Thought error', 'ROUND 1 error']);
		const controller = new AbortController();
		const stuck: ToolSource = {
			listProviders: async () => ['s'],
			findTool: async () => ({
				name: 'current',
				provider: 's',
				description: '',
				parameters: { type: 'object' },
				use: () => {
					setImmediate(() => controller.abort());
					return new Promise(() => {});
				},
			}),
			listToolNames: async () => [],
		};
		const tool = { ...clock, type: 'mcp', provider_name: 's', tool_name: 'current' };
		const stopped = await runTestAgent(
			createAgent(createAgentNode([tool])),
			{ inputs: question, signal: controller.signal },
			createServices({ mcp: stuck }),
		);
		assert.equal(stopped.data.status, 'stopped');
	});

	it('keep secrets of the agent out of the log', async () => {
		const secret = { environment_variables: [{ name: 'token', value_type: 'secret', value: 'hush-hush-1234' }] };
		const tool = { ...clock, parameters: { format: { auto: 0, value: { type: 'mixed', value: '{{#env.token#}}' } } } };
		const { events } = await runTestAgent(
			createAgent(createAgentNode([tool]), { workflow: secret }),
			{ inputs: question },
			createServices(),
		);
		const reported = events.filter(({ event }) => event === 'agent_log' || event === 'node_finished');
		assert.ok(!JSON.stringify(reported.filter(event => getNodeId(event) === 'work')).includes('hush-hush'));
	});
});

describe('agents inside a file', () => {
	const soul = {
		prompt: { system_prompt: 'Be brief.' },
		model: { model_provider: 'p', model: 'offline', model_settings: {} },
		tools: {
			dify_tools: [
				{ provider: 'time', tool_name: 'current_time' },
				{ provider: 'x/y/z', tool_name: 'gone' },
			],
			cli_tools: [],
		},
		knowledge: { datasets: ['d1'] },
		sandbox: { enabled: false },
	};
	const createJobText = (job: object) =>
		JSON.stringify({
			...JSON.parse(
				createAgentText(
					[
						createStartNode('question'),
						{
							id: 'work',
							data: {
								type: 'agent',
								version: '2',
								agent_node_kind: 'dify_agent',
								agent_binding: { binding_type: 'package', package_ref: 'agent_1' },
								agent_job: job,
							},
						},
						createEndNode({ answer: 'work.text', n: 'work.n', s: 'work.s' }),
					],
					['start > work', 'work > end'],
				),
			),
			agent_packages: { agent_1: { schema_version: '1', metadata: { name: 'clerk' }, soul } },
		});
	const prompt = {
		workflow_prompt: 'What is the current time? {{#start.question#}}',
		previous_node_output_refs: [{ selector: ['start', 'question'] }],
	};

	it('do their job with the available tools, and report the others', async () => {
		const agent = loadTestAgent(createJobText(prompt));
		assert.deepEqual(
			agent.warnings.map(({ path }) => path),
			['agent_packages.agent_1.soul.knowledge'],
		);
		const seen: ModelRequest[] = [];
		const { data, events } = await runTestAgent(agent, { inputs: { question: 'In Asia/Tokyo.' } }, createServices({}, seen));
		assert.match(String(data.outputs?.['answer']), /The tool current_time returned/);
		assert.equal(seen[0]?.messages[1]?.content, 'What is the current time? In Asia/Tokyo.\n\nstart.question:\nIn Asia/Tokyo.');
		assert.match(JSON.stringify(events), /knowledge of the agent isn't available here.*The tool 'gone' isn't available/);
	});

	it('output what the job declares, by its strategies', async () => {
		const declared_outputs = [
			{ name: 'n', type: 'number', required: true },
			{ name: 's', type: 'string', required: false },
		];
		const good = await runTestAgent(
			loadTestAgent(createJobText({ ...prompt, declared_outputs })),
			{ inputs: { question: '' } },
			createServices(),
		);
		assert.deepEqual(good.data.outputs, { answer: null, n: 0, s: 'offline' });
		const createFileJob = (strategy: object) =>
			createJobText({ ...prompt, declared_outputs: [{ name: 's', type: 'file', required: true, failure_strategy: strategy }] });
		const stopped = await runTestAgent(
			loadTestAgent(createFileJob({ on_failure: 'stop', retry: 1 })),
			{ inputs: { question: '' } },
			createServices(),
		);
		assert.match(String(stopped.data.error), /The agent didn't return the output 's' of type file/);
		const defaulted = await runTestAgent(
			loadTestAgent(createFileJob({ on_failure: 'default_value', default_value: 'none' })),
			{ inputs: { question: '' } },
			createServices(),
		);
		assert.equal(defaulted.data.outputs?.['s'], 'none');
	});

	it('output nothing for an output named like a member of every object', async () => {
		const declared_outputs = [
			{ name: 'toString', type: 'string', required: false },
			{ name: 'constructor', type: 'any', required: false },
		];
		const { data } = await runTestAgent(
			loadTestAgent(createJobText({ ...prompt, declared_outputs })),
			{ inputs: { question: '' } },
			createServices(),
		);
		assert.equal(data.status, 'succeeded', String(data.error));
	});

	it('report a missing package', async () => {
		const { data } = await runTestAgent(
			loadTestAgent(createJobText(prompt).replace('"package_ref":"agent_1"', '"package_ref":"ghost"')),
			{ inputs: {} },
			createServices(),
		);
		assert.match(String(data.error), /The agent 'ghost' isn't in the file/);
	});
});

const loadTestAgent = (text: string) => loadAgent(text, 'test.yml');

function listStatuses(events: readonly { readonly event: string }[]): string[] {
	return events
		.filter(({ event }) => event === 'agent_log')
		.map(event => (event as unknown as { data: { label: string; status: string } }).data)
		.map(({ label, status }) => `${label} ${status}`);
}

function getNodeId(event: object): string | undefined {
	return (event as { data?: { node_id?: string } }).data?.node_id;
}
