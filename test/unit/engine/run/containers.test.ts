import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { EngineServices } from '#engine/run/engineTypes.ts';
import { waitUntil } from '../../../support/waitUntil.ts';
import { createEndNode, createStartNode, createTestAgent, createTestServices, runTestAgent, type TestNode } from './engineFixture.ts';

/** Creates a model that repeats its prompt after a delay, and fails for "bad". */
function replyWithEcho(ms: number): {
	readonly services: EngineServices;
	readonly state: { running: number; most: number; asked: number };
} {
	const state = { running: 0, most: 0, asked: 0 };
	const services = createTestServices(async function* ({ messages }, signal) {
		state.running++;
		state.asked++;
		state.most = Math.max(state.most, state.running);
		try {
			const text = String(messages[0]?.content);
			await delay(text.startsWith('slow') ? 60_000 : ms, undefined, { signal });
			if (text === 'bad') {
				throw new Error('bad item');
			}
			yield { type: 'text', text: `<${text}>` };
			yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 1, completionTokens: 1 } };
		} finally {
			state.running--;
		}
	});
	return { services, state };
}

function createIterationAgent(settings: object, items: readonly unknown[]) {
	const nodes: TestNode[] = [
		createStartNode(),
		{
			id: 'it',
			data: {
				type: 'iteration',
				start_node_id: 'its',
				iterator_selector: ['conversation', 'l'],
				output_selector: ['ask', 'text'],
				flatten_output: false,
				...settings,
			},
		},
		{ id: 'its', parentId: 'it', data: { type: 'iteration-start' } },
		{ id: 'ask', parentId: 'it', data: { type: 'llm', model: { name: 'm' }, prompt_template: [{ role: 'user', text: '{{#it.item#}}' }] } },
		createEndNode({ o: 'it.output' }),
	];
	return createTestAgent(nodes, ['start > it', 'its > ask', 'it > end'], {
		workflow: { conversation_variables: [{ name: 'l', value_type: 'array[any]', value: items }] },
	});
}

const letters = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('iteration', () => {
	it('runs as many rounds concurrently as allowed, and keeps their order', async () => {
		const { services, state } = replyWithEcho(10);
		const { data, events } = await runTestAgent(createIterationAgent({ is_parallel: true, parallel_nums: 3 }, letters), {}, services);
		assert.deepEqual(
			data.outputs?.['o'],
			letters.map(letter => `<${letter}>`),
		);
		assert.equal(state.most, 3);
		assert.equal(data.total_tokens, 14);
		assert.equal(data.total_steps, 3);
		const completed = events.find(({ event }) => event === 'iteration_completed') as
			| { data: { total_tokens: number; steps: number } }
			| undefined;
		assert.deepEqual([completed?.data.total_tokens, completed?.data.steps], [14, 7]);
	});

	it('runs one round after another unless it is parallel', async () => {
		const { services, state } = replyWithEcho(1);
		await runTestAgent(createIterationAgent({}, letters), {}, services);
		assert.equal(state.most, 1);
	});

	it('starts no round after a failed one in mode terminated, but lets active ones finish and keeps their outputs', async () => {
		const { services, state } = replyWithEcho(5);
		const agent = createIterationAgent({ is_parallel: true, parallel_nums: 3 }, ['a', 'bad', 'b', 'c', 'd']);
		const { data, events, trace } = await runTestAgent(agent, {}, services);
		assert.deepEqual([data.status, data.error, data['exceptions_count'], state.running], ['failed', 'bad item', 2, 0]);
		assert.ok(state.asked < 5);
		assert.deepEqual(trace.slice(-2), ['iteration_completed it', 'workflow_finished failed']);
		const completed = events.find(({ event }) => event === 'iteration_completed') as
			| { data: { outputs: { output: unknown[] } } }
			| undefined;
		assert.deepEqual(completed?.data.outputs.output.slice(0, 2), ['<a>', '<b>']);
	});

	it('continues with null or without the failed round', async () => {
		const items = ['a', 'bad', 'b'];
		const kept = await runTestAgent(createIterationAgent({ error_handle_mode: 'continue-on-error' }, items), {}, replyWithEcho(1).services);
		assert.deepEqual([kept.data.status, kept.data.outputs?.['o']], ['partial-succeeded', ['<a>', null, '<b>']]);
		const dropped = await runTestAgent(
			createIterationAgent({ error_handle_mode: 'remove-abnormal-output', is_parallel: true }, items),
			{},
			replyWithEcho(1).services,
		);
		assert.deepEqual([dropped.data.status, dropped.data.outputs?.['o']], ['partial-succeeded', ['<a>', '<b>']]);
	});

	it('refuses a list with more rounds than a run may have, before the first one', async () => {
		const { services, state } = replyWithEcho(1);
		const { data } = await runTestAgent(
			createIterationAgent({ error_handle_mode: 'continue-on-error' }, Array(501).fill('a')),
			{},
			services,
		);
		assert.equal(data.status, 'failed');
		assert.match(String(data.error), /has 501 items, but a run can start at most 500 nodes/);
		assert.equal(state.asked, 0);
	});

	it('runs no more concurrent rounds than the hosted service offers', async () => {
		const { services, state } = replyWithEcho(5);
		const { data } = await runTestAgent(createIterationAgent({ is_parallel: true, parallel_nums: 1e9 }, Array(40).fill('a')), {}, services);
		assert.deepEqual([data.status, state.most], ['succeeded', 10]);
	});

	it('returns an empty list for an empty one', async () => {
		const { data } = await runTestAgent(createIterationAgent({}, []), {}, replyWithEcho(1).services);
		assert.deepEqual([data.status, data.outputs?.['o']], ['succeeded', []]);
	});

	it('is stopped with its rounds, and reports it', async () => {
		const { services, state } = replyWithEcho(1);
		const stop = new AbortController();
		const running = runTestAgent(
			createIterationAgent({ is_parallel: true, parallel_nums: 2 }, ['slow', 'slow', 'slow']),
			{ signal: stop.signal },
			services,
		);
		await waitUntil('two requests', () => state.asked === 2);
		stop.abort();
		const { data, events, trace } = await running;
		assert.deepEqual([data.status, state.running, state.asked], ['stopped', 0, 2]);
		assert.deepEqual(trace.slice(-4), [
			'node_finished ask stopped',
			'node_finished ask stopped',
			'iteration_completed it',
			'workflow_finished stopped',
		]);
		const completed = events.find(({ event }) => event === 'iteration_completed') as { data: { status: string } } | undefined;
		assert.equal(completed?.data.status, 'stopped');
	});
});

function createLoopAgent(settings: object, inside: readonly TestNode[], edges: readonly string[]) {
	const nodes: TestNode[] = [
		createStartNode(),
		{ id: 'lp', data: { type: 'loop', start_node_id: 'lps', loop_count: 5, break_conditions: [], loop_variables: [], ...settings } },
		{ id: 'lps', parentId: 'lp', data: { type: 'loop-start' } },
		...inside.map(node => ({ ...node, parentId: 'lp' })),
		createEndNode({ n: 'lp.n', rounds: 'lp.loop_round', last: 'say.output' }),
	];
	return createTestAgent(nodes, ['start > lp', 'lp > end', ...edges]);
}

const add: TestNode = {
	id: 'add',
	data: { type: 'assigner', version: '2', items: [{ variable_selector: ['lp', 'n'], input_type: 'constant', operation: '+=', value: 1 }] },
};
const say: TestNode = {
	id: 'say',
	data: { type: 'template-transform', template: 'n={{ n }}', variables: [{ variable: 'n', value_selector: ['lp', 'n'] }] },
};
const number = { label: 'n', var_type: 'number', value_type: 'constant', value: '0' };

describe('loop', () => {
	for (const value of [null, 'start.n', 5, {}]) {
		it(`fails for a variable taken from ${JSON.stringify(value)}, which isn't a selector`, async () => {
			const { data } = await runTestAgent(
				createLoopAgent({ loop_variables: [{ ...number, value_type: 'variable', value }] }, [add], ['lps > add']),
			);
			assert.deepEqual([data.status, data.error], ['failed', 'Invalid value for loop variable n']);
		});
	}

	it('repeats until its count is reached, and the outputs of its last round are readable outside', async () => {
		const { data } = await runTestAgent(
			createLoopAgent({ loop_count: 3, loop_variables: [number] }, [add, say], ['lps > add', 'add > say']),
		);
		assert.deepEqual(data.outputs, { n: 3, rounds: 3, last: 'n=3' });
	});

	it('ends at a loop-end node', async () => {
		const check: TestNode = {
			id: 'check',
			data: {
				type: 'if-else',
				cases: [
					{
						case_id: 'true',
						logical_operator: 'and',
						conditions: [{ variable_selector: ['lp', 'n'], comparison_operator: '=', value: '2' }],
					},
				],
			},
		};
		const stop: TestNode = { id: 'stop', data: { type: 'loop-end' } };
		const edges = ['lps > add', 'add > check', 'check [true] > stop', 'check [false] > say'];
		const { data, events } = await runTestAgent(createLoopAgent({ loop_variables: [number] }, [add, check, stop, say], edges));
		assert.deepEqual(data.outputs, { n: 2, rounds: 2, last: null });
		const completed = events.find(({ event }) => event === 'loop_completed') as { data: { completed_reason: string } } | undefined;
		assert.equal(completed?.data.completed_reason, 'loop_break');
	});

	it('fails for a variable of another type, or a missing one', async () => {
		const broken = await runTestAgent(createLoopAgent({ loop_variables: [{ ...number, value: 'x' }] }, [add], ['lps > add']));
		assert.match(String(broken.data.error), /Loop variable n: 'x' isn't a value of type number/);
		const missing = await runTestAgent(
			createLoopAgent({ loop_variables: [{ ...number, value_type: 'variable', value: ['ghost', 'n'] }] }, [add], ['lps > add']),
		);
		assert.match(String(missing.data.error), /Invalid value for loop variable n/);
		const unset = await runTestAgent(
			createLoopAgent({ loop_variables: [{ ...number, value_type: 'variable', value: null }] }, [add], ['lps > add']),
		);
		assert.match(String(unset.data.error), /Invalid value for loop variable n/);
	});

	it('accepts a condition on variables that only its rounds set', async () => {
		const condition = { variable_selector: ['say', 'output'], comparison_operator: 'is', value: 'n=2' };
		const { data } = await runTestAgent(
			createLoopAgent(
				{ loop_variables: [number], break_conditions: [condition], logical_operator: 'and' },
				[add, say],
				['lps > add', 'add > say'],
			),
		);
		assert.deepEqual(data.outputs, { n: 2, rounds: 2, last: 'n=2' });
	});

	it('starts a loop inside it again in each round, with a condition on variables that only its rounds set', async () => {
		const condition = { variable_selector: ['say', 'output'], comparison_operator: 'not empty', value: '' };
		const begin: TestNode = { id: 'begin', data: { type: 'loop-start' } };
		const nested: TestNode = {
			id: 'nested',
			data: { type: 'loop', start_node_id: 'begin', loop_count: 5, break_conditions: [condition], loop_variables: [] },
		};
		const agent = createTestAgent(
			[
				createStartNode(),
				{ id: 'lp', data: { type: 'loop', start_node_id: 'lps', loop_count: 3, break_conditions: [], loop_variables: [number] } },
				...[{ id: 'lps', data: { type: 'loop-start' } }, nested].map(node => ({ ...node, parentId: 'lp' })),
				...[begin, add, say].map(node => ({ ...node, parentId: 'nested' })),
				createEndNode({ n: 'lp.n', rounds: 'lp.loop_round' }),
			],
			['start > lp', 'lp > end', 'lps > nested', 'begin > add', 'add > say'],
		);
		assert.deepEqual((await runTestAgent(agent)).data.outputs, { n: 3, rounds: 3 });
	});
});
