import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { RunOptions } from '#engine/run/engineTypes.ts';
import { createPartialAgent } from '#engine/standIns/partialAgents.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, runTestAgent, type TestNode } from '../run/engineFixture.ts';

const noFiles = { describeUpload: () => undefined };

/** Runs a part of an agent with the events of a recorded run. */
async function runPart(agent: LoadedAgent, part: PartialRun, events?: readonly WorkflowEvent[], more: Partial<RunOptions> = {}) {
	const piece = createPartialAgent(agent, { part, events: events?.map(event => JSON.stringify(event)) }, noFiles);
	const { agent: made, ...options } = piece;
	return runTestAgent(made, { ...options, ...more });
}

const choice: TestNode = { id: 'if', data: { type: 'if-else', cases: [{ case_id: 'yes', logical_operator: 'and', conditions: [] }] } };

/**
 * Creates an agent with `side` and `if` before `b`, which is between `a` and the end. Another `word` makes another agent of the same nodes.
 */
const createBranchedAgent = (word = 'b', extra: object = {}) =>
	createTestAgent(
		[
			createStartNode('t'),
			createTemplateNode('a', 'a {{ t }}', { t: 'start.t' }),
			createTemplateNode('side', 'side {{ t }}', { t: 'start.t' }),
			choice,
			createTemplateNode('b', `${word} {{ a }}`, { a: 'a.output' }),
			createTemplateNode('never', 'never'),
			createEndNode({ b: 'b.output', side: 'side.output' }),
		],
		['start > a', 'start > side', 'a > if', 'if [yes] > b', 'if [false] > never', 'b > end', 'side > end'],
		extra,
	);

/** Creates an agent with an iteration around `one` and `two`, and a node that uses its output. */
const createRoundsAgent = (word = 'two', kind: 'iteration' | 'loop' = 'iteration') =>
	createTestAgent(
		[
			createStartNode('t'),
			{ id: 'list', data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } },
			kind === 'iteration'
				? {
						id: 'each',
						data: { type: 'iteration', start_node_id: 'begin', iterator_selector: ['list', 'result'], output_selector: ['two', 'output'] },
					}
				: {
						id: 'each',
						data: {
							type: 'loop',
							start_node_id: 'begin',
							loop_count: 3,
							loop_variables: [{ label: 'text', var_type: 'string', value_type: 'constant', value: '.' }],
							break_conditions: [],
							logical_operator: 'and',
						},
					},
			{ id: 'begin', parentId: 'each', data: { type: `${kind}-start` } },
			{ ...createTemplateNode('one', 'one {{ x }}', { x: kind === 'iteration' ? 'each.item' : 'each.text' }), parentId: 'each' },
			{ ...createTemplateNode('two', `${word} {{ x }}`, { x: 'one.output' }), parentId: 'each' },
			...(kind === 'loop'
				? [
						{
							id: 'set',
							parentId: 'each',
							data: {
								type: 'assigner',
								version: '2',
								items: [{ variable_selector: ['each', 'text'], input_type: 'variable', operation: 'over-write', value: ['two', 'output'] }],
							},
						},
					]
				: []),
			createEndNode({ out: kind === 'iteration' ? 'each.output' : 'each.text' }),
		],
		['start > list', 'list > each', 'begin > one', 'one > two', ...(kind === 'loop' ? ['two > set'] : []), 'each > end'],
	);

const list: Mocks = { list: { outputs: { result: ['x', 'y', 'z'] } } };

describe('a part of an agent', () => {
	it('is one node with its inputs from a run, or with given values', async () => {
		const whole = await runTestAgent(createBranchedAgent(), { inputs: { t: 'tea' } });
		const alone = await runPart(createBranchedAgent('again'), { node: 'b', how: 'only' }, whole.events);
		assert.deepEqual([alone.data.status, alone.data.outputs], ['succeeded', { output: 'again a tea' }]);
		assert.deepEqual(
			alone.trace.filter(line => line.startsWith('node_')),
			['node_started b', 'node_finished b succeeded'],
		);
		const given = await runPart(createBranchedAgent(), { node: 'b', how: 'only', variables: { a: { output: 'typed' } } }, whole.events);
		assert.deepEqual(given.data.outputs, { output: 'b typed' });
		const typed = await runPart(createBranchedAgent(), { node: 'b', how: 'only', variables: { a: { output: 'typed' } } });
		assert.deepEqual(typed.data.outputs, { output: 'b typed' });
	});

	it('is everything from a node on, while all other nodes keep their recorded outputs', async () => {
		const whole = await runTestAgent(createBranchedAgent(), { inputs: { t: 'tea' } });
		const from = await runPart(createBranchedAgent('again'), { node: 'b', how: 'from' }, whole.events, { inputs: { t: 'coffee' } });
		assert.deepEqual(from.data.outputs, { b: 'again a tea', side: 'side tea' });
		const recorded = from.events.flatMap(event => {
			const data = ('data' in event ? event.data : {}) as { node_id?: string; recorded?: boolean };
			return event.event === 'node_finished' && data.recorded ? [data.node_id] : [];
		});
		assert.deepEqual(recorded.sort(), ['a', 'if', 'side']);
		assert.deepEqual(from.skippedNodes, ['never']);
		const changed = await runPart(createBranchedAgent(), { node: 'b', how: 'from', variables: { a: { output: 'other' } } }, whole.events);
		assert.deepEqual(changed.data.outputs, { b: 'b other', side: 'side tea' });
	});

	it('is a node in a round of an iteration', async () => {
		const whole = await runTestAgent(createRoundsAgent(), { mocks: list });
		assert.deepEqual(whole.data.outputs, { out: ['two one x', 'two one y', 'two one z'] });
		const alone = await runPart(createRoundsAgent('again'), { node: 'two', how: 'only', rounds: [1] }, whole.events);
		assert.deepEqual(alone.data.outputs, { output: 'again one y' });
		const item = await runPart(createRoundsAgent(), { node: 'one', how: 'only', rounds: [2] }, whole.events);
		assert.deepEqual(item.data.outputs, { output: 'one z' });
		const from = await runPart(createRoundsAgent('again'), { node: 'two', how: 'from', rounds: [1] }, whole.events);
		assert.deepEqual(from.data.outputs, { out: ['two one x', 'again one y', 'two one z'] });
		const container = await runPart(createRoundsAgent('again'), { node: 'each', how: 'only' }, whole.events);
		assert.deepEqual(container.data.outputs, { output: ['again one x', 'again one y', 'again one z'] });
	});

	it('is a node in a round of a loop, with all later rounds', async () => {
		const whole = await runTestAgent(createRoundsAgent('two', 'loop'), { mocks: list });
		assert.deepEqual(whole.data.outputs, { out: 'two one two one two one .' });
		const alone = await runPart(createRoundsAgent('again', 'loop'), { node: 'one', how: 'only', rounds: [1] }, whole.events);
		assert.deepEqual(alone.data.outputs, { output: 'one two one .' });
		const from = await runPart(createRoundsAgent('again', 'loop'), { node: 'two', how: 'from', rounds: [1] }, whole.events);
		assert.deepEqual(from.data.outputs, { out: 'again one again one two one .' });
	});

	it('is refused with a message inside nested containers of one kind, because no record distinguishes the rounds', () => {
		const createLoop = (id: string, inside: object) => ({
			id,
			...inside,
			data: {
				type: 'loop',
				start_node_id: `${id}_begin`,
				loop_count: 2,
				loop_variables: [],
				break_conditions: [],
				logical_operator: 'and',
			},
		});
		const agent = createTestAgent(
			[
				createStartNode('t'),
				createLoop('outer', {}),
				{ id: 'outer_begin', parentId: 'outer', data: { type: 'loop-start' } },
				createLoop('inner', { parentId: 'outer' }),
				{ id: 'inner_begin', parentId: 'inner', data: { type: 'loop-start' } },
				{ ...createTemplateNode('deep', 'deep'), parentId: 'inner' },
				createEndNode({ t: 'start.t' }),
			],
			['start > outer', 'outer_begin > inner', 'inner_begin > deep', 'outer > end'],
		);
		for (const how of ['from', 'only'] as const) {
			assert.throws(() => createPartialAgent(agent, { part: { node: 'deep', how }, events: [] }, noFiles), {
				message: /nested containers of the same kind.* Choose a node outside, such as the outer container/,
			});
		}
	});

	it("says why it can't be run", async () => {
		const whole = await runTestAgent(createBranchedAgent(), { inputs: { t: 'tea' } });
		const events = whole.events.map(event => JSON.stringify(event));
		const assertRefused = (
			part: PartialRun,
			message: RegExp,
			agent = createBranchedAgent(),
			reported: readonly string[] | undefined = events,
		) => assert.throws(() => createPartialAgent(agent, { part, events: reported }, noFiles), { message });
		assertRefused({ node: 'nowhere', how: 'only' }, /no reachable node 'nowhere'/);
		assert.throws(() => createPartialAgent(createBranchedAgent(), { part: { node: 'b', how: 'from' }, events: undefined }, noFiles), {
			message: /^part\.run: expected the ID/,
		});
		assertRefused({ node: 'never', how: 'from' }, /didn't reach the node 'never'/);
		const inRounds = (await runTestAgent(createRoundsAgent(), { mocks: list })).events.map(event => JSON.stringify(event));
		assertRefused(
			{ node: 'two', how: 'from', rounds: [7] },
			/didn't reach the node 'two' in iteration 7 of 'each'/,
			createRoundsAgent(),
			inRounds,
		);
		assertRefused({ node: 'two', how: 'only', rounds: [7] }, /has no such iteration of 'each'/, createRoundsAgent(), inRounds);

		const secret = createBranchedAgent('b', {
			workflow: { environment_variables: [{ name: 'K', value_type: 'secret', value: 'tea-secret' }] },
		});
		const masked = (await runTestAgent(secret, { inputs: { t: 'tea-secret' } })).events.map(event => JSON.stringify(event));
		assertRefused({ node: 'b', how: 'only' }, /^part: 'a' returned a secret in a\.output, which isn't stored with the run/, secret, masked);
		assertRefused({ node: 'b', how: 'from' }, /returned a secret/, secret, masked);
		createPartialAgent(secret, { part: { node: 'b', how: 'only', variables: { a: { output: 'given' } } }, events: masked }, noFiles);

		const file = {
			dify_model_identity: '__dify__file__',
			type: 'image',
			transfer_method: 'local_file',
			related_id: 'gone',
			filename: 'tide.png',
		};
		const gone = events.map(event => event.replaceAll('"a tea"', JSON.stringify(file)));
		assertRefused({ node: 'b', how: 'only' }, /^part: the file 'tide\.png' returned by 'a' no longer exists/, createBranchedAgent(), gone);
	});
});
