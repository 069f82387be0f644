import assert from 'node:assert/strict';
import type { PartialRun } from '#contract/partialRun.ts';
import { createPartialAgent } from '#engine/standIns/partialAgents.ts';
import { closeDebugging, type DebuggedRun, type Stopped, startDebugging } from '../run/debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, runTestAgent } from '../run/engineFixture.ts';

const createChain = () =>
	createTestAgent(
		[
			createStartNode('t'),
			createTemplateNode('a', 'A {{ t }}', { t: 'start.t' }),
			createTemplateNode('b', 'B {{ a }} {{ t }}', { a: 'a.output', t: 'start.t' }),
			createTemplateNode('c', 'C {{ b }} {{ a }}', { b: 'b.output', a: 'a.output' }),
			createEndNode({ out: 'c.output' }),
		],
		['start > a', 'a > b', 'b > c', 'c > end'],
	);

const createEachItemAgent = () =>
	createTestAgent(
		[
			createStartNode('t'),
			createTemplateNode('a', 'A'),
			{ id: 'list', data: { type: 'code', code: '', code_language: 'javascript', outputs: {} } },
			{
				id: 'each',
				data: { type: 'iteration', start_node_id: 'begin', iterator_selector: ['list', 'result'], output_selector: ['two', 'output'] },
			},
			{ id: 'begin', parentId: 'each', data: { type: 'iteration-start' } },
			{ ...createTemplateNode('one', 'one {{ x }}', { x: 'each.item' }), parentId: 'each' },
			{ ...createTemplateNode('two', '{{ x }} {{ a }}', { x: 'one.output', a: 'a.output' }), parentId: 'each' },
			createEndNode({ out: 'each.output' }),
		],
		['start > a', 'a > list', 'list > each', 'begin > one', 'one > two', 'each > end'],
	);

const listBreakpoints = (...nodes: string[]) => nodes.map(node => ({ id: `at-${node}`, node }));

function setValue({ session, inspection }: DebuggedRun, { branch }: Stopped, path: (string | number)[], value: unknown): void {
	const found = session.branches.findBranchById(branch);
	assert.ok(found);
	inspection.setVariable(found, { command: 'set_variable', branch, path, value });
}

async function createPart(
	agent: ReturnType<typeof createTestAgent>,
	part: PartialRun,
	{ reported }: DebuggedRun,
	inputs: Record<string, unknown> = { t: 'tea' },
) {
	const { agent: made, ...options } = createPartialAgent(
		agent,
		{ part, events: reported.map(event => JSON.stringify(event)) },
		{ describeUpload: () => undefined },
	);
	return (await runTestAgent(made, { ...options, inputs })).data.outputs;
}

describe('a run with manually set values, run again from a node', () => {
	after(closeDebugging);

	it('continues with them like the run did, up to that node', async () => {
		const first = startDebugging(createChain(), { breakpoints: listBreakpoints('b', 'c') }, { more: { inputs: { t: 'tea' } } });
		setValue(first, await first.stop(), ['outputs', 'a', 'output'], 'hand');
		setValue(
			first,
			{ ...(first.reported.findLast(({ event }) => event === 'debug_stopped') as unknown as { data: Stopped }).data },
			['outputs', 'start', 't'],
			'mate',
		);
		first.session.continueRun();
		setValue(first, await first.stop(), ['outputs', 'a', 'output'], 'later');
		first.session.continueRun();
		assert.deepEqual((await first.outcome).data.outputs, { out: 'C B hand mate later' });
		assert.deepEqual(await createPart(createChain(), { node: 'b', how: 'from' }, first), { out: 'C B hand mate hand' });
		assert.deepEqual(await createPart(createChain(), { node: 'b', how: 'only' }, first), { output: 'B hand mate' });
		assert.deepEqual(await createPart(createChain(), { node: 'c', how: 'from' }, first), { out: 'C B hand mate later' });
		assert.deepEqual(
			await createPart(createChain(), { node: 'a', how: 'from' }, first),
			{ out: 'C B A tea tea A tea' },
			'nothing was set by then',
		);
		const given = { node: 'b', how: 'from', variables: { a: { output: 'given' } } } as const;
		assert.deepEqual(await createPart(createChain(), given, first), { out: 'C B given mate given' });
	});

	it('uses the new output of a node that ran again instead of values set before', async () => {
		const first = startDebugging(createChain(), { breakpoints: listBreakpoints('b') }, { more: { inputs: { t: 'tea' } } });
		const stopped = await first.stop();
		setValue(first, stopped, ['outputs', 'a', 'output'], 'hand');
		first.session.restartNode(stopped.branch);
		await first.stop();
		first.session.continueRun();
		assert.deepEqual((await first.outcome).data.outputs, { out: 'C B A tea tea A tea' });
		assert.deepEqual(await createPart(createChain(), { node: 'b', how: 'from' }, first), { out: 'C B A tea tea A tea' });
	});

	it('has the values of a round of a container, and of the enclosing levels', async () => {
		const mocks = { list: { outputs: { result: ['x', 'y'] } } };
		const first = startDebugging(createEachItemAgent(), { breakpoints: listBreakpoints('two') }, { more: { inputs: { t: 'tea' }, mocks } });
		await first.stop();
		first.session.continueRun();
		const second = await first.stop();
		setValue(first, second, ['outputs', 'one', 'output'], 'hand');
		setValue(first, second, ['outputs', 'a', 'output'], 'around');
		first.session.continueRun();
		assert.deepEqual((await first.outcome).data.outputs, { out: ['one x A', 'hand around'] });
		assert.deepEqual(await createPart(createEachItemAgent(), { node: 'two', how: 'only', rounds: [1] }, first), { output: 'hand around' });
		assert.deepEqual(await createPart(createEachItemAgent(), { node: 'two', how: 'only', rounds: [0] }, first), { output: 'one x A' });
		assert.deepEqual(await createPart(createEachItemAgent(), { node: 'two', how: 'from', rounds: [1] }, first), {
			out: ['one x A', 'hand around'],
		});
	});
});
