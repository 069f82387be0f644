import assert from 'node:assert/strict';
import type { DebugOptions } from '#contract/debugging.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { createPartialAgent } from '#engine/standIns/partialAgents.ts';
import { closeDebugging, type DebuggedRun, listPositions, type Stopped, startDebugging } from '../../engine/run/debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, type TestNode } from '../../engine/run/engineFixture.ts';

const createBreakpoint = (node: string) => ({ id: `at-${node}`, node });
const inside = (node: TestNode): TestNode => ({ ...node, parentId: 'each' });

/** Two branches of two nodes each, which join. */
const createFork = () =>
	createTestAgent(
		[
			createStartNode('t'),
			createTemplateNode('l1', 'l1 {{ t }}', { t: 'start.t' }),
			createTemplateNode('l2', '{{ l }}-l2', { l: 'l1.output' }),
			createTemplateNode('r1', 'r1 {{ t }}', { t: 'start.t' }),
			createTemplateNode('r2', '{{ r }}-r2', { r: 'r1.output' }),
			createTemplateNode('join', '{{ l }}, {{ r }}', { l: 'l2.output', r: 'r2.output' }),
			createEndNode({ out: 'join.output' }),
		],
		['start > l1', 'start > r1', 'l1 > l2', 'r1 > r2', 'l2 > join', 'r2 > join', 'join > end'],
	);

/** An iteration over two texts, with two templates inside. */
const createIteration = () =>
	createTestAgent(
		[
			createStartNode('t'),
			{
				id: 'texts',
				data: {
					type: 'code',
					code_language: 'javascript',
					code: "function main() { return { list: ['a', 'b'] } }",
					variables: [],
					outputs: { list: { type: 'array[string]' } },
				},
			},
			{
				id: 'each',
				data: {
					type: 'iteration',
					start_node_id: 'begin',
					iterator_selector: ['texts', 'list'],
					output_selector: ['second', 'output'],
					is_parallel: false,
					error_handle_mode: 'terminated',
				},
			},
			inside({ id: 'begin', data: { type: 'iteration-start' } }),
			inside(createTemplateNode('first', '1{{ x }}', { x: 'each.item' })),
			inside(createTemplateNode('second', '2{{ x }}', { x: 'first.output' })),
			createEndNode({ out: 'each.output' }),
		],
		['start > texts', 'texts > each', 'begin > first', 'first > second', 'each > end'],
	);

/** Steps back until the branch of the stop is at a place. */
async function goBackTo(run: DebuggedRun, from: Stopped, place: string): Promise<Stopped> {
	for (let stopped = from; ; stopped = await run.stop()) {
		const at = stopped.branches.findIndex(({ id }) => id === stopped.branch);
		if (listPositions(stopped)[at] === place) {
			return stopped;
		}
		run.travel.stepBack(stopped.branch);
	}
}

async function setPastValue(run: DebuggedRun, branch: number, path: readonly (string | number)[], value: unknown): Promise<Stopped> {
	run.inspection.setVariable(run.travel.getBranch(branch), { command: 'set_variable', branch, path: [...path], value }, run.travel.changes);
	run.travel.reportChanges();
	return run.stop();
}

/** Debugs the fork of a run from the step that it shows. */
function startFork(run: DebuggedRun, agent: LoadedAgent, options: DebugOptions, inputs: Readonly<Record<string, unknown>>): DebuggedRun {
	const part = run.travel.createFork();
	const events = run.reported.filter(({ event }) => !event.startsWith('debug_')).map(event => JSON.stringify(event));
	const { replay } = createPartialAgent(agent, { part, events }, { describeUpload: () => undefined });
	assert.ok(replay);
	return startDebugging(agent, { ...options, part }, { more: { inputs, replay } });
}

const readText = async ({ travel, inspection }: DebuggedRun, branch: number, expression: string) => {
	const { value, text } = await inspection.evaluateExpression(travel.getBranch(branch), { command: 'evaluate', branch, expression });
	return value ?? text;
};

describe('changes in the past', () => {
	after(closeDebugging);

	it('are shown at their step, leave the run as it is, and are what a fork starts with', async () => {
		const agent = createFork();
		const inputs = { t: 'tea' };
		const run = startDebugging(agent, { breakpoints: [createBreakpoint('end')] }, { more: { inputs } });
		const past = await goBackTo(run, await run.stop(), 'r2');
		assert.equal(past.past?.changes, undefined);
		const changed = await setPastValue(run, past.branch, ['outputs', 'r1', 'output'], 'R');
		assert.deepEqual([changed.past?.step, changed.past?.changes], [past.past?.step, 1]);
		assert.equal(await readText(run, past.branch, '{{#r1.output#}}'), 'R');
		assert.equal((await setPastValue(run, past.branch, ['inputs', 'r'], 'RR')).past?.changes, 1, 'the same variable');
		assert.throws(() => run.travel.continueRun(), /Start a fork, or return to the present/);
		assert.throws(() => run.travel.stepBranch(past.branch, 'over'), /Start a fork/);

		const forked = startFork(
			run,
			agent,
			{ breakpoints: [createBreakpoint('start'), createBreakpoint('join')], stop_on_entry: true },
			inputs,
		);
		const entry = await forked.stop();
		assert.equal(entry.reason, 'entry');
		assert.equal(await readText(forked, entry.branch, '{{#r1.output#}}'), 'RR');
		forked.travel.continueRun();
		const join = await forked.stop();
		assert.deepEqual(listPositions(join), ['join'], 'the run stops only at nodes that run again');
		forked.travel.continueRun();
		assert.deepEqual((await forked.outcome).data.outputs, { out: 'l1 tea-l2, RR-r2' });

		run.travel.returnToPresent();
		const { branch } = await run.stop();
		assert.equal(await readText(run, branch, '{{#r1.output#}}'), 'r1 tea');
		run.travel.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'l1 tea-l2, r1 tea-r2' });
		assert.ok(run.reported.every(({ event }) => event !== 'variable_set'));
	});

	it('apply to nodes of parallel branches that had not run at that step', async () => {
		const agent = createFork();
		const inputs = { t: 'tea' };
		const run = startDebugging(agent, { stop_on_entry: true }, { more: { inputs } });
		const { branch } = await run.stop();
		run.travel.stepBranch(branch, 'over');
		await run.stop();
		run.session.breakpoints.set([createBreakpoint('end')]);
		run.travel.continueRun();
		const past = await goBackTo(run, await run.stop(), 'r1');
		const others = listPositions(past);
		const { branches } = past;
		const l = branches[others.findIndex(position => position.startsWith('l'))];
		assert.ok(l, `both branches are there: ${others.join()}`);
		await setPastValue(run, past.branch, ['outputs', 'start', 't'], 'milk');
		const forked = startFork(run, agent, {}, inputs);
		const expected = l.frames[0]?.node === 'l1' && l.state === 'standing' ? 'l1 milk' : 'l1 tea';
		assert.deepEqual((await forked.outcome).data.outputs, { out: `${expected}-l2, r1 milk-r2` });
		run.abort.abort();
		await run.outcome;
	});

	it('stay in their iteration, and a fork goes into it without stops before', async () => {
		const agent = createIteration();
		const run = startDebugging(agent, { breakpoints: [createBreakpoint('end')] });
		await run.stop();
		run.session.breakpoints.set([createBreakpoint('second')]);
		run.travel.reverse();
		const past = await run.stop();
		assert.deepEqual(listPositions(past), ['second < each[1]']);
		await setPastValue(run, past.branch, ['outputs', 'first', 'output'], 'new');
		assert.deepEqual(run.travel.createFork().rounds, [1]);
		const breakpoints = ['each', 'first', 'second'].map(createBreakpoint);
		const forked = startFork(run, agent, { breakpoints, stop_on_entry: true }, {});
		const entry = await forked.stop();
		assert.deepEqual([entry.reason, listPositions(entry)], ['entry', ['second < each[1]']]);
		forked.travel.continueRun();
		assert.deepEqual((await forked.outcome).data.outputs, { out: ['21a', '2new'] });
		run.abort.abort();
		await run.outcome;
	});

	it('can be to run a node again, and belong to their step', async () => {
		const agent = createFork();
		const run = startDebugging(agent, { breakpoints: [createBreakpoint('end')] }, { more: { inputs: { t: 'tea' } } });
		const past = await goBackTo(run, await run.stop(), 'join');
		const own = past.branches.find(({ id }) => id === past.branch);
		assert.equal(own?.restarts?.node, 'join');
		run.travel.restartNode(past.branch);
		assert.equal((await run.stop()).past?.changes, 1);
		const { node, variables } = run.travel.createFork();
		assert.deepEqual([node, variables], ['join', undefined]);
		run.travel.stepBack(past.branch);
		assert.equal((await run.stop()).past?.changes, undefined);
		run.abort.abort();
		await run.outcome;
	});

	it('run no node again on a branch that the shown step lacks, although the present has it', async () => {
		const run = startDebugging(createFork(), { breakpoints: ['l2', 'r2'].map(createBreakpoint) }, { more: { inputs: { t: 'tea' } } });
		let stopped = await run.stop();
		while (stopped.branches.some(({ state }) => state === 'ending')) {
			stopped = await run.stop();
		}
		const started = run.listStarted();
		const past = await goBackTo(run, stopped, 'start');
		const [other] = stopped.branches.filter(({ id }) => past.branches.every(branch => branch.id !== id));
		assert.ok(other?.restarts, 'the other branch can run a node again in the present');
		assert.throws(() => run.travel.restartNode(other.id), /isn't paused/);
		assert.deepEqual(run.listStarted(), started);
		run.abort.abort();
		await run.outcome;
	});

	it('are refused for values that a fork computes again or does not get', async () => {
		const run = startDebugging(createIteration(), { breakpoints: [createBreakpoint('end')] });
		const { branch } = await run.stop();
		assert.throws(() => run.travel.createFork(), /Step back first/);
		run.session.breakpoints.set([createBreakpoint('second')]);
		run.travel.reverse();
		const past = await run.stop();
		assert.deepEqual(listPositions(past), ['second < each[1]']);
		for (const path of [
			['loop', 'item'],
			['sys', 'user_id'],
		]) {
			await assert.rejects(setPastValue(run, past.branch, path, 'x'), /only inputs of the run and outputs of nodes can be changed/);
		}
		await assert.rejects(setPastValue(run, past.branch, ['outputs', 'first', 'output'], 1), /Expected a string/);
		assert.equal(run.travel.changes?.count, 0);
		run.travel.returnToPresent();
		assert.equal((await run.stop()).branch, branch);
		run.abort.abort();
		await run.outcome;
	});
});
