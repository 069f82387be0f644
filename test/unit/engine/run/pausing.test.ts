import assert from 'node:assert/strict';
import type { WorkflowEvent } from '#contract/events.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import type { RunOptions } from '#engine/run/engineTypes.ts';
import type { FormAnswer, PausedRun } from '#engine/run/pausedRun.ts';
import { resumeWorkflow } from '#engine/run/run.ts';
import {
	createEndNode,
	createStartNode,
	createTemplateNode,
	createTestAgent,
	createTestServices,
	runTestAgent,
	type TestNode,
} from './engineFixture.ts';

const ask: TestNode = {
	id: 'ask',
	data: {
		type: 'human-input',
		form_content: 'Is {{#start.t#}} right? {{#$output.note#}} {{#$output.other#}}',
		inputs: [
			{ type: 'paragraph', output_variable_name: 'note', default: { type: 'variable', selector: ['start', 't'], value: '' } },
			{ type: 'file-list', output_variable_name: 'papers' },
		],
		user_actions: [{ id: 'ok', title: 'OK' }],
		timeout: 2,
		timeout_unit: 'hour',
	},
};

function createAskingAgent(): LoadedAgent {
	return createTestAgent(
		[
			createStartNode('t'),
			ask,
			createTemplateNode('late', 'nobody came'),
			createEndNode({ note: 'ask.note', form: 'ask.__rendered_content', late: 'late.output' }),
		],
		['start > ask', 'ask [ok] > end', 'ask [__timeout] > late', 'late > end'],
		{ workflow: { environment_variables: [{ name: 'K', value_type: 'secret', value: 'sk-secret' }] } },
	);
}

function createOptions(events: WorkflowEvent[] = []): RunOptions {
	return {
		runId: 'run',
		taskId: 'task',
		workflowId: 'workflow',
		appId: 'app',
		sequenceNumber: 1,
		inputs: { t: 'tea' },
		files: [],
		user: 'ana',
		mayPause: true,
		signal: new AbortController().signal,
		emit: event => events.push(event),
	};
}

async function resumeRun(agent: LoadedAgent, paused: PausedRun, answer: FormAnswer) {
	const events: WorkflowEvent[] = [];
	const kept = JSON.parse(JSON.stringify(paused));
	return { ...(await resumeWorkflow(agent, createOptions(events), createTestServices(), kept, { ask: answer })), events };
}

describe('a run that asks a person', () => {
	it('asks whatever its nodes and inputs are called', async () => {
		const named = ['constructor', 'toString', '__proto__'];
		for (const id of named.slice(0, 2)) {
			const data = { ...ask.data, inputs: named.map(name => ({ type: 'paragraph', output_variable_name: name })) };
			const agent = createTestAgent(
				[createStartNode('t'), { id, data }, createEndNode({ a: `${id}.${id}`, b: `${id}.__proto__` })],
				[`start > ${id}`, `${id} [ok] > end`],
			);
			const { paused, data: before } = await runTestAgent(agent, { inputs: { t: 'tea' }, mayPause: true });
			assert.equal(before.status, 'paused', String(before.error));
			const { data: after } = await resumeWorkflow(agent, createOptions(), createTestServices(), JSON.parse(JSON.stringify(paused)), {
				[id]: { action: 'ok', inputs: {} },
			});
			assert.deepEqual([after.status, after.outputs], ['succeeded', { a: '', b: '' }]);
		}
	});

	it('pauses with everything needed to resume, and without secrets', async () => {
		const { data, paused, trace, events } = await runTestAgent(createAskingAgent(), { inputs: { t: 'tea' }, mayPause: true });
		assert.deepEqual([data.status, data.finished_at, data.total_steps], ['paused', null, 2]);
		assert.deepEqual(trace.slice(-2), ['human_input_required ask', 'workflow_paused undefined']);
		const form = events.find(({ event }) => (event as string) === 'human_input_required') as unknown as { data: Record<string, unknown> };
		assert.deepEqual(form.data['resolved_default_values'], { note: 'tea' });
		assert.equal(form.data['form_content'], 'Is tea right? {{#$output.note#}} {{#$output.other#}}');
		assert.ok(Math.abs(Number(form.data['expiration_time']) - Date.now() / 1000 - 7200) < 60);
		assert.deepEqual(JSON.parse(JSON.stringify(paused)), paused);
		assert.ok(!JSON.stringify(paused).includes('sk-secret'));
	});

	it("continues in another process after an answer, and drops fields that the form doesn't have", async () => {
		const { paused } = await runTestAgent(createAskingAgent(), { inputs: { t: 'tea' }, mayPause: true });
		const { data, events } = await resumeRun(createAskingAgent(), paused as PausedRun, {
			action: 'ok',
			inputs: { note: 'yes', other: 'x' },
		});
		assert.deepEqual(data.outputs, { note: 'yes', form: 'Is tea right? yes {{#$output.other#}}', late: null });
		assert.equal(data.total_steps, 4);
		assert.deepEqual(
			events.slice(0, 4).map(({ event }) => event as string),
			['workflow_started', 'node_started', 'human_input_form_filled', 'text_chunk'],
		);
	});

	it('takes the timeout branch when the time is up', async () => {
		const { paused } = await runTestAgent(createAskingAgent(), { inputs: { t: 'tea' }, mayPause: true });
		const { data } = await resumeRun(createAskingAgent(), paused as PausedRun, { timeout: true });
		assert.deepEqual(data.outputs, { note: null, form: 'Is tea right? {{#$output.note#}} {{#$output.other#}}', late: 'nobody came' });
	});

	it("fails for an action that the form doesn't have", async () => {
		const { paused } = await runTestAgent(createAskingAgent(), { inputs: { t: 'tea' }, mayPause: true });
		const { data } = await resumeRun(createAskingAgent(), paused as PausedRun, { action: 'no', inputs: {} });
		assert.deepEqual([data.status, data.error], ['failed', "The form has no action 'no'. Expected one of 'ok'."]);
	});

	it('is refused if its agent has changed', async () => {
		const { paused } = await runTestAgent(createAskingAgent(), { inputs: { t: 'tea' }, mayPause: true });
		const other = createTestAgent([createStartNode('t'), createEndNode({})], ['start > end']);
		await assert.rejects(resumeRun(other, paused as PausedRun, { timeout: true }), /no longer has the node 'ask'/);
	});

	it('shows no secret in the form, stores none with it, and reports none of the answer', async () => {
		const data = { ...ask.data, form_content: 'Key {{#env.K#}}', inputs: [] };
		const secretly = createTestAgent(
			[createStartNode('t'), { id: 'ask', data }, createEndNode({ action: 'ask.__action_id' })],
			['start > ask', 'ask [ok] > end'],
			{
				workflow: { environment_variables: [{ name: 'K', value_type: 'secret', value: 'sk-secret' }] },
			},
		);
		const { paused, events } = await runTestAgent(secretly, { inputs: { t: 'tea' }, mayPause: true });
		assert.ok(paused);
		assert.equal(paused.waiting[0]?.form.content, 'Key ***');
		const after = await resumeRun(secretly, paused, { action: 'ok', inputs: {} });
		assert.equal(after.data.status, 'succeeded');
		assert.doesNotMatch(JSON.stringify([paused, events, after.events]), /sk-secret/);
	});

	it("fails if its state can't be stored, and inside a round", async () => {
		assert.match(
			String((await runTestAgent(createAskingAgent(), { inputs: { t: 'tea' } })).data.error),
			/'human-input' aren't available here/,
		);
		const inLoop = createTestAgent(
			[
				createStartNode('t'),
				{ id: 'lp', data: { type: 'loop', start_node_id: 'lps', loop_count: 1, break_conditions: [], loop_variables: [] } },
				{ id: 'lps', parentId: 'lp', data: { type: 'loop-start' } },
				{ ...ask, parentId: 'lp' },
			],
			['start > lp', 'lps > ask'],
		);
		assert.match(String((await runTestAgent(inLoop, { mayPause: true })).data.error), /inside an iteration or loop/);
	});
});

describe('a run of an agent with several triggers', () => {
	const agent = createTestAgent(
		[
			{ id: 'hook', data: { type: 'trigger-webhook' } },
			createStartNode('t'),
			createTemplateNode('a', 'a'),
			createEndNode({ t: 'start.t' }),
		],
		['hook > a', 'a > end', 'start > end'],
	);

	it('starts with the requested trigger, and skips nodes that only others lead to', async () => {
		const { skippedNodes, data } = await runTestAgent(agent, { root: 'start', inputs: { t: 'x' } });
		assert.deepEqual([skippedNodes, data.outputs], [['a', 'hook'], { t: 'x' }]);
		assert.deepEqual((await runTestAgent(agent)).skippedNodes, ['start']);
	});

	it('refuses an unknown start node', () =>
		assert.rejects(runTestAgent(agent, { root: 'a' }), /no start node or trigger 'a'\. Expected one of 'hook', 'start'/));
});
