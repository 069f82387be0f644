import assert from 'node:assert/strict';
import type { RecordedCall } from '#contract/recordings/recordings.ts';
import type { LoadedAgent } from '#engine/agentFile/agentTypes.ts';
import { RecordingSession } from '#engine/recordings/recordingSession.ts';
import { RunRecording } from '#engine/recordings/runRecording.ts';
import type { ModelPart, ModelRequest, RunOptions } from '#engine/run/engineTypes.ts';
import type { ToolSource } from '#engine/tools/engineTool.ts';
import { AgentTools } from '#engine/tools/publishedAgents.ts';
import { describeModelCall, getPausedCall } from '#gateway/debug/modelCalls.ts';
import { closeDebugging, type DebuggedRun, listPositions, startDebugging } from '../../engine/run/debugFixture.ts';
import { createEndNode, createStartNode, createTestAgent, createTestServices, type TestNode } from '../../engine/run/engineFixture.ts';

const createAsk = (id: string, more: object = {}): TestNode => ({
	id,
	data: {
		type: 'llm',
		title: id,
		model: { provider: 'p', name: 'small', mode: 'chat', completion_params: {} },
		prompt_template: [{ role: 'user', text: `Say {{#start.word#}} for ${id}` }],
		...more,
	},
});
const createAgent = (nodes: readonly TestNode[], outputs: Readonly<Record<string, string>>, more: object = {}) =>
	createTestAgent(
		[createStartNode('word'), ...nodes, createEndNode(outputs)],
		nodes.flatMap(({ id }) => [`start > ${id}`, `${id} > end`]),
		more,
	);
const clock = { enabled: true, type: 'builtin', provider_name: 'time', tool_name: 'current_time', parameters: {}, settings: {} };
const createWorker = (tools: readonly object[], strategy = 'function_calling'): TestNode => ({
	id: 'work',
	data: {
		type: 'agent',
		agent_strategy_name: strategy,
		agent_parameters: {
			model: { type: 'constant', value: { provider: 'p', model: 'small', completion_params: {} } },
			tools: { type: 'constant', value: tools },
			instruction: { type: 'constant', value: 'Be brief.' },
			query: { type: 'variable', value: ['start', 'word'] },
		},
	},
});

/** Debugs a run that stops at model calls. `calls` has the requests that reached the model. */
function startRun(agent: LoadedAgent, more: Partial<RunOptions> = {}, agents?: ToolSource) {
	const calls: ModelRequest[] = [];
	const none: ToolSource = { listProviders: async () => [], findTool: async () => undefined, listToolNames: async () => [] };
	const { models } = createTestServices(async function* (request): AsyncGenerator<ModelPart> {
		calls.push(request);
		yield { type: 'text', text: 'from the model' };
		yield { type: 'finish', finishReason: 'stop', usage: { promptTokens: 3, completionTokens: 4 } };
	});
	const others = { models, tools: { mcp: none, apis: none, agents: agents ?? none } };
	const run = startDebugging(agent, { model_calls: true }, { more: { inputs: { word: 'tide' }, ...more }, others });
	return { run, calls };
}

/** Answers the call that the run stopped at. */
async function answer(run: DebuggedRun, reply: Parameters<DebuggedRun['session']['modelCalls']['answerCall']>[2], branch?: number) {
	const stopped = branch === undefined ? await run.stop() : undefined;
	const id = branch ?? (stopped?.branch as number);
	await run.session.modelCalls.answerCall(id, getPausedCall(run.session.branches.findBranchById(id)).number, reply);
	return stopped;
}

/** Asserts that a reply is refused and that the run is still paused at the call. */
async function assertRefused(run: DebuggedRun, branch: number, reply: object, expected: RegExp): Promise<void> {
	await assert.rejects(answer(run, reply, branch), { status: 400, message: expected });
	assert.ok(getPausedCall(run.session.branches.findBranchById(branch)));
}

describe('model calls of a debugged run', () => {
	after(closeDebugging);

	it('stop the run, and are answered by hand instead of the model', async () => {
		const { run, calls } = startRun(createAgent([createAsk('ask')], { said: 'ask.text', usage: 'ask.usage' }));
		const stopped = await answer(run, { text: 'by hand {{#start.word#}}' });
		assert.equal(stopped?.reason, 'model');
		assert.deepEqual(listPositions(stopped!), ['ask']);
		assert.deepEqual(stopped?.branches[0]?.call, { number: 1, model: 'small' });
		assert.equal(stopped?.branches[0]?.restarts, undefined, 'the node is running');
		const { data } = await run.outcome;
		assert.equal(data.status, 'succeeded');
		assert.equal(data.outputs?.['said'], 'by hand {{#start.word#}}');
		assert.match(JSON.stringify(data.outputs?.['usage']), /"total_tokens":0/);
		assert.equal(data.total_tokens, 0);
		assert.equal(calls.length, 0);
		const answered = run.reported.filter(event => /"answered":true/.test(JSON.stringify(event)));
		assert.deepEqual(
			answered.map(event => [event.event, (event as { data: { node_id: string } }).data.node_id]),
			[['node_finished', 'ask']],
		);
	});

	it('go to the model if the run continues or steps', async () => {
		for (const how of ['continue', 'step'] as const) {
			const { run, calls } = startRun(createAgent([createAsk('ask')], { said: 'ask.text' }));
			const { branch } = await run.stop();
			if (how === 'continue') {
				run.session.continueRun();
			} else {
				run.session.stepBranch(branch, 'over');
				const next = await run.stop();
				assert.deepEqual([next.reason, listPositions(next)], ['step', ['end']]);
				run.session.continueRun();
			}
			assert.equal((await run.outcome).data.outputs?.['said'], 'from the model');
			assert.equal(calls.length, 1);
		}
	});

	it("don't stop a run that isn't asked to", async () => {
		const { run, calls } = startRun(createAgent([createAsk('ask')], { said: 'ask.text' }));
		run.session.modelCalls.isHolding = false;
		await run.outcome;
		assert.equal(calls.length, 1);
		assert.ok(!run.reported.some(({ event }) => event === 'debug_stopped'));
	});

	it('of two branches wait at once, and each gets its reply', async () => {
		const { run, calls } = startRun(createAgent([createAsk('left'), createAsk('right')], { left: 'left.text', right: 'right.text' }));
		let stopped = await run.stop();
		while (stopped.branches.filter(({ call }) => call).length < 2) {
			// the run may stop at the first call before the other node has started
			const unstarted = stopped.branches.find(({ call, state }) => !call && state === 'standing');
			if (unstarted) {
				run.session.stepBranch(unstarted.id, 'over');
			}
			stopped = await run.stop();
		}
		const findBranch = (node: string) => stopped.branches.find(({ frames }) => frames[0]?.node === node)?.id as number;
		await answer(run, { text: 'R' }, findBranch('right'));
		const next = await run.stop();
		assert.equal(next.branches.find(({ id }) => id === findBranch('left'))?.call?.model, 'small', 'the other one still waits');
		await answer(run, { text: 'L' }, findBranch('left'));
		run.session.continueRun();
		const { data } = await run.outcome;
		assert.deepEqual(data.outputs, { left: 'L', right: 'R' });
		assert.equal(calls.length, 0);
	});

	it('refuse a reply to another call, and one after the run went on', async () => {
		const { run } = startRun(createAgent([createAsk('ask')], { said: 'ask.text' }));
		const { branch } = await run.stop();
		await assert.rejects(run.session.modelCalls.answerCall(branch, 2, { text: 'x' }), { status: 409 });
		run.session.continueRun();
		await assert.rejects(run.session.modelCalls.answerCall(branch, 1, { text: 'x' }), { status: 409 });
		assert.equal((await run.outcome).data.outputs?.['said'], 'from the model');
	});

	it('end with the run when it is stopped', async () => {
		const { run, calls } = startRun(createAgent([createAsk('ask')], { said: 'ask.text' }));
		const { branch } = await run.stop();
		run.abort.abort();
		assert.equal((await run.outcome).data.status, 'stopped');
		await assert.rejects(run.session.modelCalls.answerCall(branch, 1, { text: 'late' }), { status: 409 });
		assert.equal(calls.length, 0);
	});

	it('check the schema of a structured output, and parse it like that of a model', async () => {
		const schema = {
			type: 'object',
			properties: { urgent: { type: 'boolean' }, tags: { type: 'array', items: { type: 'string' } } },
			required: ['urgent'],
		};
		const node = createAsk('ask', { structured_output_enabled: true, structured_output: { schema } });
		const { run } = startRun(createAgent([node], { out: 'ask.structured_output' }));
		const { branch } = await run.stop();
		await assertRefused(run, branch, { text: 'maybe' }, /isn't a JSON object/);
		await assertRefused(run, branch, { text: '{"urgent": 1}' }, /at \$\.urgent: .*boolean/);
		await assertRefused(run, branch, { text: '{"urgent": true, "tags": ["a", 2]}' }, /at \$\.tags\[1\]/);
		await assertRefused(run, branch, { text: ' ' }, /is empty/);
		await answer(run, { text: '{"urgent": true}' }, branch);
		assert.deepEqual((await run.outcome).data.outputs, { out: { urgent: true } });
	});

	it('check names and arguments of tools, and run the tools', async () => {
		const { run, calls } = startRun(createAgent([createWorker([clock])], { said: 'work.text' }));
		const { branch } = await run.stop();
		const call = (name: string, args: object) => ({ calls: [{ name, arguments: args as Record<string, unknown> }] });
		await assertRefused(
			run,
			branch,
			call('no_such_tool', {}),
			/^calls\[0\]: unknown tool 'no_such_tool'\. Expected one of these: current_time/,
		);
		await assertRefused(run, branch, call('current_time', { timezone: 7 }), /at calls\[0\]\.arguments\.timezone/);
		await answer(run, call('current_time', { timezone: 'Asia/Tokyo' }), branch);
		const second = await run.stop();
		const described = describeModelCall(getPausedCall(run.session.branches.findBranchById(second.branch)));
		assert.match(described.messages.at(-1)?.text ?? '', /\d{4}-/);
		assert.equal(described.call, 2);
		await answer(run, { text: 'It is late.' }, second.branch);
		assert.match(String((await run.outcome).data.outputs?.['said']), /^\s*It is late\.$/);
		assert.equal(calls.length, 0);
	});

	it('take text for a strategy that describes its tools in the prompt', async () => {
		const { run } = startRun(createAgent([createWorker([clock], 'ReAct')], { said: 'work.text' }));
		const { branch } = await run.stop();
		await assertRefused(run, branch, { calls: [{ name: 'current_time', arguments: {} }] }, /has no tools here/);
		await answer(run, { text: 'Thought: done\nAction: {"action": "Final Answer", "action_input": "Noon"}' }, branch);
		assert.match(String((await run.outcome).data.outputs?.['said']), /Noon/);
	});

	it('of a classifier and an extractor are parsed like those of a model', async () => {
		const model = { provider: 'p', name: 'small', mode: 'chat', completion_params: {} };
		const classes = [
			{ id: '1', name: 'fault' },
			{ id: '2', name: 'praise' },
		];
		const sort: TestNode = {
			id: 'sort',
			data: { type: 'question-classifier', model, query_variable_selector: ['start', 'word'], classes },
		};
		const sorted = createTestAgent(
			[createStartNode('word'), sort, createEndNode({ name: 'sort.class_name' })],
			['start > sort', 'sort [1] > end', 'sort [2] > end'],
		);
		const { run } = startRun(sorted);
		await answer(run, { text: '{"category_id": "2", "category_name": "praise"}' });
		assert.deepEqual((await run.outcome).data.outputs, { name: 'praise' });
		const pick: TestNode = {
			id: 'pick',
			data: {
				type: 'parameter-extractor',
				model,
				query: ['start', 'word'],
				parameters: [{ name: 'size', type: 'number', description: 'size', required: true }],
				reasoning_mode: 'prompt',
			},
		};
		const { run: extracting } = startRun(createAgent([pick], { size: 'pick.size' }));
		await answer(extracting, { text: '{"size": 4}' });
		assert.deepEqual((await extracting.outcome).data.outputs, { size: 4 });
	});

	it('inside an agent that runs as a tool wait once', async () => {
		const inner = createAgent([createAsk('ask')], { said: 'ask.text' });
		const published = { name: 'inner', appId: 'inner', workflowId: 'inner', agent: inner };
		const agents = new AgentTools({ listAgentNames: async () => ['inner'], findAgent: async () => published });
		const tool: TestNode = {
			id: 'use',
			data: {
				type: 'tool',
				provider_type: 'workflow',
				provider_id: 'inner',
				tool_name: 'inner',
				tool_parameters: { word: { type: 'constant', value: 'x' } },
			},
		};
		const { run, calls } = startRun(createAgent([tool], { said: 'use.text' }), {}, agents);
		const stopped = await answer(run, { text: 'inside' });
		assert.deepEqual(listPositions(stopped!), ['ask < use']);
		assert.match(String((await run.outcome).data.outputs?.['said']), /inside/);
		assert.equal(calls.length, 0);
		assert.equal(run.reported.filter(({ event }) => event === 'debug_stopped').length, 1);
	});

	it('are recorded as answered by a person, and replayed without a stop', async () => {
		const record = (mode: 'all' | 'none') =>
			new RecordingSession(
				{ mode },
				{
					readPart: () => {
						throw new Error('no parts in this test');
					},
					redactText: text => text,
				},
			);
		const session = record('all');
		const agent = createAgent([createAsk('ask')], { said: 'ask.text' });
		const { run } = startRun(agent, { recording: { run: new RunRecording(session, { id: 'r' }), path: '' } });
		await answer(run, { text: 'kept' });
		await run.outcome;
		const { calls } = session.takeCalls() as { readonly calls: readonly RecordedCall[] };
		assert.equal(calls.length, 1);
		assert.match(calls[0]!.text, /by: person/);
		assert.match(calls[0]!.text, /text: kept/);
	});

	it('are described without the secrets of the agent', async () => {
		const agent = createAgent(
			[createAsk('ask', { prompt_template: [{ role: 'user', text: 'Use {{#env.TOKEN#}}' }] })],
			{ said: 'ask.text' },
			{ workflow: { environment_variables: [{ id: 'e', name: 'TOKEN', value_type: 'secret', value: 'sk-canary-0123456789' }] } },
		);
		const { run } = startRun(agent);
		const { branch } = await run.stop();
		const described = JSON.stringify(describeModelCall(getPausedCall(run.session.branches.findBranchById(branch))));
		assert.ok(!described.includes('canary'), described);
		assert.match(described, /Use /);
		run.session.continueRun();
		await run.outcome;
	});
});
