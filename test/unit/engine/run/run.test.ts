import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeResultData } from '#contract/events.ts';
import { isEvent } from '#contract/events.ts';
import type { ModelPart } from '#engine/run/engineTypes.ts';
import { createPartialAgent } from '#engine/standIns/partialAgents.ts';
import {
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	createTestServices,
	runTestAgent,
	type TestNode,
} from './engineFixture.ts';

const finish: ModelPart = { type: 'finish', finishReason: 'stop', usage: { promptTokens: 2, completionTokens: 3 } };

const createLlm = (id: string, extra: object = {}): TestNode => ({
	id,
	data: { type: 'llm', model: { name: id, provider: '' }, prompt_template: [{ role: 'user', text: id }], ...extra },
});

/** Creates a model that replies after a delay, unless it is stopped first. */
function createSlowModel(ms: number) {
	const state = { running: 0, most: 0 };
	const services = createTestServices(async function* (_, signal) {
		state.running++;
		state.most = Math.max(state.most, state.running);
		try {
			await delay(ms, undefined, { signal });
			yield { type: 'text', text: 'done' };
			yield finish;
		} finally {
			state.running--;
		}
	});
	return { state, services };
}

describe('a run', () => {
	it('reveals no secret of the agent in inputs, outputs and errors of nodes, but returns outputs as its author chose', async () => {
		const secret = 't-1a2b"3c4d';
		const createCode = (id: string, source: string, type = 'string'): TestNode => ({
			id,
			data: {
				type: 'code',
				code_language: 'javascript',
				code: source,
				variables: [{ variable: 'token', value_selector: ['env', 'TOKEN'] }],
				outputs: { text: { type } },
				error_strategy: 'fail-branch',
			},
		});
		const agent = createTestAgent(
			[
				createStartNode(),
				createTemplateNode('t', 'Bearer {{ token }}', { token: 'env.TOKEN' }),
				createCode('named', 'function main({ token }) { return { text: { [token]: 1 } } }', 'object'),
				createCode('c', 'function main({ token }) { throw new Error("not " + token) }'),
				createEndNode({ text: 't.output' }),
			],
			['start > t', 't > named', 'named > c', 'c [fail-branch] > end'],
			{ workflow: { environment_variables: [{ name: 'TOKEN', value_type: 'secret', value: secret }] } },
		);
		const { data, events } = await runTestAgent(agent);
		assert.deepEqual(data.outputs, { text: `Bearer ${secret}` }, String(data.error));
		const reported = JSON.stringify(events.filter(({ event }) => event !== 'workflow_finished' && event !== 'text_chunk'));
		assert.doesNotMatch(reported, /1a2b/);
		assert.match(reported, /Bearer \*\*\*/);
	});

	it('sends a text that has ended before its turn in one chunk', async () => {
		const ended = Promise.withResolvers<void>();
		const services = createTestServices(async function* ({ model }) {
			yield { type: 'text', text: `${model} one` };
			if (model === 'a') {
				await ended.promise;
			}
			yield { type: 'text', text: `${model} two` };
			yield finish;
		});
		const agent = createTestAgent(
			[createStartNode(), createLlm('a'), createLlm('b'), createEndNode({ a: 'a.text', b: 'b.text' })],
			['start > a', 'start > b', 'a > end', 'b > end'],
		);
		const { trace } = await runTestAgent(
			agent,
			{ emit: event => isEvent(event, 'node_finished') && event.data.node_id === 'b' && ended.resolve() },
			services,
		);
		assert.deepEqual(
			trace.filter(line => line.startsWith('text_chunk')),
			['"a one"', '"a two"', '""', '"\\n"', '"b oneb two"'].map(text => `text_chunk ${text}`),
		);
	});

	it('runs branches concurrently', async () => {
		const { state, services } = createSlowModel(30);
		const agent = createTestAgent(
			[createStartNode(), createLlm('a'), createLlm('b'), createLlm('c'), createEndNode({ a: 'a.text', b: 'b.text', c: 'c.text' })],
			['start > a', 'start > b', 'start > c', 'a > end', 'b > end', 'c > end'],
		);
		const { data } = await runTestAgent(agent, {}, services);
		assert.equal(state.most, 3);
		assert.equal(data.status, 'succeeded');
		assert.equal(data.total_tokens, 15);
	});

	it('ends immediately when it is stopped, and reports running nodes as stopped', async () => {
		const { state, services } = createSlowModel(60_000);
		const stop = new AbortController();
		const agent = createTestAgent(
			[createStartNode(), createLlm('a'), createLlm('b'), createEndNode({ a: 'a.text' })],
			['start > a', 'start > b', 'a > end', 'b > end'],
		);
		const { data, trace } = await runTestAgent(
			agent,
			{
				signal: stop.signal,
				emit: event => isEvent(event, 'node_started') && event.data.node_id === 'b' && setTimeout(() => stop.abort(), 5),
			},
			services,
		);
		assert.equal(data.status, 'stopped');
		assert.equal(data.error, 'Stopped by user.');
		assert.equal(state.running, 0);
		assert.ok(data.elapsed_time < 30);
		assert.deepEqual(trace.slice(-3), ['node_finished a stopped', 'node_finished b stopped', 'workflow_finished stopped']);
	});

	it("doesn't wait for a model that ignores the stop", async () => {
		const stop = new AbortController();
		const services = createTestServices(async function* () {
			await new Promise(() => {});
			yield finish;
		});
		const agent = createTestAgent([createStartNode(), createLlm('a'), createEndNode({})], ['start > a', 'a > end']);
		const { data } = await runTestAgent(
			agent,
			{
				signal: stop.signal,
				emit: event => event.event === 'node_started' && setTimeout(() => stop.abort(), 5),
			},
			services,
		);
		assert.equal(data.status, 'stopped');
		assert.ok(data.elapsed_time < 30);
	});

	it('is stopped before it has started', async () => {
		const { data, trace } = await runTestAgent(createTestAgent([createStartNode(), createEndNode({})], ['start > end']), {
			signal: AbortSignal.abort(),
		});
		assert.equal(data.status, 'stopped');
		assert.deepEqual(trace, ['workflow_started', 'workflow_finished stopped']);
	});

	it('stops other branches when a node fails', async () => {
		const { state, services } = createSlowModel(60_000);
		const failing = {
			id: 'x',
			data: {
				type: 'assigner',
				version: '2',
				items: [{ variable_selector: ['conversation', 'no'], input_type: 'constant', operation: 'set', value: 1 }],
			},
		};
		const agent = createTestAgent(
			[createStartNode(), createLlm('a'), failing, createEndNode({})],
			['start > a', 'start > x', 'a > end', 'x > end'],
		);
		const { data, trace } = await runTestAgent(agent, {}, services);
		assert.equal(data.status, 'failed');
		assert.equal(data.error, "Variable ['conversation', 'no'] not found");
		assert.equal(state.running, 0);
		assert.ok(trace.includes('node_finished a stopped'));
	});

	it('fails at its limits of steps and of time', async () => {
		const nodes = Array.from({ length: 9 }, (_, index) => createTemplateNode(`t${index}`, 'x'));
		const edges = ['start > t0', ...nodes.slice(1).map((node, index) => `t${index} > ${node.id}`)];
		const steps = await runTestAgent(
			createTestAgent([createStartNode(), ...nodes], edges),
			{},
			createTestServices(undefined, { maxSteps: 5 }),
		);
		assert.equal(steps.data.status, 'stopped');
		assert.equal(steps.data.error, 'Maximum execution steps exceeded: 6 > 5');
		assert.equal(steps.data.total_steps, 5);

		const round = { id: 'in', parentId: 'lp', data: createTemplateNode('in', 'x').data };
		const endless = createTestAgent(
			[
				createStartNode(),
				{ id: 'lp', data: { type: 'loop', start_node_id: 'lps', loop_count: 1_000_000, break_conditions: [], loop_variables: [] } },
				{ id: 'lps', parentId: 'lp', data: { type: 'loop-start' } },
				round,
			],
			['start > lp', 'lps > in'],
		);
		const rounds = await runTestAgent(endless);
		assert.deepEqual(
			[rounds.data.status, rounds.data.error, rounds.data.total_steps],
			['stopped', 'Maximum execution steps exceeded: 501 > 500', 2],
		);
		assert.deepEqual(rounds.trace.slice(-2), ['loop_completed lp', 'workflow_finished stopped']);

		const { state, services } = createSlowModel(60_000);
		const agent = createTestAgent([createStartNode(), createLlm('a'), createEndNode({})], ['start > a', 'a > end']);
		const time = await runTestAgent(agent, {}, { ...services, settings: { ...services.settings, maxSeconds: 0.02 } });
		assert.equal(time.data.status, 'stopped');
		assert.match(String(time.data.error), /Maximum execution time exceeded: 0.02 seconds/);
		assert.equal(state.running, 0);
	});

	it('retries after the configured delay, and stops while it waits', async () => {
		let asked = 0;
		const services = () =>
			createTestServices(() => {
				asked++;
				throw Object.assign(new Error('busy'), { reason: 'rate-limited' });
			});
		const createRetryConfig = (interval: number) => ({ retry_config: { retry_enabled: true, max_retries: 2, retry_interval: interval } });
		const strategy = { error_strategy: 'fail-branch' };
		const agent = createTestAgent(
			[
				createStartNode(),
				createLlm('a', { ...createRetryConfig(20), ...strategy }),
				createEndNode({ type: 'a.error_type' }, 'bad'),
				createEndNode({}),
			],
			['start > a', 'a > end', 'a [fail-branch] > bad'],
		);
		const retried = await runTestAgent(agent, {}, services());
		assert.equal(asked, 3);
		// a timer may fire a millisecond early
		assert.ok(retried.data.elapsed_time >= 0.035);
		assert.deepEqual(retried.data.outputs, { type: 'InvokeRateLimitError' });
		assert.deepEqual([retried.data.status, retried.data.total_steps, retried.data['exceptions_count']], ['partial-succeeded', 5, 3]);

		const stop = new AbortController();
		const waiting = createTestAgent([createStartNode(), createLlm('a', createRetryConfig(60_000))], ['start > a']);
		const stopped = await runTestAgent(
			waiting,
			{ signal: stop.signal, emit: event => event.event === 'node_retry' && setTimeout(() => stop.abort()) },
			services(),
		);
		assert.deepEqual(stopped.trace.slice(-2), ['node_finished a stopped', 'workflow_finished stopped']);
	});

	it('sends complete values of any size', async () => {
		const text = 'x'.repeat(50_000);
		const agent = createTestAgent([createStartNode('a'), createEndNode({ a: 'start.a' })], ['start > end']);
		const { events } = await runTestAgent(agent, { inputs: { a: text } });
		const finished = events.filter(event => event.event === 'node_finished').map(event => (event as { data: NodeResultData }).data);
		assert.deepEqual(
			finished.map(({ outputs, outputs_truncated: truncated }) => [outputs?.['a'], truncated]),
			[
				[text, false],
				[text, false],
			],
		);
	});

	it('reports tokens, price and currency of every node, even without a model', async () => {
		const agent = createTestAgent([createStartNode(), createEndNode({})], ['start > end']);
		const { events } = await runTestAgent(agent, {});
		const finished = events.filter(event => event.event === 'node_finished').map(event => (event as { data: NodeResultData }).data);
		assert.equal(finished.length, 2);
		for (const { execution_metadata: metadata } of finished) {
			assert.deepEqual(metadata, { total_tokens: 0, total_price: '0', currency: 'USD' });
		}
	});

	it('keeps conversation variables from turn to turn, and has its query', async () => {
		const assign = {
			id: 'add',
			data: {
				type: 'assigner',
				version: '2',
				items: [{ variable_selector: ['conversation', 'said'], input_type: 'variable', operation: 'append', value: ['sys', 'query'] }],
			},
		};
		const answer = { id: 'answer', data: { type: 'answer', answer: 'So far:\n{{#conversation.said#}}' } };
		const agent = createTestAgent([createStartNode(), assign, answer], ['start > add', 'add > answer'], {
			mode: 'advanced-chat',
			workflow: { conversation_variables: [{ name: 'said', value_type: 'array[string]', value: [] }] },
		});
		const createChat = (query: string, variables: Readonly<Record<string, unknown>>) => ({
			query,
			conversationId: 'c',
			dialogueCount: 1,
			variables,
			history: [],
		});
		const first = await runTestAgent(agent, { chat: createChat('one', {}) });
		const second = await runTestAgent(agent, { chat: createChat('two', { ...first.variables, gone: 1 }) });
		assert.deepEqual(second.variables, { said: ['one', 'two'] });
		assert.equal(second.data.outputs?.['answer'], 'So far:\n- one\n- two');
		assert.deepEqual(agent.conversation, { said: [] });
	});

	it('returns system variables as outputs of its start node, in rounds and partial runs too', async () => {
		const inner = { ...createTemplateNode('inner', '{{ q }}', { q: 'start.sys_query' }), parentId: 'each' };
		const selectSystemQuery = (node: TestNode): TestNode => JSON.parse(JSON.stringify(node).replaceAll('sys_query', 'sys.query'));
		const agent = createTestAgent(
			[
				createStartNode(),
				selectSystemQuery(createTemplateNode('template', '{{ q }} {{ other }}', { q: 'start.sys_query', other: 'start.other' })),
				{
					id: 'each',
					data: {
						type: 'iteration',
						start_node_id: 'begin',
						iterator_selector: ['conversation', 'list'],
						output_selector: ['inner', 'output'],
					},
				},
				{ id: 'begin', parentId: 'each', data: { type: 'iteration-start' } },
				selectSystemQuery(inner),
				{ id: 'answer', data: { type: 'answer', answer: '{{#template.output#}}, {{#each.output#}}' } },
			],
			['start > template', 'template > each', 'begin > inner', 'each > answer'],
			{ mode: 'advanced-chat', workflow: { conversation_variables: [{ name: 'list', value_type: 'array[string]', value: ['a'] }] } },
		);
		const chat = { query: 'tea?', conversationId: 'c', dialogueCount: 1, variables: {}, history: [] };
		const whole = await runTestAgent(agent, { chat });
		assert.equal(whole.data.outputs?.['answer'], 'tea? None, - tea?');
		const { agent: only, ...options } = createPartialAgent(
			agent,
			{ part: { node: 'template', how: 'only' }, events: whole.events.map(event => JSON.stringify(event)) },
			{ describeUpload: () => undefined },
		);
		const alone = await runTestAgent(only, { chat: { ...chat, query: 'coffee?' }, ...options });
		assert.deepEqual(alone.data.outputs, { output: 'tea? None' });
	});

	it('names a missing input, and the node that needs it', async () => {
		const createAgentWith = (node: TestNode) => createTestAgent([createStartNode('notes', 'topic'), node], [`start > ${node.id}`]);
		const title = 'Plan the article';
		const plan = createLlm('plan', { title, prompt_template: [{ role: 'user', text: '{{#start.topic#}} {{#start.notes#}}' }] });
		const { data } = await runTestAgent(createAgentWith(plan), { inputs: { topic: 'tea' } });
		assert.equal(data.error, "The input 'notes' is missing, but the node 'Plan the article' needs it");
		const conditions = [{ variable_selector: ['start', 'notes'], comparison_operator: 'contains', value: 'x' }];
		const choice: TestNode = { id: 'if', data: { type: 'if-else', title, cases: [{ case_id: 'a', logical_operator: 'and', conditions }] } };
		assert.equal(
			(await runTestAgent(createAgentWith(choice))).data.error,
			"The input 'notes' is missing, but the node 'Plan the article' needs it",
		);
		const ghost = createLlm('plan', { prompt_template: [{ role: 'user', text: '{{#start.nothing#}}' }] });
		assert.equal((await runTestAgent(createAgentWith(ghost))).data.error, 'Variable #start.nothing# not found');
	});

	it('lets other work continue while it runs', async () => {
		const nodes = Array.from({ length: 400 }, (_, index) =>
			createTemplateNode(`t${index}`, '{% for i in range(200) %}{{ i }}{% endfor %}'),
		);
		const edges = ['start > t0', ...nodes.slice(1).map((node, index) => `t${index} > ${node.id}`)];
		let turns = 0;
		const timer = setInterval(() => turns++, 1);
		const { data } = await runTestAgent(createTestAgent([createStartNode(), ...nodes], edges));
		clearInterval(timer);
		assert.equal(data.status, 'succeeded');
		assert.ok(turns > 1, `${turns} turns in ${data.elapsed_time} s`);
	});
});
