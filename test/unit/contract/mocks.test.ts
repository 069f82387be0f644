import assert from 'node:assert/strict';
import type { Mocks } from '#contract/mocks.ts';
import { checkMocks } from '#engine/standIns/checkMocks.ts';
import {
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	runTestAgent,
	type TestNode,
} from '../engine/run/engineFixture.ts';

const model = { provider: 'x', name: 'x', mode: 'chat', completion_params: {} };
const classifier: TestNode = {
	id: 'sort',
	data: {
		type: 'question-classifier',
		query_variable_selector: ['start', 't'],
		model,
		classes: [
			{ id: 'fault', name: 'A fault' },
			{ id: 'else', name: 'All else' },
		],
	},
};
const choice: TestNode = {
	id: 'urgent',
	data: { type: 'if-else', cases: [{ case_id: 'yes', logical_operator: 'and', conditions: [] }] },
};

const createSortingAgent = () =>
	createTestAgent(
		[
			createStartNode('t'),
			classifier,
			choice,
			createTemplateNode('a', 'a'),
			createTemplateNode('b', 'b'),
			createEndNode({ a: 'a.output', b: 'b.output' }),
		],
		['start > sort', 'sort [fault] > urgent', 'sort [else] > b', 'urgent [yes] > a', 'urgent [false] > b', 'a > end', 'b > end'],
	);

const createContainer = () =>
	createTestAgent(
		[
			createStartNode('t'),
			{
				id: 'each',
				data: { type: 'iteration', start_node_id: 'begin', iterator_selector: ['list', 'result'], output_selector: ['one', 'output'] },
			},
			{ id: 'begin', parentId: 'each', data: { type: 'iteration-start' } },
			{ ...createTemplateNode('one', 'one'), parentId: 'each' },
			{ id: 'list', data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } },
			createEndNode({ out: 'each.output' }),
		],
		['start > list', 'list > each', 'begin > one', 'each > end'],
	);

describe('mocks', () => {
	it('replace nodes, choose their output handles, and are marked in events', async () => {
		const mocks: Mocks = { sort: { outputs: { class_name: 'A fault' } }, urgent: { outputs: { result: false } } };
		const { data, events, trace } = await runTestAgent(createSortingAgent(), { mocks });
		assert.deepEqual([data.status, data.outputs], ['succeeded', { a: null, b: 'b' }]);
		assert.ok(!trace.includes('node_started a'));
		for (const event of events) {
			const { node_id: node, mocked } = ('data' in event ? event.data : {}) as { node_id?: string; mocked?: boolean };
			assert.equal(mocked, node === 'sort' || node === 'urgent' ? true : undefined, event.event);
		}
	});

	it("take the output handle in 'handle' or in an output", async () => {
		const listBranches = async (mocks: Mocks) => (await runTestAgent(createSortingAgent(), { mocks })).data.outputs;
		assert.deepEqual(await listBranches({ sort: { outputs: { class_id: 'else' } } }), { a: null, b: 'b' });
		assert.deepEqual(await listBranches({ sort: { outputs: {}, handle: 'fault' }, urgent: { outputs: { selected_case_id: 'yes' } } }), {
			a: 'a',
			b: null,
		});
	});

	it('can have an entry per attempt, the last of which is repeated', async () => {
		const retried = {
			...createTemplateNode('a', 'a'),
			data: { ...createTemplateNode('a', 'a').data, retry_config: { retry_enabled: true, max_retries: 2, retry_interval: 1 } },
		};
		const agent = createTestAgent([createStartNode('t'), retried, createEndNode({ out: 'a.output' })], ['start > a', 'a > end']);
		const { data, trace } = await runTestAgent(agent, {
			mocks: { a: [{ error: 'first' }, { error: 'second' }, { outputs: { output: 'third' } }] },
		});
		assert.deepEqual(data.outputs, { out: 'third' });
		assert.equal(trace.filter(line => line === 'node_retry a').length, 2);
		const { data: failed } = await runTestAgent(agent, { mocks: { a: { error: 'no luck', error_type: 'Luck' } } });
		assert.deepEqual([failed.status, failed.error], ['failed', 'no luck']);
	});

	it('replace a whole container, or nodes in its iterations in order', async () => {
		const whole = await runTestAgent(createContainer(), {
			mocks: { list: { outputs: { result: [1, 2] } }, each: { outputs: { output: ['x'] } } },
		});
		assert.deepEqual(whole.data.outputs, { out: ['x'] });
		assert.deepEqual(
			whole.trace.filter(line => line.startsWith('iteration_')),
			['iteration_started each', 'iteration_completed each'],
		);
		const rounds = await runTestAgent(createContainer(), {
			mocks: { list: { outputs: { result: [1, 2, 3] } }, one: [{ outputs: { output: 'p' } }, { outputs: { output: 'q' } }] },
		});
		assert.deepEqual(rounds.data.outputs, { out: ['p', 'q', 'q'] });
		const failed = await runTestAgent(createContainer(), { mocks: { list: { outputs: { result: [1] } }, each: { error: 'broken' } } });
		assert.deepEqual([failed.data.status, failed.data.error], ['failed', 'broken']);
		assert.equal(failed.trace.filter(line => line === 'iteration_completed each').length, 1);
	});

	it("are refused with a message if they don't fit the agent", () => {
		const assertRefused = (mocks: Mocks, message: RegExp) => assert.throws(() => checkMocks(createSortingAgent(), mocks), { message });
		assertRefused({ nowhere: { outputs: {} } }, /^mocks: the agent has no reachable node 'nowhere'/);
		assertRefused({ toString: { outputs: {} } } as unknown as Mocks, /no reachable node 'toString'/);
		assertRefused(
			{ sort: { outputs: {}, handle: 'urgent' } },
			/^mocks\.sort\.handle: the node has no output handle 'urgent'\. Expected one of 'fault', 'else'\.$/,
		);
		assertRefused(
			{ urgent: [{ outputs: { result: true } }, { outputs: {} }] },
			/^mocks\.urgent\[1\]: the output handle is missing\. Expected 'handle' or the output 'selected_case_id' to be one of 'yes', 'false'\.$/,
		);
		assert.throws(() => checkMocks(createContainer(), { begin: { outputs: {} } }), /start of an iteration or loop/);
		checkMocks(createContainer(), { one: { outputs: { output: 1 } } });
	});
});
