import assert from 'node:assert/strict';
import {
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	runTestAgent,
	type TestEdge,
	type TestNode,
} from './engineFixture.ts';

/** A long value as an input of the run. A file can also contain one as a default. */
const inputs = { q: 'x'.repeat(1_000_000) };
/** Upper bound for the total characters of a run's events if its limits are enforced. */
const mostTold = 120_000_000;

const createAnswerNode = (id: string, answer: string, parentId?: string): TestNode => ({
	id,
	...(parentId && { parentId }),
	data: { type: 'answer', answer },
});

const longSource = { type: 'variable', selector: ['start', 'q'] };

const createFormNode = (id: string, inputs: readonly object[]): TestNode => ({
	id,
	data: { type: 'human-input', form_content: 'Fine?', inputs, user_actions: [{ id: 'ok', title: 'OK' }] },
});

async function runToEnd(mode: string, nodes: readonly TestNode[], edges: readonly TestEdge[]) {
	let reported = 0;
	const agent = createTestAgent([createStartNode('q'), ...nodes], edges, { mode });
	const { data, events } = await runTestAgent(agent, {
		inputs: { ...inputs, l: Array(100_000).fill('y') },
		mayPause: true,
		emit: event => {
			reported += JSON.stringify(event).length;
		},
	});
	assert.ok(reported < mostTold, `${reported} characters were reported`);
	return { status: data.status, error: data.error ?? '', events };
}

describe('a small file that references a long value many times', () => {
	it('fails if its answers contain each other many times', async () => {
		const nodes = [1, 2, 3].map(at => createAnswerNode(`a${at}`, (at === 1 ? 'x'.repeat(1000) : `{{#a${at - 1}.answer#}}`).repeat(60)));
		const { status, error } = await runToEnd('advanced-chat', nodes, ['start > a1', 'a1 > a2', 'a2 > a3']);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a run/);
	});

	it('fails if its first answer contains an input many times', async () => {
		const { status, error } = await runToEnd('advanced-chat', [createAnswerNode('a', '{{#start.q#}}'.repeat(200))], ['start > a']);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a run/);
	});

	it('fails if it outputs an input under many names', async () => {
		const outputs = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`o${at}`, 'start.q']));
		const { status, error } = await runToEnd('workflow', [createEndNode(outputs)], ['start > end']);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a run/);
	});

	it('fails if a node gets it under many names, and reports none of them', async () => {
		const variables = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`v${at}`, 'start.q']));
		const { status, error, events } = await runToEnd(
			'workflow',
			[createTemplateNode('t', '{{ v1 }}', variables), createEndNode({ o: 't.output' })],
			['start > t', 't > end'],
		);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a node/);
		const finished = events.find(event => event.event === 'node_finished' && (event as { data: { node_id: string } }).data.node_id === 't');
		assert.equal((finished as { data?: { inputs: unknown } } | undefined)?.data?.inputs, null);
	});

	it('fails if it is filled into a text many times', async () => {
		const request: TestNode = {
			id: 'h',
			data: {
				type: 'http-request',
				method: 'post',
				url: 'http://127.0.0.1:9/',
				body: { type: 'raw-text', data: [{ key: '', type: 'text', value: '{{#start.q#}}'.repeat(200) }] },
			},
		};
		const { status, error } = await runToEnd('workflow', [request, createEndNode({ o: 'h.body' })], ['start > h', 'h > end']);
		assert.equal(status, 'failed');
		assert.match(error, /A text with inserted values is longer than/);
	});

	it('fails if each round of an iteration returns it', async () => {
		const nodes: TestNode[] = [
			{
				id: 'c',
				data: {
					type: 'code',
					code_language: 'javascript',
					code: 'const main = () => ({ l: Array(200).fill(1) })',
					variables: [],
					outputs: { l: { type: 'array[number]' } },
				},
			},
			{ id: 'it', data: { type: 'iteration', start_node_id: 'its', iterator_selector: ['c', 'l'], output_selector: ['start', 'q'] } },
			{ id: 'its', parentId: 'it', data: { type: 'iteration-start' } },
			{ ...createTemplateNode('t', 'y'), parentId: 'it' },
			createEndNode({ o: 'it.output' }),
		];
		const { status, error } = await runToEnd('workflow', nodes, ['start > c', 'c > it', 'its > t', 'it > end']);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a node/);
	});

	it('fails if an iteration joins a long list of each round, before it joins them', async () => {
		const nodes: TestNode[] = [
			{
				id: 'it',
				data: { type: 'iteration', start_node_id: 'its', iterator_selector: ['start', 'rounds'], output_selector: ['start', 'l'] },
			},
			{ id: 'its', parentId: 'it', data: { type: 'iteration-start' } },
			{ ...createTemplateNode('t', 'y'), parentId: 'it' },
			createEndNode({ o: 'it.output' }),
		];
		const agent = createTestAgent([createStartNode('q'), ...nodes], ['start > it', 'its > t', 'it > end']);
		const before = process.memoryUsage().rss;
		const { data } = await runTestAgent(agent, { inputs: { l: Array(400_000).fill(1), rounds: Array(200).fill(1) } });
		assert.equal(data.status, 'failed');
		assert.match(data.error ?? '', /the limit for a node/);
		assert.ok(process.memoryUsage().rss - before < 300_000_000);
	});

	it('is cut in the message of an error', async () => {
		const items = [{ variable_selector: ['conversation', 'n'], input_type: 'variable', operation: 'over-write', value: ['start', 'q'] }];
		const agent = createTestAgent(
			[createStartNode('q'), { id: 'a', data: { type: 'assigner', version: '2', items } }, createAnswerNode('done', 'done')],
			['start > a', 'a > done'],
			{ mode: 'advanced-chat', workflow: { conversation_variables: [{ name: 'n', value_type: 'number', value: 1 }] } },
		);
		const { data } = await runTestAgent(agent, { inputs });
		assert.match(data.error ?? '', /^Invalid input value x/);
		assert.ok((data.error ?? '').length < 200_000);
	});

	it('fails if each round of a loop adds it to the answer', async () => {
		const nodes: TestNode[] = [
			{ id: 'l', data: { type: 'loop', start_node_id: 'ls', loop_count: 100, loop_variables: [], break_conditions: [] } },
			{ id: 'ls', parentId: 'l', data: { type: 'loop-start' } },
			createAnswerNode('a', '{{#start.q#}}', 'l'),
			createAnswerNode('done', 'done'),
		];
		const { status, error } = await runToEnd('advanced-chat', nodes, ['start > l', 'ls > a', 'l > done']);
		assert.equal(status, 'failed');
		assert.match(error, /A text with inserted values is longer than/);
	});

	it('fails if it is filled into many fields of a form that is sent', async () => {
		const data = Array.from({ length: 200 }, (_, at) => ({ key: `k${at}`, type: 'text', value: '{{#start.q#}}' }));
		const request: TestNode = {
			id: 'h',
			data: { type: 'http-request', method: 'post', url: 'http://127.0.0.1:9/', body: { type: 'x-www-form-urlencoded', data } },
		};
		const { status, error } = await runToEnd('workflow', [request, createEndNode({ o: 'h.body' })], ['start > h', 'h > end']);
		assert.equal(status, 'failed');
		assert.match(error, /A text with inserted values is longer than/);
	});

	it('fails if many conditions search it, before any of them does', async () => {
		const condition = { variable_selector: ['start', 'q'], comparison_operator: 'contains', value: `${'x'.repeat(1000)}y` };
		const cases = [{ case_id: 'true', logical_operator: 'or', conditions: Array(200).fill(condition) }];
		const began = process.cpuUsage();
		const nodes = [{ id: 'i', data: { type: 'if-else', cases } }, createEndNode({ o: 'start.q' })];
		const { status, error } = await runToEnd('workflow', nodes, ['start > i', 'i [true] > end']);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a node/);
		assert.ok(process.cpuUsage(began).user < 1_000_000);
	});

	it('fails if each change of an assigner doubles a list', async () => {
		const list = ['conversation', 'l'];
		const items = Array.from({ length: 60 }, () => ({ variable_selector: list, input_type: 'variable', operation: 'extend', value: list }));
		const agent = createTestAgent(
			[createStartNode('q'), { id: 'a', data: { type: 'assigner', version: '2', items } }, createAnswerNode('done', 'done')],
			['start > a', 'a > done'],
			{
				mode: 'advanced-chat',
				workflow: { conversation_variables: [{ name: 'l', value_type: 'array[string]', value: ['x'.repeat(10_000)] }] },
			},
		);
		const { data } = await runTestAgent(agent, {});
		assert.equal(data.status, 'failed');
		assert.match(data.error ?? '', /the limit for a node/);
	});

	it('fails if many variables of a loop contain it, and reports none of them', async () => {
		const variables = Array.from({ length: 100 }, (_, at) => ({
			label: `v${at}`,
			var_type: 'string',
			value_type: 'variable',
			value: ['start', 'q'],
		}));
		const nodes: TestNode[] = [
			{ id: 'l', data: { type: 'loop', start_node_id: 'ls', loop_count: 3, loop_variables: variables, break_conditions: [] } },
			{ id: 'ls', parentId: 'l', data: { type: 'loop-start' } },
			{ ...createTemplateNode('t', 'y'), parentId: 'l' },
			createEndNode({ o: 'l.v1' }),
		];
		const { status, error, events } = await runToEnd('workflow', nodes, ['start > l', 'ls > t', 'l > end']);
		assert.equal(status, 'failed');
		assert.match(error, /the limit for a node/);
		assert.ok(!events.some(({ event }) => event === 'loop_started'));
	});

	for (const [source, inputs] of [
		['initial value', (at: number) => ({ type: 'paragraph', output_variable_name: `v${at}`, default: longSource })],
		[
			'list of options',
			(at: number) => ({ type: 'select', output_variable_name: `v${at}`, option_source: { ...longSource, selector: ['start', 'l'] } }),
		],
	] as const) {
		it(`fails if it is the ${source} of many inputs of a form`, async () => {
			const form = createFormNode(
				'h',
				Array.from({ length: 100 }, (_, at) => inputs(at)),
			);
			const { status, error } = await runToEnd('workflow', [form, createEndNode({ o: 'h.v1' })], ['start > h', 'h [ok] > end']);
			assert.equal(status, 'failed');
			assert.match(error, /the limit for a node/);
		});
	}

	it('fails if it waits for input with values that many nodes output', async () => {
		const copies = Array.from(
			{ length: 120 },
			(_, at): TestNode => ({
				id: `c${at}`,
				data: { type: 'variable-aggregator', output_type: 'string', variables: [['start', 'q']] },
			}),
		);
		const agent = createTestAgent(
			[createStartNode('q'), ...copies, createFormNode('h', []), createEndNode({ o: 'h.v1' })],
			[...copies.map(({ id }) => `start > ${id}`), 'c0 > h', 'h [ok] > end'],
		);
		const { data, paused } = await runTestAgent(agent, { inputs, mayPause: true });
		assert.equal(data.status, 'failed');
		assert.match(data.error ?? '', /the limit for a run that waits for input/);
		assert.equal(paused, undefined);
	});
});
