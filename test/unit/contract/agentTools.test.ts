import assert from 'node:assert/strict';
import type { DebugVariable } from '#contract/debugAnswers.ts';
import type { VariableSetEvent } from '#contract/debugging.ts';
import { closeDebugging, type DebuggedRun, listPositions, type Stopped, startDebugging } from '../engine/run/debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, type TestNode } from '../engine/run/engineFixture.ts';
import { createAgentToolNode, createAgentTools } from './agentsAsTools.ts';

/** Creates an agent that greets a name in two steps. Its node IDs also exist in the agent that uses it. */
const createGreeter = (...more: Parameters<typeof createTestAgent> | []) =>
	createTestAgent(
		more[0] ?? [
			createStartNode('name'),
			createTemplateNode('use', 'Dear {{ n }}', { n: 'start.name' }),
			createTemplateNode('sign', '{{ g }}, yours', { g: 'use.output' }),
			createEndNode({ greeting: 'sign.output' }),
		],
		more[1] ?? ['start > use', 'use > sign', 'sign > end'],
		more[2],
	);

const createUser = (
	use: TestNode = createAgentToolNode('use', 'greeter', { name: '{{#start.t#}}' }),
	extra?: Parameters<typeof createTestAgent>[2],
) =>
	createTestAgent(
		[createStartNode('t'), use, createTemplateNode('after', '{{ g }}!', { g: 'use.text' }), createEndNode({ out: 'after.output' })],
		['start > use', 'use > after', 'after > end'],
		extra,
	);

const createBreakpoint = (node: string, more: object = {}) => ({ id: `at-${node}`, node, ...more });

function debugUser(
	options: Parameters<typeof startDebugging>[1],
	agents: Parameters<typeof createAgentTools>[0] = { greeter: createGreeter() },
	agent = createUser(),
) {
	return startDebugging(agent, options, { more: { inputs: { t: 'Ana' } }, others: createAgentTools(agents) });
}

/** Returns the frames of the stopped branch. */
const getFrames = ({ branch, branches }: Stopped) =>
	branches
		.find(({ id }) => id === branch)
		?.frames.map(({ kind, node, agent, round }) => [kind, node, agent, ...(round === undefined ? [] : [round])]);

const getBranch = ({ session }: DebuggedRun, id: number) => {
	const found = session.branches.findBranchById(id);
	assert.ok(found);
	return found;
};

describe('a debug session of an agent that uses others as tools', () => {
	after(closeDebugging);

	it('steps over a tool like over any node', async () => {
		const run = debugUser({ breakpoints: [createBreakpoint('use')] });
		const at = await run.stop();
		assert.deepEqual(getFrames(at), [
			['node', 'use', undefined],
			['agent', undefined, undefined],
		]);
		run.session.stepBranch(at.branch, 'over');
		assert.deepEqual(listPositions(await run.stop()), ['after']);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'Dear Ana, yours!' });
	});

	it('steps into a tool, through its nodes, and out to the next node', async () => {
		const run = debugUser({ breakpoints: [createBreakpoint('use')] });
		let at = await run.stop();
		const seen: unknown[] = [];
		for (const how of ['into', 'over', 'into', 'over', 'over'] as const) {
			run.session.stepBranch(at.branch, how);
			at = await run.stop();
			seen.push(at.reason, getFrames(at)?.[0]);
		}
		assert.deepEqual(seen, [
			'step',
			['node', 'start', 'greeter'],
			'step',
			['node', 'use', 'greeter'],
			'step',
			['node', 'sign', 'greeter'],
			'step',
			['node', 'end', 'greeter'],
			'step',
			['node', 'after', undefined],
		]);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'Dear Ana, yours!' });
	});

	it('steps out of a tool to the node after it', async () => {
		const run = debugUser({ breakpoints: [createBreakpoint('use', { agent: 'greeter' })] });
		const at = await run.stop();
		assert.deepEqual(
			[at.reason, at.breakpoints, getFrames(at)],
			[
				'breakpoint',
				['at-use'],
				[
					['node', 'use', 'greeter'],
					['agent', undefined, 'greeter'],
					['tool', 'use', undefined],
					['agent', undefined, undefined],
				],
			],
		);
		run.session.stepBranch(at.branch, 'out');
		assert.deepEqual(listPositions(await run.stop()), ['after']);
		run.session.continueRun();
		await run.outcome;
	});

	it('stops inside a container of a nested tool', async () => {
		const each: TestNode = {
			id: 'each',
			data: { type: 'loop', start_node_id: 'begin', loop_count: 2, loop_variables: [], break_conditions: [], logical_operator: 'and' },
		};
		const outer = createTestAgent(
			[
				createStartNode('name'),
				each,
				{ id: 'begin', parentId: 'each', data: { type: 'loop-start' } },
				{ ...createAgentToolNode('ask', 'greeter', { name: '{{#start.name#}}' }), parentId: 'each' },
				createEndNode({ greeting: 'start.name' }),
			],
			['start > each', 'begin > ask', 'each > end'],
		);
		const run = debugUser(
			{ breakpoints: [createBreakpoint('sign', { agent: 'greeter' })] },
			{ greeter: createGreeter(), outer },
			createUser(createAgentToolNode('use', 'outer', { name: '{{#start.t#}}' })),
		);
		for (const round of [0, 1]) {
			assert.deepEqual(getFrames(await run.stop()), [
				['node', 'sign', 'greeter'],
				['agent', undefined, 'greeter'],
				['tool', 'ask', 'outer'],
				['container', 'each', 'outer', round],
				['agent', undefined, 'outer'],
				['tool', 'use', undefined],
				['agent', undefined, undefined],
			]);
			run.session.continueRun();
		}
		assert.equal((await run.outcome).data.status, 'succeeded');
	});

	it("shows the values of each frame's agent, even if node IDs are the same", async () => {
		const run = debugUser({ breakpoints: [createBreakpoint('sign', { agent: 'greeter' })] });
		const { branch: id } = await run.stop();
		const askAgent = async (expression: string, frame: number) => {
			const { text } = await run.inspection.evaluateExpression(getBranch(run, id), { command: 'evaluate', branch: id, frame, expression });
			return text;
		};
		assert.equal(await askAgent('{{#use.output#}}', 0), '"Dear Ana"', 'the node of the tool, not the one that uses it');
		assert.equal(await askAgent('nodes.use.output + nodes.start.name', 0), '"Dear AnaAna"');
		assert.equal(await askAgent('{{#start.t#}}', 2), '"Ana"');
		assert.equal(await askAgent('nodes.use === undefined', 2), 'true');
		run.session.continueRun();
		await run.outcome;
	});

	it('reports a variable set in a tool with the name of its agent', async () => {
		const run = debugUser({ breakpoints: [createBreakpoint('sign', { agent: 'greeter' })] });
		const { branch } = await run.stop();
		const set: DebugVariable = run.inspection.setVariable(getBranch(run, branch), {
			command: 'set_variable',
			branch,
			path: ['outputs', 'use', 'output'],
			value: 'Hi',
		});
		assert.equal(set.text, '"Hi"');
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'Hi, yours!' });
		const sets = run.reported.filter(({ event }) => event === 'variable_set') as VariableSetEvent[];
		assert.deepEqual(
			sets.map(({ workflow_run_id, data: { created_at, ...data } }) => [workflow_run_id, typeof created_at, data]),
			[['run', 'number', { selector: ['use', 'output'], value: 'Hi', previous: 'Dear Ana', node_id: 'sign', agent: 'greeter' }]],
		);
	});

	it('reports log messages with the agent of their node', async () => {
		const run = debugUser({
			breakpoints: [
				createBreakpoint('use', { agent: 'greeter', log_message: 'for {nodes.start.name}' }),
				createBreakpoint('use', { log_message: 'use' }),
			],
		});
		await run.outcome;
		assert.deepEqual(
			run.reported.filter(({ event }) => event === 'debug_output').map(event => (event as { data: object }).data),
			[
				{ node: 'use', breakpoint: 'at-use', text: 'use' },
				{ node: 'use', agent: 'greeter', breakpoint: 'at-use', text: 'for Ana' },
			],
		);
	});

	it('stops once at a failure in a tool without revealing secrets, and runs the node again', async () => {
		const failing = createGreeter(
			[
				createStartNode('name'),
				{
					id: 'sign',
					data: {
						type: 'code',
						code: 'function main({ name }) { if (name.includes("secret")) { throw new Error("no " + name) } return { output: name } }',
						code_language: 'javascript',
						variables: [{ variable: 'name', value_selector: ['start', 'name'] }],
						outputs: { output: { type: 'string' } },
					},
				},
				createEndNode({ greeting: 'sign.output' }),
			],
			['start > sign', 'sign > end'],
		);
		const env = { workflow: { environment_variables: [{ name: 'KEY', value_type: 'secret', value: 'a-secret-key-1234' }] } };
		const caller = createUser(createAgentToolNode('use', 'greeter', { name: '{{#env.KEY#}}' }), env);
		const run = debugUser({ failures: ['run'] }, { greeter: failing }, caller);
		const at = await run.stop();
		assert.equal(at.reason, 'failure');
		assert.deepEqual(getFrames(at)?.[0], ['node', 'sign', 'greeter']);
		assert.match(at.error ?? '', /no \*\*\*/);
		run.inspection.setVariable(getBranch(run, at.branch), {
			command: 'set_variable',
			branch: at.branch,
			path: ['outputs', 'start', 'name'],
			value: 'Bo',
		});
		run.session.restartNode(at.branch);
		assert.deepEqual(getFrames(await run.stop())?.[0], ['node', 'end', 'greeter']);
		run.session.continueRun();
		assert.deepEqual((await run.outcome).data.outputs, { out: 'Bo!' });
		assert.ok(!JSON.stringify(run.reported).includes('secret-key'), JSON.stringify(run.reported));
		assert.equal(
			run.reported.filter(({ event, ...more }) => event === 'debug_stopped' && JSON.stringify(more).includes('"failure"')).length,
			1,
		);
	});

	it('stops in the inner runs of an agent that uses itself, with the agent in each frame', async () => {
		const inner = createTestAgent(
			[createStartNode('t'), createTemplateNode('use', 'inner {{ t }}', { t: 'start.t' }), createEndNode({ out: 'use.output' })],
			['start > use', 'use > end'],
		);
		const run = startDebugging(
			createUser(createAgentToolNode('use', 'self', { t: '{{#start.t#}}' })),
			{ breakpoints: [createBreakpoint('use')] },
			{
				more: { inputs: { t: 'Ana' } },
				others: createAgentTools({ self: inner }),
				name: 'self',
			},
		);
		assert.deepEqual(getFrames(await run.stop())?.[0], ['node', 'use', undefined]);
		run.session.continueRun();
		const inside = await run.stop();
		assert.deepEqual([inside.breakpoints, getFrames(inside)?.[0]], [['at-use'], ['node', 'use', 'self']]);
		run.session.continueRun();
		assert.equal((await run.outcome).data.status, 'succeeded');
	});
});
