import assert from 'node:assert/strict';
import { NodeError } from '#engine/nodes/nodeError.ts';
import { runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import {
	closeDebugging,
	type DebuggedRun,
	describePosition,
	listPositions,
	type Stopped,
	startDebugging,
} from '../../engine/run/debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, type TestNode } from '../../engine/run/engineFixture.ts';

const createChain = (...ids: string[]) =>
	createTestAgent(
		[createStartNode('t'), ...ids.map(id => createTemplateNode(id, id)), createEndNode({ out: `${ids.at(-1)}.output` })],
		['start', ...ids, 'end'].slice(1).map((id, at) => `${['start', ...ids][at]} > ${id}`),
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

/** A loop of three iterations that appends to its variable `s`, with an assigner after the template. */
const createLoop = () => {
	const inside = (node: TestNode): TestNode => ({ ...node, parentId: 'loop' });
	return createTestAgent(
		[
			createStartNode('t'),
			{
				id: 'loop',
				data: {
					type: 'loop',
					start_node_id: 'begin',
					loop_count: 3,
					loop_variables: [{ label: 's', var_type: 'string', value_type: 'constant', value: '' }],
					break_conditions: [],
					logical_operator: 'and',
				},
			},
			inside({ id: 'begin', data: { type: 'loop-start' } }),
			inside(createTemplateNode('add', '{{ s }}x', { s: 'loop.s' })),
			inside({
				id: 'keep',
				data: {
					type: 'assigner',
					version: '2',
					items: [{ variable_selector: ['loop', 's'], input_type: 'variable', operation: 'over-write', value: ['add', 'output'] }],
				},
			}),
			createEndNode({ out: 'loop.s' }),
		],
		['start > loop', 'begin > add', 'add > keep', 'loop > end'],
	);
};

/** Returns all values that a client can read at a stop. */
function readValues({ travel, inspection }: DebuggedRun, { branches }: Stopped) {
	return branches.map(({ id, frames }) =>
		frames.map((_, frame) => {
			const branch = travel.getBranch(id);
			const { scopes } = inspection.getScopes(branch, { command: 'scopes', branch: id, frame });
			return scopes.map(({ path }) => inspection.getVariables(branch, { command: 'variables', branch: id, frame, path }).variables);
		}),
	);
}

/** Describes what a client sees at a stop. */
const describe1 = (run: DebuggedRun, stopped: Stopped) => ({ at: listPositions(stopped), values: readValues(run, stopped) });

const readText = ({ travel, inspection }: DebuggedRun, branch: number, expression: string) =>
	inspection
		.evaluateExpression(travel.getBranch(branch), { command: 'evaluate', branch, expression })
		.then(({ value, text }) => value ?? text);

describe('stepping back', () => {
	after(closeDebugging);

	it('shows each earlier stop with its values, and leads forward to the present again', async () => {
		const run = startDebugging(createChain('a', 'b', 'c'), { stop_on_entry: true });
		const seen = [];
		let stopped = await run.stop();
		for (let at = 0; ; at++) {
			seen.push(describe1(run, stopped));
			if (at === 4) {
				break;
			}
			run.session.stepBranch(stopped.branch, 'over');
			stopped = await run.stop();
		}
		for (let at = 3; at >= 0; at--) {
			run.travel.stepBack(stopped.branch);
			stopped = await run.stop();
			const later = ['start', 'a', 'b', 'c', 'end'].slice(at + 1).map(node => ({ node }));
			assert.deepEqual(stopped.past, { step: at + 1, of: 5, later });
			assert.deepEqual(describe1(run, stopped), seen[at]);
		}
		assert.throws(() => run.travel.stepBack(stopped.branch), /This is the start of the run/);
		for (let at = 1; at <= 4; at++) {
			run.travel.stepBranch(stopped.branch, 'over');
			stopped = await run.stop();
			assert.deepEqual(stopped.past?.step, at < 4 ? at + 1 : undefined);
			assert.deepEqual(describe1(run, stopped), seen[at]);
		}
		assert.deepEqual(run.listStarted(), ['start', 'a', 'b', 'c'], 'nothing runs again');
		run.travel.stepBranch(stopped.branch, 'over');
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('goes from a branch to its own nodes, and forward to the branch that it came from', async () => {
		const run = startDebugging(createFork(), { breakpoints: [createBreakpoint('join')] });
		const present = await run.stop();
		run.travel.stepBack(present.branch);
		const r2 = await run.stop();
		assert.equal(getPosition(r2), 'r2');
		run.travel.stepBack(r2.branch);
		const r1 = await run.stop();
		run.travel.stepBack(r1.branch);
		const start = await run.stop();
		assert.deepEqual([getPosition(r1), listPositions(start)], ['r1', ['start']]);
		for (const expected of [r1, r2, present]) {
			run.travel.stepBranch((await lastStop(run)).branch, 'over');
			const { branch, branches } = await run.stop();
			assert.deepEqual({ branch, branches }, { branch: expected.branch, branches: expected.branches });
		}
		run.travel.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('goes through the iterations of a loop and out of it, with the variables of each', async () => {
		const run = startDebugging(createLoop(), { breakpoints: [createBreakpoint('end')] });
		let { branch } = await run.stop();
		run.travel.stepBack(branch);
		assert.deepEqual(listPositions(await run.stop()), ['loop'], 'a step back skips what is inside');
		run.travel.stepBranch(branch, 'into');
		assert.deepEqual(listPositions(await run.stop()), ['add < loop[0]']);
		const forward: string[] = [];
		for (let at = 0; at < 5; at++) {
			run.travel.stepBranch(branch, 'over');
			const stopped = await run.stop();
			branch = stopped.branch;
			forward.push(`${listPositions(stopped)} ${await readText(run, branch, 'loop.s')}`);
		}
		assert.deepEqual(forward, ['keep < loop[0] ', 'add < loop[1] x', 'keep < loop[1] x', 'add < loop[2] xx', 'keep < loop[2] xx']);
		const back: string[] = [];
		for (let at = 0; at < 6; at++) {
			run.travel.stepBack(branch);
			const stopped = await run.stop();
			branch = stopped.branch;
			back.push(listPositions(stopped).join());
		}
		assert.deepEqual(back, ['add < loop[2]', 'keep < loop[1]', 'add < loop[1]', 'keep < loop[0]', 'add < loop[0]', 'loop']);
		run.travel.stepBranch(branch, 'over');
		const present = await run.stop();
		assert.deepEqual([listPositions(present), present.past], [['end'], undefined], 'a step over a container stays over it');
		run.travel.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'xxx' });
	});

	it('reverses to earlier breakpoints and failures, and continues to later ones', async () => {
		let attempts = 0;
		const execute: Execute = context => {
			if (context.node.id === 'b' && ++attempts < 2) {
				throw new NodeError('no good', 'Error');
			}
			return runNode(context);
		};
		const run = startDebugging(createChain('a', 'b', 'c'), { breakpoints: [createBreakpoint('a')], failures: ['node'] }, { execute });
		await run.stop();
		run.session.continueRun();
		const failed = await run.stop();
		assert.equal(failed.reason, 'failure');
		run.session.restartNode(failed.branch);
		await run.stop();
		run.travel.reverse();
		const again = await run.stop();
		assert.deepEqual(
			[again.reason, again.error, again.branches[0]?.error, again.branches[0]?.restarts?.node],
			['failure', 'no good', 'no good', 'b'],
		);
		run.travel.reverse();
		const first = await run.stop();
		assert.deepEqual([first.reason, first.breakpoints, listPositions(first)], ['breakpoint', ['at-a'], ['a']]);
		run.travel.reverse();
		const entry = await run.stop();
		assert.deepEqual([entry.reason, listPositions(entry)], ['entry', ['start']]);
		assert.throws(() => run.travel.reverse(), /start of the run/);
		for (const expected of ['a', 'b']) {
			run.travel.continueRun();
			assert.deepEqual(listPositions(await run.stop()), [expected]);
		}
		run.session.failureStops.wanted = new Set();
		run.travel.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded', 'at the end of the past, the run itself continues');
	});

	it('hits breakpoints that were set in the past, with their conditions and hit counts', async () => {
		const run = startDebugging(createLoop(), { breakpoints: [createBreakpoint('end')] });
		await run.stop();
		run.travel.reverse();
		assert.deepEqual(listPositions(await run.stop()), ['start']);
		run.session.breakpoints.set([
			createBreakpoint('add', { hit_condition: '== 2' }),
			createBreakpoint('keep', { condition: 'loop.s === "xx"' }),
			createBreakpoint('keep', { id: 'log', log_message: 'not again' }),
			createBreakpoint('end'),
		]);
		const seen: unknown[] = [];
		for (let at = 0; at < 3; at++) {
			run.travel.continueRun();
			const stopped = await run.stop();
			seen.push([listPositions(stopped).join(), stopped.breakpoints, stopped.past !== undefined]);
		}
		assert.deepEqual(seen, [
			['add < loop[1]', ['at-add'], true],
			['keep < loop[2]', ['at-keep'], true],
			['end', ['at-end'], false],
		]);
		run.travel.reverse();
		assert.deepEqual(listPositions(await run.stop()), ['keep < loop[2]']);
		run.session.breakpoints.set([]);
		run.travel.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('stops a step over a container in the past at a breakpoint inside', async () => {
		const run = startDebugging(createLoop(), { breakpoints: [createBreakpoint('end')] });
		const { branch } = await run.stop();
		run.travel.stepBack(branch);
		await run.stop();
		run.session.breakpoints.set([createBreakpoint('keep', { id: 'inside' })]);
		run.travel.stepBranch(branch, 'over');
		const inside = await run.stop();
		assert.deepEqual([inside.reason, listPositions(inside)], ['breakpoint', ['keep < loop[0]']]);
		run.session.breakpoints.set([]);
		run.travel.stepBranch(inside.branch, 'out');
		assert.deepEqual(listPositions(await run.stop()), ['end']);
		run.travel.continueRun();
		await run.outcome;
	});

	it('keeps the past while another branch still runs, and shows how it ended on return', async () => {
		const slow = Promise.withResolvers<void>();
		const executeAgent: Execute = context => (context.node.id === 'l1' ? slow.promise.then(() => runNode(context)) : runNode(context));
		const run = startDebugging(createFork(), { breakpoints: [createBreakpoint('r2')] }, { execute: executeAgent });
		const stopped = await run.stop();
		assert.deepEqual(listPositions(stopped), ['l1…', 'r2']);
		run.travel.stepBack(stopped.branch);
		const past = await run.stop();
		assert.deepEqual([listPositions(past), past.past], [['l1…', 'r1'], { step: 3, of: 4, later: [{ node: 'r2' }] }]);
		slow.resolve();
		await slow.promise;
		await new Promise<void>(resolve => {
			setImmediate(resolve);
		});
		assert.equal(await readText(run, past.branch, '{{#l1.output#}}'), 'l1.output', 'a later output is hidden');
		run.travel.returnToPresent();
		const present = await run.stop();
		assert.deepEqual(
			[present.reason, present.breakpoints, listPositions(present), present.past],
			['breakpoint', ['at-r2'], ['r2', 'l2'], undefined],
		);
		assert.equal(await readText(run, past.branch, '{{#l1.output#}}'), 'l1');
		run.travel.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('goes back from a node that is still running', async () => {
		const slow = Promise.withResolvers<void>();
		const executeAgent: Execute = context => (context.node.id === 'l1' ? slow.promise.then(() => runNode(context)) : runNode(context));
		const run = startDebugging(createFork(), { breakpoints: [createBreakpoint('r2')] }, { execute: executeAgent });
		const { branches } = await run.stop();
		run.travel.stepBack(branches[0]?.id as number);
		assert.deepEqual(listPositions(await run.stop()), ['l1', 'r1']);
		run.travel.continueRun();
		const present = await run.stop();
		assert.deepEqual([present.reason, present.past, listPositions(present)], ['breakpoint', undefined, ['l1…', 'r2']]);
		slow.resolve();
		run.travel.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it('can be paused and stopped in the past', async () => {
		const run = startDebugging(createChain('a', 'b'), { breakpoints: [createBreakpoint('b')] });
		const { branch } = await run.stop();
		run.travel.requirePresent();
		run.travel.stepBack(branch);
		await run.stop();
		assert.throws(() => run.travel.requirePresent(), /Return to the present first/);
		run.travel.pauseRun();
		const paused = await run.stop();
		assert.deepEqual([paused.reason, paused.past], ['pause', { step: 2, of: 3, later: [{ node: 'b' }] }]);
		assert.ok(run.session.isIdle, 'time limits stay paused');
		run.abort.abort();
		assert.equal((await run.outcome).data.status, 'stopped');
	});

	it('shows a node that was run again, and values that were set, each at its time', async () => {
		const agent = createTestAgent(
			[createStartNode('t'), createTemplateNode('a', 'A {{ t }}', { t: 'start.t' }), createEndNode({ out: 'a.output' })],
			['start > a', 'a > end'],
		);
		const run = startDebugging(agent, { breakpoints: [createBreakpoint('end')] }, { more: { inputs: { t: 'tea' } } });
		const { branch } = await run.stop();
		run.inspection.setVariable(run.travel.getBranch(branch), {
			command: 'set_variable',
			branch,
			path: ['outputs', 'start', 't'],
			value: 'milk',
		});
		run.session.restartNode(branch);
		await run.stop();
		const seen: unknown[] = [];
		for (let at = 0; at < 2; at++) {
			run.travel.stepBack(branch);
			const stopped = await run.stop();
			seen.push([listPositions(stopped).join(), await readText(run, branch, '{{#start.t#}} {{#a.output#}}')]);
		}
		assert.deepEqual(seen, [
			['a', 'milk A tea'],
			['start', 'tea a.output'],
		]);
		for (const step of [3, undefined]) {
			run.travel.continueRun();
			assert.equal((await run.stop()).past?.step, step, 'the breakpoint was hit before and after');
		}
		run.travel.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'A milk' });
	});

	it('drops the oldest entries of a very long run and says so', async () => {
		const run = startDebugging(createChain('a', 'b'), { breakpoints: [createBreakpoint('b')] });
		const { branch } = await run.stop();
		const live = run.session.branches.findBranchById(branch);
		assert.ok(live);
		for (let at = 0; at < 11_000; at++) {
			run.session.history.add(live, [live]);
		}
		assert.ok(run.session.history.first >= 1_000);
		assert.throws(() => run.travel.stepBack(branch), /Earlier steps of this long run aren't stored anymore/);
		run.travel.continueRun();
		await run.outcome;
	});

	it('keeps no more values than it may', async () => {
		const long = 'x'.repeat(20_000_000);
		const execute: Execute = context => (context.node.id.startsWith('n') ? { outputs: { output: long } } : runNode(context));
		const ids = Array.from({ length: 20 }, (_, at) => `n${at}`);
		const run = startDebugging(createChain(...ids), { breakpoints: [createBreakpoint('end')] }, { execute });
		await run.stop();
		assert.ok(run.session.history.first > 0);
		assert.ok(run.session.history.log.weight <= 300_000_000);
		run.abort.abort();
		await run.outcome;
	});
});

/** Returns the position of the branch that stopped. */
function getPosition({ branch, branches }: Stopped): string {
	return describePosition(branches.find(({ id }) => id === branch) as Stopped['branches'][number]);
}

/** Returns the last stop so far. */
async function lastStop({ reported }: DebuggedRun): Promise<Stopped> {
	return (reported.findLast(({ event }) => event === 'debug_stopped') as { data: Stopped }).data;
}
