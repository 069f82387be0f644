import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModelPart } from '../../../src/gateway/engine/engineTypes.ts';
import type { NodeResultData } from '../../../src/protocol/events.ts';
import { endNode, run, startNode, type TestNode, templateNode, testAgent, testServices } from './engineFixture.ts';

const finish: ModelPart = { type: 'finish', finishReason: 'stop', usage: { promptTokens: 2, completionTokens: 3 } };

const llm = (id: string, extra: object = {}): TestNode => ({
	id,
	data: { type: 'llm', model: { name: id, provider: '' }, prompt_template: [{ role: 'user', text: id }], ...extra },
});

/** A model that replies after a time, or never, until it is stopped. */
function slowModel(ms: number) {
	const state = { running: 0, most: 0 };
	const services = testServices(async function* (_, signal) {
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
	it('runs branches at the same time', async () => {
		const { state, services } = slowModel(30);
		const agent = testAgent(
			[startNode(), llm('a'), llm('b'), llm('c'), endNode({ a: 'a.text', b: 'b.text', c: 'c.text' })],
			['start > a', 'start > b', 'start > c', 'a > end', 'b > end', 'c > end'],
		);
		const { data } = await run(agent, {}, services);
		assert.equal(state.most, 3);
		assert.equal(data.status, 'succeeded');
		assert.equal(data.total_tokens, 15);
	});

	it('ends at once when it is stopped, and tells the nodes in flight as stopped', async () => {
		const { state, services } = slowModel(60_000);
		const stop = new AbortController();
		const agent = testAgent([startNode(), llm('a'), llm('b'), endNode({ a: 'a.text' })], ['start > a', 'start > b', 'a > end', 'b > end']);
		const { data, trace } = await run(
			agent,
			{ signal: stop.signal, emit: event => event.event === 'node_started' && setTimeout(() => stop.abort(), 5) },
			services,
		);
		assert.equal(data.status, 'stopped');
		assert.equal(data.error, 'Stopped by user.');
		assert.equal(state.running, 0);
		assert.ok(data.elapsed_time < 30);
		assert.deepEqual(trace.slice(-3), ['node_finished a stopped', 'node_finished b stopped', 'workflow_finished stopped']);
	});

	it('does not wait for a model that does not listen when it is stopped', async () => {
		const stop = new AbortController();
		const services = testServices(async function* () {
			await new Promise(() => {});
			yield finish;
		});
		const agent = testAgent([startNode(), llm('a'), endNode({})], ['start > a', 'a > end']);
		const { data } = await run(
			agent,
			{ signal: stop.signal, emit: event => event.event === 'node_started' && setTimeout(() => stop.abort(), 5) },
			services,
		);
		assert.equal(data.status, 'stopped');
		assert.ok(data.elapsed_time < 30);
	});

	it('is stopped before it has begun', async () => {
		const { data, trace } = await run(testAgent([startNode(), endNode({})], ['start > end']), { signal: AbortSignal.abort() });
		assert.equal(data.status, 'stopped');
		assert.deepEqual(trace, ['workflow_started', 'workflow_finished stopped']);
	});

	it('stops other branches when a node fails', async () => {
		const { state, services } = slowModel(60_000);
		const failing = {
			id: 'x',
			data: {
				type: 'assigner',
				version: '2',
				items: [{ variable_selector: ['conversation', 'no'], input_type: 'constant', operation: 'set', value: 1 }],
			},
		};
		const agent = testAgent([startNode(), llm('a'), failing, endNode({})], ['start > a', 'start > x', 'a > end', 'x > end']);
		const { data, trace } = await run(agent, {}, services);
		assert.equal(data.status, 'failed');
		assert.equal(data.error, "variable not found: ['conversation', 'no']");
		assert.equal(state.running, 0);
		assert.ok(trace.includes('node_finished a stopped'));
	});

	it('is over its limits of steps and of time', async () => {
		const nodes = Array.from({ length: 9 }, (_, index) => templateNode(`t${index}`, 'x'));
		const edges = ['start > t0', ...nodes.slice(1).map((node, index) => `t${index} > ${node.id}`)];
		const steps = await run(testAgent([startNode(), ...nodes], edges), {}, testServices(undefined, { maxSteps: 5 }));
		assert.equal(steps.data.status, 'stopped');
		assert.equal(steps.data.error, 'Maximum execution steps exceeded: 6 > 5');
		assert.equal(steps.data.total_steps, 5);

		const { state, services } = slowModel(60_000);
		const agent = testAgent([startNode(), llm('a'), endNode({})], ['start > a', 'a > end']);
		const time = await run(agent, {}, { ...services, settings: { ...services.settings, maxSeconds: 0.02 } });
		assert.equal(time.data.status, 'stopped');
		assert.match(String(time.data.error), /Maximum execution time exceeded: 0.02 seconds/);
		assert.equal(state.running, 0);
	});

	it('retries after the time that is set, and stops while it waits', async () => {
		let asked = 0;
		const services = () =>
			testServices(() => {
				asked++;
				throw Object.assign(new Error('busy'), { reason: 'rate-limited' });
			});
		const retry = (interval: number) => ({ retry_config: { retry_enabled: true, max_retries: 2, retry_interval: interval } });
		const strategy = { error_strategy: 'fail-branch' };
		const agent = testAgent(
			[startNode(), llm('a', { ...retry(20), ...strategy }), endNode({ type: 'a.error_type' }, 'bad'), endNode({})],
			['start > a', 'a > end', 'a [fail-branch] > bad'],
		);
		const retried = await run(agent, {}, services());
		assert.equal(asked, 3);
		// a timer may come a millisecond early
		assert.ok(retried.data.elapsed_time >= 0.035);
		assert.deepEqual(retried.data.outputs, { type: 'InvokeRateLimitError' });
		assert.deepEqual([retried.data.status, retried.data.total_steps, retried.data['exceptions_count']], ['partial-succeeded', 5, 3]);

		const stop = new AbortController();
		const waiting = testAgent([startNode(), llm('a', retry(60_000))], ['start > a']);
		const stopped = await run(
			waiting,
			{ signal: stop.signal, emit: event => event.event === 'node_retry' && setTimeout(() => stop.abort()) },
			services(),
		);
		assert.deepEqual(stopped.trace.slice(-2), ['node_finished a stopped', 'workflow_finished stopped']);
	});

	it('sends previews of big values and records the whole', async () => {
		const text = 'x'.repeat(50_000);
		const records: NodeResultData[] = [];
		const agent = testAgent([startNode('a'), endNode({ a: 'start.a' })], ['start > end']);
		const { events, data } = await run(agent, { inputs: { a: text }, record: record => records.push(record) });
		const finished = events.filter(event => event.event === 'node_finished').map(event => (event as { data: NodeResultData }).data);
		assert.equal(finished[0]?.outputs?.['a'], `${'x'.repeat(20_000)}… (50000 characters)`);
		assert.equal(finished[0]?.['outputs_truncated'], true);
		assert.deepEqual(
			records.map(record => record.outputs?.['a']),
			[text, text],
		);
		assert.equal(data.outputs?.['a'], text);
	});

	it('keeps conversation variables from turn to turn, and knows its query', async () => {
		const assign = {
			id: 'add',
			data: {
				type: 'assigner',
				version: '2',
				items: [{ variable_selector: ['conversation', 'said'], input_type: 'variable', operation: 'append', value: ['sys', 'query'] }],
			},
		};
		const answer = { id: 'answer', data: { type: 'answer', answer: 'So far:\n{{#conversation.said#}}' } };
		const agent = testAgent([startNode(), assign, answer], ['start > add', 'add > answer'], {
			mode: 'advanced-chat',
			workflow: { conversation_variables: [{ name: 'said', value_type: 'array[string]', value: [] }] },
		});
		const chat = (query: string, variables: Readonly<Record<string, unknown>>) => ({
			query,
			conversationId: 'c',
			dialogueCount: 1,
			variables,
			history: [],
		});
		const first = await run(agent, { chat: chat('one', {}) });
		const second = await run(agent, { chat: chat('two', { ...first.variables, gone: 1 }) });
		assert.deepEqual(second.variables, { said: ['one', 'two'] });
		assert.equal(second.data.outputs?.['answer'], 'So far:\n- one\n- two');
		assert.deepEqual(agent.conversation, { said: [] });
	});

	it('lets other work have its turn while it runs', async () => {
		const nodes = Array.from({ length: 400 }, (_, index) => templateNode(`t${index}`, '{% for i in range(200) %}{{ i }}{% endfor %}'));
		const edges = ['start > t0', ...nodes.slice(1).map((node, index) => `t${index} > ${node.id}`)];
		let turns = 0;
		const timer = setInterval(() => turns++, 1);
		const { data } = await run(testAgent([startNode(), ...nodes], edges));
		clearInterval(timer);
		assert.equal(data.status, 'succeeded');
		assert.ok(turns > 1, `${turns} turns in ${data.elapsed_time} s`);
	});
});
