import assert from 'node:assert/strict';
import { NodeError } from '#engine/nodes/nodeError.ts';
import { runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import { closeDebugging, listPositions, type Stopped, startDebugging } from '../../engine/run/debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, type TestNode } from '../../engine/run/engineFixture.ts';

const createChain = () =>
	createTestAgent(
		[
			createStartNode('t'),
			createTemplateNode('a', 'A {{ t }}', { t: 'start.t' }),
			createTemplateNode('b', 'B {{ a }}', { a: 'a.output' }),
			createEndNode({ out: 'b.output' }),
		],
		['start > a', 'a > b', 'b > end'],
	);

const createBreakpoint = (node: string, more: object = {}) => ({ id: `at-${node}`, node, ...more });

/** Two branches of two nodes each, which join. */
const createFork = () =>
	createTestAgent(
		[
			createStartNode('t'),
			...['l1', 'l2', 'r1', 'r2', 'join'].map(id => createTemplateNode(id, id)),
			createEndNode({ out: 'join.output' }),
		],
		['start > l1', 'start > r1', 'l1 > l2', 'r1 > r2', 'l2 > join', 'r2 > join', 'join > end'],
	);

/** An iteration over the comma-separated items of `start.t`, with two nodes inside. */
function createEachAgent(
	parallel: boolean,
	inside: readonly TestNode[] = ['one', 'two'].map(id => ({
		...createTemplateNode(id, `${id} {{ x }}`, { x: 'each.item' }),
		parentId: 'each',
	})),
): Parameters<typeof createTestAgent> {
	return [
		[
			createStartNode('t'),
			{
				id: 'each',
				data: {
					type: 'iteration',
					start_node_id: 'begin',
					iterator_selector: ['list', 'result'],
					output_selector: ['two', 'output'],
					is_parallel: parallel,
					parallel_nums: 3,
				},
			},
			{ id: 'begin', parentId: 'each', data: { type: 'iteration-start' } },
			...inside,
			{ id: 'list', data: { type: 'list-operator', variable: ['sys', 'items'] } },
			createEndNode({ out: 'each.output' }),
		],
		['start > list', 'list > each', 'begin > one', 'one > two', 'each > end'],
	];
}

/** Creates the list that {@link createEachAgent} iterates over. */
const createListed =
	(items: readonly unknown[], then: Execute = runNode): Execute =>
	context =>
		context.node.id === 'list' ? { outputs: { result: items } } : then(context);

describe('a debug session', () => {
	after(closeDebugging);

	it("stops before a node with a breakpoint that hasn't started, and continues", async () => {
		const run = startDebugging(createChain(), { breakpoints: [createBreakpoint('b')] }, { more: { inputs: { t: 'tea' } } });
		const stopped = await run.stop();
		assert.deepEqual([stopped.reason, stopped.breakpoints, listPositions(stopped)], ['breakpoint', ['at-b'], ['b']]);
		assert.deepEqual(run.listStarted(), ['start', 'a']);
		run.session.continueRun();
		const { data } = await run.outcome;
		assert.deepEqual([data.status, data.outputs], ['succeeded', { out: 'B A tea' }]);
	});

	it('stops on entry, and steps from node to node to the end', async () => {
		const run = startDebugging(createChain(), { stop_on_entry: true });
		const seen: string[] = [];
		let stopped: Stopped = await run.stop();
		assert.equal(stopped.reason, 'entry');
		for (const _ of [1, 2, 3]) {
			seen.push(...listPositions(stopped));
			run.session.stepBranch(stopped.branch, 'over');
			stopped = await run.stop();
			assert.equal(stopped.reason, 'step');
		}
		seen.push(...listPositions(stopped));
		assert.deepEqual(seen, ['start', 'a', 'b', 'end']);
		run.session.stepBranch(stopped.branch, 'over');
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('moves only one branch with a step', async () => {
		const run = startDebugging(createFork(), { stop_on_entry: true });
		run.session.stepBranch((await run.stop()).branch, 'over');
		const parted = await run.stop();
		assert.deepEqual(listPositions(parted), ['l1', 'r1']);
		const right = parted.branches[1]?.id as number;
		run.session.stepBranch(right, 'over');
		const first = await run.stop();
		assert.deepEqual([first.branch, listPositions(first)], [right, ['l1', 'r2']]);
		run.session.stepBranch(right, 'over');
		const joined = await run.stop();
		assert.deepEqual([joined.reason, listPositions(joined)], ['step', ['l1']], 'the join waits for the other branch');
		assert.deepEqual(run.listStarted(), ['start', 'r1', 'r2']);
		run.session.stepBranch(joined.branch, 'over');
		assert.deepEqual(listPositions(await run.stop()), ['l2']);
		run.session.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('lets running nodes finish when a branch stops, and then reports where they are paused', async () => {
		const slow = Promise.withResolvers<void>();
		const executeAgent: Execute = context => (context.node.id === 'l1' ? slow.promise.then(() => runNode(context)) : runNode(context));
		const run = startDebugging(createFork(), { breakpoints: [createBreakpoint('r2')] }, { execute: executeAgent });
		const stopped = await run.stop();
		assert.deepEqual(listPositions(stopped), ['l1…', 'r2']);
		slow.resolve();
		const later = await run.stop();
		assert.deepEqual([later.reason, later.branch, listPositions(later)], ['breakpoint', stopped.branch, ['r2', 'l2']]);
		assert.deepEqual(run.listStarted(), ['start', 'l1', 'r1']);
		run.session.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('steps over a container, into it, from iteration to iteration, and out of it', async () => {
		const run = startDebugging(
			createTestAgent(...createEachAgent(false)),
			{ breakpoints: [createBreakpoint('each')] },
			{ execute: createListed(['x', 'y', 'z']) },
		);
		const { branch } = await run.stop();
		run.session.stepBranch(branch, 'into');
		assert.deepEqual(listPositions(await run.stop()), ['one < each[0]']);
		run.session.stepBranch(branch, 'over');
		assert.deepEqual(listPositions(await run.stop()), ['two < each[0]']);
		run.session.stepBranch(branch, 'over');
		assert.deepEqual(listPositions(await run.stop()), ['one < each[1]']);
		run.session.stepBranch(branch, 'out');
		assert.deepEqual(listPositions(await run.stop()), ['end']);
		assert.equal(run.listStarted().filter(id => id === 'two').length, 3);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: ['two x', 'two y', 'two z'] });

		const over = startDebugging(
			createTestAgent(...createEachAgent(false)),
			{ breakpoints: [createBreakpoint('each')] },
			{ execute: createListed(['x', 'y']) },
		);
		over.session.stepBranch((await over.stop()).branch, 'over');
		assert.deepEqual(listPositions(await over.stop()), ['end']);
		over.session.continueRun();
		await over.outcome;
	});

	it('has a branch for each concurrent iteration', async () => {
		const run = startDebugging(
			createTestAgent(...createEachAgent(true)),
			{ breakpoints: [createBreakpoint('one')] },
			{ execute: createListed(['x', 'y', 'z', 'w']) },
		);
		let stopped = await run.stop();
		if (stopped.branches.length < 3) {
			stopped = await run.stop();
		}
		assert.deepEqual(listPositions(stopped), ['one < each[0]', 'one < each[1]', 'one < each[2]']);
		assert.equal(new Set(stopped.branches.map(({ id }) => id)).size, 3);
		const second = stopped.branches[1]?.id as number;
		run.session.stepBranch(second, 'over');
		assert.deepEqual(listPositions(await run.stop()), ['one < each[0]', 'two < each[1]', 'one < each[2]']);
		run.session.stepBranch(second, 'over');
		const next = await run.stop();
		assert.deepEqual([next.branch, [...listPositions(next)].sort()], [second, ['one < each[0]', 'one < each[2]', 'one < each[3]']]);
		run.session.breakpoints.set([]);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: ['two x', 'two y', 'two z', 'two w'] });
	});

	it('ends a step in the last iteration while other iterations are paused', async () => {
		// if an iteration hasn't started its first node when the other one stops, it's paused there, not at the second node
		const both = Promise.withResolvers<void>();
		let begun = 0;
		const waitTogether: Execute = async context => {
			if (context.node.id === 'one') {
				begun++;
				await (begun === 2 ? both.resolve() : both.promise);
			}
			return runNode(context);
		};
		const run = startDebugging(
			createTestAgent(...createEachAgent(true)),
			{ breakpoints: [createBreakpoint('two')] },
			{ execute: createListed(['x', 'y'], waitTogether) },
		);
		let left = await run.stop();
		// at the first stop, the other iteration may still be running, and either one can stop first
		while (left.branches.length < 2 || left.branches.some(({ state }) => state !== 'standing')) {
			left = await run.stop();
		}
		run.session.stepBranch(left.branches[listPositions(left).indexOf('two < each[1]')]?.id as number, 'over');
		left = await run.stop();
		assert.deepEqual([left.reason, listPositions(left)], ['step', ['two < each[0]']]);
		run.session.stepBranch(left.branch, 'over');
		assert.deepEqual(listPositions(await run.stop()), ['end']);
		run.session.continueRun();
		await run.outcome;
	});

	it('evaluates conditions, hit counts and log messages at a node, and reports what is wrong with them', async () => {
		const run = startDebugging(
			createTestAgent(...createEachAgent(false)),
			{
				breakpoints: [
					createBreakpoint('one', { id: 'cond', condition: 'item === "y" && index === 1' }),
					createBreakpoint('two', { id: 'hits', hit_condition: '== 3' }),
					createBreakpoint('two', { id: 'log', log_message: 'two of {item} after {nodes.one.output}' }),
					createBreakpoint('end', { id: 'fault', condition: 'nodes.nowhere.x' }),
				],
			},
			{ execute: createListed(['x', 'y', 'z']) },
		);
		assert.deepEqual((await run.stop()).breakpoints, ['cond']);
		run.session.continueRun();
		assert.deepEqual((await run.stop()).breakpoints, ['hits']);
		run.session.continueRun();
		assert.deepEqual((await run.stop()).breakpoints, ['fault']);
		run.session.continueRun();
		await run.outcome;
		const texts = run.reported.flatMap(event => (event.event === 'debug_output' ? [(event as { data: { text: string } }).data.text] : []));
		assert.deepEqual(texts.slice(0, 3), ['two of x after one x', 'two of y after one y', 'two of z after one z']);
		assert.match(texts[3] ?? '', /^Couldn't evaluate the condition `nodes.nowhere.x`: TypeError/);
	});

	it('stops at failures before retry and error strategy, and reruns the node with other inputs', async () => {
		const agent = createTestAgent(
			[
				createStartNode('t'),
				{
					...createTemplateNode('a', '{{ t }}', { t: 'start.t' }),
					data: { ...createTemplateNode('a', '{{ t }}', { t: 'start.t' }).data, error_strategy: 'fail-branch' },
				},
				createEndNode({ out: 'a.output' }),
			],
			['start > a', 'a > end'],
		);
		const execute: Execute = context => {
			if (context.node.id === 'a' && context.variables.get(['start', 't']) !== 'good') {
				throw new NodeError('no good', 'Error');
			}
			return runNode(context);
		};
		const run = startDebugging(agent, { failures: ['node'] }, { execute, more: { inputs: { t: 'bad' } } });
		const stopped = await run.stop();
		assert.deepEqual([stopped.reason, stopped.error, stopped.branches[0]?.restarts?.node], ['failure', 'no good', 'a']);
		const branch = run.session.branches.findBranchById(stopped.branch);
		assert.ok(branch);
		run.inspection.setVariable(branch, { command: 'set_variable', branch: branch.id, path: ['inputs', 't'], value: 'good' });
		run.session.restartNode(branch.id);
		assert.deepEqual(listPositions(await run.stop()), ['end']);
		run.session.continueRun();
		const { data } = await run.outcome;
		assert.deepEqual([data.status, data.outputs], ['succeeded', { out: 'good' }]);
		const set = run.reported.find(({ event }) => event === 'variable_set') as { data: object };
		assert.deepEqual(
			{ ...set.data, created_at: 0 },
			{ selector: ['start', 't'], value: 'good', previous: 'bad', node_id: 'a', created_at: 0 },
		);
	});

	it('reruns the node that led to a paused branch, and discards its successors', async () => {
		let attempts = 0;
		const execute: Execute = context => {
			if (context.node.id === 'if') {
				// take another path each time
				return { outputs: {}, handle: ++attempts % 2 === 1 ? 'yes' : 'false' };
			}
			return runNode(context);
		};
		const agent = createTestAgent(
			[
				createStartNode('t'),
				createTemplateNode('a', 'a {{ t }}', { t: 'start.t' }),
				{ id: 'if', data: { type: 'if-else', cases: [{ case_id: 'yes', logical_operator: 'and', conditions: [] }] } },
				...['y1', 'y2', 'n'].map(id => createTemplateNode(id, `${id} {{ a }}`, { a: 'a.output' })),
				createEndNode({ y: 'y1.output', n: 'n.output' }),
			],
			['start > a', 'a > if', 'if [yes] > y1', 'if [yes] > y2', 'if [false] > n', 'y1 > end', 'y2 > end', 'n > end'],
		);
		const run = startDebugging(agent, { breakpoints: [createBreakpoint('if')] }, { execute, more: { inputs: { t: 'tea' } } });
		const first = await run.stop();
		assert.equal(first.branches[0]?.restarts?.node, 'a');
		const branch = run.session.branches.findBranchById(first.branch);
		assert.ok(branch);
		run.inspection.setVariable(branch, { command: 'set_variable', branch: branch.id, path: ['outputs', 'start', 't'], value: 'milk' });
		run.session.restartNode(first.branch);
		const again = await run.stop();
		assert.deepEqual([again.reason, listPositions(again)], ['step', ['if']]);
		run.session.stepBranch(again.branch, 'over');
		const parted = await run.stop();
		assert.deepEqual(listPositions(parted), ['y1', 'y2']);
		run.session.restartNode(parted.branch);
		const other = await run.stop();
		assert.deepEqual(listPositions(other), ['n']);
		run.session.restartNode(other.branch);
		const back = await run.stop();
		assert.deepEqual(listPositions(back), ['y1', 'y2']);
		run.session.stepBranch(back.branches[0]?.id as number, 'over');
		const moved = await run.stop();
		assert.equal(moved.branches[0]?.restarts, undefined, 'a successor of the same node has begun');
		assert.throws(() => run.session.restartNode(moved.branch), /Can't rerun a node here/);
		run.session.continueRun();
		const { data, skippedNodes } = await run.outcome;
		assert.deepEqual([data.status, data.outputs, skippedNodes], ['succeeded', { y: 'y1 a milk', n: null }, ['n']]);
		assert.equal(run.listStarted().filter(id => id === 'if').length, 3);
	});

	it('reruns the node that led to a branch that also waited for another node', async () => {
		const run = startDebugging(
			createTestAgent(
				[
					createStartNode('t'),
					{ id: 'choose', data: { type: 'if-else', cases: [{ case_id: 'true', logical_operator: 'and', conditions: [] }] } },
					createTemplateNode('b', 'b'),
					createTemplateNode('join', 'join'),
					createEndNode({ out: 'join.output' }),
				],
				['start > choose', 'start > b', 'choose [false] > join', 'b > join', 'join > end'],
			),
			{ breakpoints: [createBreakpoint('choose')] },
		);
		const at = await run.stop();
		run.session.stepBranch(at.branches.find(each => each.frames[0]?.node === 'b')?.id ?? 0, 'over');
		run.session.stepBranch((await run.stop()).branch, 'over');
		const joined = await run.stop();
		assert.deepEqual(listPositions(joined), ['join']);
		assert.deepEqual(joined.branches[0]?.restarts, { node: 'b', title: 'b' });
		run.session.restartNode(joined.branch);
		assert.deepEqual(listPositions(await run.stop()), ['join']);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'join' });
	});

	it('discards the common successors of two nodes when one of them is rerun, whichever made them ready', async () => {
		const run = startDebugging(
			createTestAgent(
				[createStartNode('t'), ...['a', 'b', 'own', 'both'].map(id => createTemplateNode(id, id)), createEndNode({ out: 'both.output' })],
				['start > a', 'start > b', 'a > own', 'a > both', 'b > both', 'own > end', 'both > end'],
			),
			{ breakpoints: [createBreakpoint('b')] },
		);
		const at = await run.stop();
		assert.deepEqual(listPositions(at), ['b', 'own']);
		run.session.stepBranch(at.branch, 'over');
		const own = (await run.stop()).branches.find(each => each.frames[0]?.node === 'own');
		assert.deepEqual(own?.restarts, { node: 'a', title: 'a' });
		run.session.restartNode(own?.id ?? 0);
		assert.deepEqual(listPositions(await run.stop()).toSorted(), ['both', 'own']);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'both' });
		assert.deepEqual(run.listStarted().toSorted(), ['a', 'a', 'b', 'both', 'end', 'own', 'start']);
	});

	it('stops only at failures that end the run, if requested', async () => {
		const createFailing = (strategy: string) => ({
			...createTemplateNode('a', 'a'),
			data: { ...createTemplateNode('a', 'a').data, error_strategy: strategy },
		});
		const execute: Execute = context => {
			if (context.node.id === 'a') {
				throw new NodeError('no good', 'Error');
			}
			return runNode(context);
		};
		const handled = startDebugging(
			createTestAgent([createStartNode('t'), createFailing('fail-branch'), createEndNode({})], ['start > a', 'a [fail-branch] > end']),
			{ failures: ['run'] },
			{ execute },
		);
		assert.equal((await handled.outcome).data.status, 'partial-succeeded');
		const ending = startDebugging(
			createTestAgent([createStartNode('t'), createFailing('none'), createEndNode({})], ['start > a', 'a > end']),
			{ failures: ['run'] },
			{ execute },
		);
		assert.equal((await ending.stop()).reason, 'failure');
		ending.session.continueRun();
		assert.equal((await ending.outcome).data.status, 'failed');
	});

	it('pauses immediately, and stops', async () => {
		const slow = Promise.withResolvers<void>();
		const execute: Execute = context => (context.node.id === 'a' ? slow.promise.then(() => runNode(context)) : runNode(context));
		const run = startDebugging(createChain(), {}, { execute });
		while (!run.listStarted().includes('a')) {
			await new Promise(setImmediate);
		}
		run.session.pauseRun();
		assert.deepEqual(listPositions(await run.stop()), ['a…']);
		slow.resolve();
		const stopped = await run.stop();
		assert.deepEqual([stopped.reason, listPositions(stopped)], ['pause', ['b']]);
		run.abort.abort();
		assert.equal((await run.outcome).data.status, 'stopped');
		assert.deepEqual(run.listStarted(), ['start', 'a']);
	});

	it("doesn't count stopped time toward the time limit of a run", async () => {
		const run = startDebugging(createChain(), { breakpoints: [createBreakpoint('b')] }, { settings: { maxSeconds: 2 } });
		await run.stop();
		await new Promise(resolve => setTimeout(resolve, 2_300));
		run.session.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});
});
