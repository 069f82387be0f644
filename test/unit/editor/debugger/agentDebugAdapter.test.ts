import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { localizable } from '#base/text/localizableMessage.ts';
import { ServiceError } from '#client/errors/serviceError.ts';
import type { DebugCommand } from '#contract/debugging.ts';
import { answerDialogs } from '../../../support/editor/answers.ts';
import { agentPath, agentText, DebugClient, toolPath } from './debugClient.ts';

describe('AgentDebugAdapter', () => {
	let client: DebugClient;
	beforeEach(() => {
		client = new DebugClient();
	});
	afterEach(() => {
		client.close();
		client.adapter.dispose();
	});

	it('starts the run with all stops after the editor has finished its configuration', async () => {
		await client.startSession([13], { stopOnEntry: true });
		assert.deepEqual(client.asked, [
			{ command: 'run', options: { breakpoints: [{ id: '1', node: 'rank' }], failures: ['run'], stop_on_entry: true } },
		]);
		const before = client.sent.slice(0, 2).map(each => (each as DebugProtocol.Response).command);
		assert.deepEqual(before, ['initialize', 'launch']);
	});

	it('shows a stop at a model call, and continues when it was answered by hand', async () => {
		await client.startSession();
		await client.sendRequest('setExceptionBreakpoints', { filters: ['run', 'model'] });
		await client.waitUntilTrue(() => client.asked.find(each => 'model_calls' in each && each.model_calls === true));
		const frames = [{ kind: 'node', node: 'rank', title: 'Rank' }] as const;
		const call = { number: 3, model: 'small' };
		client.pauseBefore('rank', { reason: 'model', branches: [{ id: 7, state: 'standing', frames, call }] });
		const stopped = await client.event<DebugProtocol.StoppedEvent>('stopped');
		assert.deepEqual([stopped.body.reason, stopped.body.description], ['pause', 'Paused before a model call']);
		const { modelCalls } = client.adapter;
		assert.deepEqual(modelCalls, [{ branch: 7, ...call, title: 'Rank', file: agentPath, line: 10 }]);
		client.createResponse = () => {
			throw new ServiceError('invalid-request', 'refused', { status: 400 });
		};
		await assert.rejects(client.adapter.answerModelCall(modelCalls[0]!, { text: '' }));
		assert.equal(client.adapter.modelCalls.length, 1, 'still paused');
		client.createResponse = () => ({ result: 'success' });
		await client.adapter.answerModelCall(modelCalls[0]!, { text: 'Tides' });
		assert.deepEqual(client.asked.at(-1), { command: 'answer', branch: 7, call: 3, reply: { text: 'Tides' } });
		client.emitEvent({ event: 'debug_continued', data: {} });
		await client.event('continued');
		assert.deepEqual(client.adapter.modelCalls, []);
	});

	it('moves a breakpoint to the first line of its node, and explains why others never stop', async () => {
		const { body } = await client.startSession([9, 14, 3, 17, 20, 7]);
		assert.deepEqual(
			body.breakpoints.map(({ verified, line }) => [verified, line]),
			[
				[true, 9],
				[true, 11],
				[false, 3],
				[false, 17],
				[false, 20],
				// this line is an edge, so the run stops before its target
				[true, 11],
			],
		);
		assert.match(body.breakpoints[2]?.message ?? '', /to a line of a node or edge/);
		assert.match(body.breakpoints[4]?.message ?? '', /never reach 'Spare'/);
		const other = await client.setBreakpoints([1], '/work/compose.yml');
		assert.match(other.body.breakpoints[0]?.message ?? '', /is neither the agent being debugged nor/);
		const places = await client.sendRequest<DebugProtocol.BreakpointLocationsResponse>('breakpointLocations', {
			source: { path: agentPath },
			line: 12,
			endLine: 15,
		});
		assert.deepEqual(places.body.breakpoints, [{ line: 11 }, { line: 15 }]);
	});

	it('passes on conditions, hit counts and log messages', async () => {
		await client.startSession();
		await client.sendRequest('setBreakpoints', {
			source: { path: agentPath },
			breakpoints: [{ line: 9, condition: 'a > 1', hitCondition: '> 2', logMessage: 'is {a}' }],
		});
		const [sent] = await client.waitUntilTrue(() => {
			const found = client.asked.filter(({ command }) => command === 'set_breakpoints') as (DebugCommand & { breakpoints: object[] })[];
			return found.length > 0 ? found.at(-1)?.breakpoints : undefined;
		});
		assert.deepEqual(sent, { id: '1', node: 'start', condition: 'a > 1', hit_condition: '> 2', log_message: 'is {a}' });
	});

	it('counts lines from 0 if the editor does', async () => {
		const { body } = await client.startSession([12], {}, { linesStartAt1: false });
		assert.equal(body.breakpoints[0]?.line, 10);
		client.pauseBefore('end');
		await client.event('stopped');
		const { body: stack } = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		assert.equal(stack.stackFrames[0]?.line, 14);
	});

	it('shows each branch as a thread with its containers and iterations at their positions', async () => {
		await client.startSession();
		const frames = [
			{ kind: 'node', node: 'rank', title: 'Rank' },
			{ kind: 'container', node: 'start', title: 'Each', round: 2 },
			{ kind: 'agent', title: 'sort' },
		] as const;
		const ending = [{ kind: 'node', node: 'end', title: 'End' }] as const;
		client.emitEvent({
			event: 'debug_stopped',
			data: {
				reason: 'breakpoint',
				branch: 7,
				branches: [
					{ id: 7, state: 'standing', frames },
					{ id: 8, state: 'ending', frames: ending },
				],
				breakpoints: ['1'],
			},
		});
		const stopped = await client.event<DebugProtocol.StoppedEvent>('stopped');
		assert.deepEqual(stopped.body, {
			reason: 'breakpoint',
			threadId: 7,
			allThreadsStopped: true,
			preserveFocusHint: false,
			hitBreakpointIds: [1],
		});
		const { body } = await client.sendRequest<DebugProtocol.ThreadsResponse>('threads');
		assert.deepEqual(body.threads, [
			{ id: 7, name: 'Each [3] › Rank' },
			{ id: 8, name: 'End (still running)' },
		]);
		const stack = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		assert.deepEqual(
			stack.body.stackFrames.map(({ name, line, source }) => [name, line, source?.path]),
			[
				['Rank', 11, agentPath],
				['Each, iteration 3', 9, agentPath],
				['sort', 1, agentPath],
			],
		);
		assert.deepEqual(client.stands, ['Rank']);
		assert.deepEqual(client.places, [{ node: 'rank' }]);
		// the same stop is reported again after other work has finished
		client.emitEvent({
			event: 'debug_stopped',
			data: { reason: 'breakpoint', branch: 7, branches: [{ id: 7, state: 'standing', frames }] },
		});
		const again = await client.event<DebugProtocol.StoppedEvent>('stopped', 2);
		assert.equal(again.body.preserveFocusHint, true);
	});

	for (const [what, text, line] of [
		['another text', `# one more line\n${agentText}`, 12],
		['a copy of the text that runs', agentText, 11],
	] as const) {
		it(`stops in the file of an agent used as a tool, and shows its frames and messages there: ${what}`, async () => {
			client.toolText = text;
			await client.startSession();
			const { body } = await client.setBreakpoints([line + 1], toolPath);
			assert.deepEqual(body.breakpoints, [{ id: 1, verified: true, line }]);
			assert.deepEqual(client.asked.at(-1), {
				command: 'set_breakpoints',
				breakpoints: [{ id: '1', node: 'rank', agent: 'helper' }],
				failures: ['run'],
			});
			const frames = [
				{ kind: 'node', node: 'rank', title: 'Rank', agent: 'helper' },
				{ kind: 'agent', title: '', agent: 'helper' },
				{ kind: 'tool', node: 'end', title: 'Ask the helper' },
				{ kind: 'agent', title: 'sort' },
			] as const;
			client.emitEvent({ event: 'debug_output', data: { node: 'rank', agent: 'helper', breakpoint: '1', text: 'told' } });
			client.pauseBefore('rank', { reason: 'breakpoint', branches: [{ id: 7, state: 'standing', frames }] });
			await client.event('stopped');
			const stack = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
			assert.deepEqual(
				stack.body.stackFrames.map(frame => [frame.name, frame.line, frame.source?.path]),
				[
					['Rank', line, toolPath],
					['helper', 1, toolPath],
					['Ask the helper', 15, agentPath],
					['sort', 1, agentPath],
				],
			);
			const output = await client.event<DebugProtocol.OutputEvent>('output');
			assert.deepEqual([output.body.source?.path, output.body.line], [toolPath, line]);
			assert.deepEqual(client.places, [{ node: 'rank', agent: 'helper' }, { node: 'end' }]);
			const { threads } = (await client.sendRequest<DebugProtocol.ThreadsResponse>('threads')).body;
			assert.deepEqual(threads, [{ id: 7, name: 'Ask the helper › Rank' }]);
		});
	}

	it('lists values in pages, sets them by type, and evaluates expressions', async () => {
		await client.startSession();
		client.createResponse = command => {
			switch (command.command) {
				case 'scopes':
					return { scopes: [{ name: 'Outputs', path: ['outputs'], children: 1 }] };
				case 'variables': {
					if (command.path.length === 1) {
						return { variables: [createVariable('items', 'array[string]', 2500, ['outputs', 'items'])], total: 1 };
					}
					const { start = 0, count = 0 } = command;
					const length = Math.min(count, 2500 - start);
					return {
						variables: Array.from({ length }, (_, at) => createVariable(String(start + at), 'string', 0, ['outputs', 'items', start + at])),
						total: 2500,
					};
				}
				case 'set_variable':
					return createVariable('x', 'string', 0, command.path);
				default:
					return createVariable('', 'number', 0, undefined);
			}
		};
		client.pauseBefore('rank');
		await client.event('stopped');
		const stack = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		const frameId = stack.body.stackFrames[0]?.id;
		const scopes = await client.sendRequest<DebugProtocol.ScopesResponse>('scopes', { frameId });
		const top = await client.sendRequest<DebugProtocol.VariablesResponse>('variables', {
			variablesReference: scopes.body.scopes[0]?.variablesReference,
		});
		assert.equal(top.body.variables[0]?.indexedVariables, 2500);
		const variablesReference = top.body.variables[0]?.variablesReference;
		const page = await client.sendRequest<DebugProtocol.VariablesResponse>('variables', { variablesReference, start: 200, count: 100 });
		assert.deepEqual([page.body.variables.length, page.body.variables[0]?.name], [100, '200']);
		const all = await client.sendRequest<DebugProtocol.VariablesResponse>('variables', { variablesReference });
		assert.equal(all.body.variables.length, 2500);
		await client.sendRequest('setVariable', { variablesReference, name: '200', value: 'true' });
		assert.deepEqual(client.asked.at(-1), {
			command: 'set_variable',
			branch: 7,
			frame: 0,
			path: ['outputs', 'items', 200],
			// strings need no quotes
			value: 'true',
		});
		assert.equal(client.listEvents('invalidated').length, 1);
		const evaluated = await client.sendRequest<DebugProtocol.EvaluateResponse>('evaluate', { expression: '{{#a.b#}}', frameId });
		assert.equal(evaluated.body.result, 'text');
		assert.deepEqual(client.asked.at(-1), { command: 'evaluate', branch: 7, frame: 0, expression: '{{#a.b#}}' });
	});

	it('prints the agent and its inputs first, and its outputs, status, time and tokens last', async () => {
		await client.startSession();
		const end = { status: 'succeeded', outputs: { summary: 'Calm.', words: ['a', 'b'] }, elapsed_time: 2.4, total_tokens: 412 };
		client.emitEvent({ event: 'workflow_finished', data: end } as { event: string });
		client.close();
		await client.event('terminated');
		assert.deepEqual(
			client.listEvents('output').map(({ body }) => (body as { output: string }).output),
			[
				'Running sort (sort.yml) · text: Tides · count: 2\n',
				'summary: Calm.\n',
				'words:\n    - a\n    - b\n',
				'Run succeeded · 2.4 s · 412 tokens\n',
			],
		);
	});

	it('prints no secrets', async () => {
		Object.assign(client.run!, {
			inputs: { token: 'open sesame', header: 'Bearer open sesame' },
			secrets: new Map([['open sesame', '<token>']]),
		});
		await client.startSession();
		const data = { status: 'failed', outputs: { said: 'open sesame!' }, error: 'open sesame was refused' };
		client.emitEvent({ event: 'workflow_finished', data } as { event: string });
		client.close();
		await client.event('terminated');
		assert.deepEqual(
			client.listEvents('output').map(({ body }) => (body as { output: string }).output),
			['Running sort (sort.yml) · token: <token> · header: Bearer <token>\n', 'said: <token>!\n', '<token> was refused\n', 'Run failed\n'],
		);
	});

	it('prints which node Restart Frame runs again, and which set values are lost', async () => {
		await client.startSession();
		client.createResponse = command =>
			command.command === 'restart'
				? { result: 'success' }
				: { ...createVariable('rank.x', 'string', 0, ['outputs', 'rank', 'x']), settable: true, selector: 'rank.x' };
		const frames = [{ kind: 'node', node: 'end', title: 'End' }] as const;
		const standing = { id: 7, state: 'standing', frames } as const;
		client.pauseBefore('end', { branches: [{ ...standing, restarts: { node: 'rank', title: 'Rank' } }] });
		await client.event('stopped');
		const { body } = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		const frameId = body.stackFrames[0]?.id;
		await client.sendRequest('evaluate', { expression: 'rank.x = "y"', context: 'repl', frameId });
		await client.sendRequest('restartFrame', { frameId });
		const listOutput = () =>
			client
				.listEvents('output')
				.slice(1)
				.map(event => (event as DebugProtocol.OutputEvent).body.output);
		assert.deepEqual(listOutput(), [
			"'End' hasn't run yet, so the node before it, 'Rank', will run again. Its outputs will be replaced.\n",
			'Values that you set will also be replaced: rank.x.\n',
		]);
		client.pauseBefore('end', { branches: [{ ...standing, error: 'It broke', restarts: { node: 'end', title: 'End' } }] });
		await client.event('stopped', 2);
		const again = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		await client.sendRequest('restartFrame', { frameId: again.body.stackFrames[0]?.id });
		assert.deepEqual(listOutput().slice(2), ["Running 'End' again with the current values of its variables.\n"]);
	});

	it('treats an assignment in the console as setting a value, and a comparison as an expression', async () => {
		await client.startSession();
		client.createResponse = command =>
			createVariable(
				'x',
				'boolean',
				0,
				command.command === 'evaluate' ? ['outputs', 'facts', 'urgent'] : command.command === 'set_variable' ? command.path : undefined,
			);
		client.pauseBefore('rank');
		await client.event('stopped');
		await client.sendRequest('evaluate', { expression: 'facts.urgent = true', context: 'repl' });
		assert.deepEqual(client.asked.at(-1), {
			command: 'set_variable',
			branch: 7,
			frame: 0,
			path: ['outputs', 'facts', 'urgent'],
			value: true,
		});
		await client.sendRequest('evaluate', { expression: 'nodes.a == 3', context: 'repl' });
		assert.deepEqual(client.asked.at(-1), { command: 'evaluate', branch: 7, frame: 0, expression: 'nodes.a == 3' });
	});

	it('responds before sending a step, and reports the stop again if the step is refused', async () => {
		await client.startSession();
		client.pauseBefore('rank');
		await client.event('stopped');
		client.createResponse = () => {
			client.pauseBefore('end');
			return { result: 'success' };
		};
		await client.sendRequest('next', { threadId: 7 });
		await client.event('stopped', 2);
		const kinds = client.sent.map(each => (each as DebugProtocol.Response).command ?? (each as DebugProtocol.Event).event);
		assert.ok(kinds.indexOf('next') < kinds.lastIndexOf('stopped'), kinds.join());
		assert.deepEqual(client.asked.at(-1), { command: 'step', branch: 7, how: 'over' });
		client.createResponse = () => Promise.reject(new Error('The branch does not stand.'));
		await client.sendRequest('continue', { threadId: 7 });
		await client.event('stopped', 3);
		assert.match(JSON.stringify(client.listEvents('output').at(-1)?.body), /does not stand/);
	});

	it('steps back and reverses, says where in the past it is, and returns to the present', async () => {
		const { body: capabilities } = await client.sendRequest<DebugProtocol.InitializeResponse>('initialize', {
			adapterID: 'agent',
			pathFormat: 'path',
		});
		assert.equal(capabilities?.supportsStepBack, true);
		await client.startSession();
		client.pauseBefore('end');
		await client.event('stopped');
		const { body: before } = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		client.createResponse = ({ command }) => {
			if (command === 'step_back' || command === 'reverse') {
				client.pauseBefore('rank', { past: { step: 2, of: 3 } });
			} else if (command === 'present' && client.pasts.at(-1)) {
				client.pauseBefore('end', { reason: 'breakpoint' });
			}
			return { result: 'success' };
		};
		await client.sendRequest('stepBack', { threadId: 7 });
		const past = await client.event<DebugProtocol.StoppedEvent>('stopped', 2);
		assert.deepEqual([past.body.reason, past.body.description, past.body.preserveFocusHint], ['step', 'In the past: step 2 of 3', false]);
		assert.deepEqual(
			[client.asked.at(-1), client.pasts.at(-1), client.stands.at(-1)],
			[{ command: 'step_back', branch: 7 }, { step: 2, of: 3 }, 'rank'],
		);
		await client.sendRequest('reverseContinue', { threadId: 7 });
		await client.event('stopped', 3);
		assert.deepEqual(client.asked.at(-1), { command: 'reverse' });
		const { body: there } = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		assert.equal(there.stackFrames[0]?.line, 11);
		await client.adapter.returnToPresent();
		const present = await client.event<DebugProtocol.StoppedEvent>('stopped', 4);
		assert.deepEqual([present.body.reason, present.body.description, client.pasts.at(-1)], ['breakpoint', undefined, undefined]);
		const { body: after } = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		const ids = [before, there, after].map(({ stackFrames: [frame] }) => frame?.id);
		assert.equal(new Set(ids).size, 3, 'IDs are new in each place');
		await client.adapter.returnToPresent();
		const { success } = await client.sendRequest('stepBack', { threadId: 7 });
		assert.ok(success, 'still paused after a second click');
	});

	describe('with a change in the past', () => {
		const part = { node: 'rank', how: 'from', run: 'r' } as const;
		beforeEach(async () => {
			await client.startSession();
			client.createResponse = ({ command }) => {
				if (command === 'set_variable') {
					client.pauseBefore('rank', { past: { step: 2, of: 3, changes: 1 } });
					return { name: 'n', text: '5', type: 'number', children: 0, settable: true };
				}
				return command === 'fork' ? { part } : { name: 'n', text: '4', type: 'number', children: 0, settable: true, path: ['inputs', 'n'] };
			};
			client.pauseBefore('rank', { past: { step: 2, of: 3 } });
			await client.event('stopped');
			await client.sendRequest('setExpression', { expression: 'start.n', value: '5' });
			const changed = await client.event<DebugProtocol.StoppedEvent>('stopped', 2);
			assert.deepEqual([changed.body.description, changed.body.preserveFocusHint], ['In the past: step 2 of 3 · 1 change', false]);
			const { body } = client.listEvents('output').at(-1) as DebugProtocol.OutputEvent;
			assert.match(body.output, /The run itself stays as it is\. Continue or step to start a fork/);
		});

		it('starts a fork instead of continuing, and stays there if that is canceled', async () => {
			client.canFork = false;
			await client.sendRequest('continue', { threadId: 7 });
			const again = await client.event<DebugProtocol.StoppedEvent>('stopped', 3);
			assert.equal(again.body.description, 'In the past: step 2 of 3 · 1 change');
			client.canFork = true;
			await client.sendRequest('next', { threadId: 7 });
			await client.waitUntilTrue(() => (client.forks.length === 2 ? true : undefined));
			assert.deepEqual(client.forks, [
				{ part, step: undefined },
				{ part, step: 'over' },
			]);
			assert.ok(!client.asked.some(({ command }) => command === 'continue' || command === 'step'), 'nothing runs');
			client.adapter.showStopAgain();
			await client.event('stopped', 4);
		});

		it('asks before it discards the change', async () => {
			const cancel = await answerDialogs({ buttons: [undefined] }, async () => {
				await client.sendRequest('stepBack', { threadId: 7 });
				await client.event('stopped', 3);
			});
			assert.deepEqual(cancel.warnings, ['Discard 1 change?']);
			await answerDialogs({ buttons: [undefined] }, () => client.adapter.returnToPresent());
			assert.ok(!client.asked.some(({ command }) => command === 'step_back' || command === 'present'));
			await answerDialogs({ buttons: ['Discard'] }, () => client.adapter.returnToPresent());
			assert.deepEqual(client.asked.at(-1), { command: 'present' });
		});
	});

	it('steps from the entry of a fork without showing it', async () => {
		await client.startSession([], { stopOnEntry: true, step: 'into' });
		client.pauseBefore('rank', { reason: 'entry' });
		await client.waitUntilTrue(() => client.asked.find(({ command }) => command === 'step'));
		assert.ok(client.hasStarted);
		assert.deepEqual(client.asked.at(-1), { command: 'step', branch: 7, how: 'into' });
		client.pauseBefore('end');
		await client.event('stopped');
		assert.equal(client.listEvents('stopped').length, 1);
	});

	it('stays in the past if a step is refused, and says why', async () => {
		await client.startSession();
		client.pauseBefore('start', { past: { step: 1, of: 3 } });
		await client.event('stopped');
		const said = localizable`This is the start of the run.`;
		client.createResponse = () => {
			throw new ServiceError('invalid-request', localizable`The service responded with status ${409}: ${said}`, { status: 409 });
		};
		await client.sendRequest('stepBack', { threadId: 7 });
		const stopped = await client.event<DebugProtocol.StoppedEvent>('stopped', 2);
		assert.equal(stopped.body.description, 'In the past: step 1 of 3');
		assert.equal((client.listEvents('output').at(-1) as DebugProtocol.OutputEvent).body.output, 'This is the start of the run.\n');
		client.emitEvent({ event: 'debug_continued', data: {} });
		await client.waitUntilTrue(() => (client.pasts.at(-1) === undefined ? true : undefined));
	});

	it('sends commands in order, and only the last of several breakpoint updates', async () => {
		await client.startSession();
		client.pauseBefore('rank');
		await client.event('stopped');
		const first = Promise.withResolvers<object>();
		client.createResponse = () => first.promise;
		const before = client.asked.length;
		for (let count = 1; count <= 50; count++) {
			await client.setBreakpoints(Array.from({ length: count }, () => 9));
		}
		await client.setBreakpoints([13]);
		await client.sendRequest('continue', { threadId: 7 });
		assert.deepEqual(
			client.asked.slice(before).map(({ command }) => command),
			['set_breakpoints'],
			'the gateway has not answered yet',
		);
		client.createResponse = () => ({ result: 'success' });
		first.resolve({ result: 'success' });
		await client.waitUntilTrue(() => (client.asked.at(-1)?.command === 'continue' ? true : undefined));
		const sent = client.asked.slice(before) as { command: string; breakpoints?: { node: string }[] }[];
		assert.deepEqual(
			sent.map(({ command, breakpoints }) => [command, breakpoints?.map(({ node }) => node)]),
			[
				['set_breakpoints', ['start']],
				['set_breakpoints', ['rank']],
				['continue', undefined],
			],
		);
	});

	it("doesn't run if it's stopped during preparation", async () => {
		await client.sendRequest('initialize', {
			adapterID: 'agent',
			pathFormat: 'path',
		});
		await client.sendRequest('launch');
		await client.event('initialized');
		await client.sendRequest('disconnect');
		await client.sendRequest('configurationDone');
		assert.deepEqual(client.asked, []);
		assert.equal(client.listEvents('terminated').length, 1);
	});

	it('refuses requests that need a paused run with a message', async () => {
		await client.startSession();
		const refused = await client.sendRequest<DebugProtocol.Response>('evaluate', { expression: 'x' });
		assert.equal(refused.success, false);
		assert.match(refused.message ?? '', /The run isn't paused/);
	});

	it('shows why a value is refused, without the HTTP status, and keeps the values that VS Code shows the message at', async () => {
		await client.startSession();
		const said = localizable`Expected true or false, got ${'"yes"'}.`;
		client.createResponse = command => {
			if (command.command === 'set_variable') {
				const message = localizable`The service responded with status ${400} (${'invalid_param'}): ${said}`;
				throw new ServiceError('invalid-request', message, { status: 400 });
			}
			return command.command === 'scopes'
				? { scopes: [{ name: 'Inputs', path: ['inputs'], children: 1 }] }
				: { variables: [{ ...createVariable('urgent', 'boolean', 0, ['inputs', 'urgent']), settable: true }], total: 1 };
		};
		client.pauseBefore('rank');
		await client.event('stopped');
		const stack = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		const scopes = await client.sendRequest<DebugProtocol.ScopesResponse>('scopes', { frameId: stack.body.stackFrames[0]?.id });
		const variablesReference = scopes.body.scopes[0]?.variablesReference;
		await client.sendRequest('variables', { variablesReference });
		const refused = await client.sendRequest<DebugProtocol.Response>('setVariable', { variablesReference, name: 'urgent', value: '"yes"' });
		assert.deepEqual([refused.success, refused.message], [false, 'Expected true or false, got "yes".']);
		assert.deepEqual(client.listEvents('invalidated'), []);
	});

	it('shows the running text if the file has changed, and moves breakpoints with the file', async () => {
		await client.startSession([13]);
		client.pauseBefore('rank');
		await client.event('stopped');
		client.editAgent(`# one more line\n${agentText}`);
		await client.event('invalidated');
		assert.match(JSON.stringify(client.listEvents('output').at(-1)?.body), /continues with the earlier version/);
		const stack = await client.sendRequest<DebugProtocol.StackTraceResponse>('stackTrace', { threadId: 7 });
		const [frame] = stack.body.stackFrames;
		assert.deepEqual([frame?.line, frame?.source?.name, frame?.source?.sourceReference], [11, 'sort.yml (running version)', 1]);
		const { body } = await client.sendRequest<DebugProtocol.SourceResponse>('source', { source: frame?.source, sourceReference: 1 });
		assert.equal(body.content, agentText);
		// VS Code moved the breakpoint with its line, which belongs to the same node
		const { body: set } = await client.setBreakpoints([14]);
		assert.deepEqual([set.breakpoints[0]?.verified, set.breakpoints[0]?.line], [true, 12]);
		client.editAgent(agentText.replaceAll('rank', 'sorted'));
		const { body: other } = await client.setBreakpoints([13]);
		assert.match(other.breakpoints[0]?.message ?? '', /isn't part of this run/);
	});

	describe('ends the session exactly once', () => {
		const ends: Readonly<Record<string, () => unknown>> = {
			'when the stream ends': () => client.close(),
			'when the editor stops it': async () => {
				await client.sendRequest('terminate');
				assert.deepEqual(client.asked.at(-1), { command: 'stop' });
				client.close();
			},
			'when the editor disconnects': () => client.sendRequest('disconnect'),
			'when the window closes': () => client.adapter.dispose(),
		};
		for (const [name, end] of Object.entries(ends)) {
			it(name, async () => {
				await client.startSession();
				client.pauseBefore('rank');
				await client.event('stopped');
				await end();
				await client.event('terminated');
				client.close();
				await client.sendRequest('disconnect');
				client.adapter.dispose();
				assert.equal(client.listEvents('terminated').length, 1);
				assert.equal(client.stands.at(-1), undefined);
			});
		}

		it('when the user cancels a question', async () => {
			client.run = undefined;
			const launched = await client.sendRequest<DebugProtocol.Response>('launch');
			assert.equal(launched.success, true);
			await client.event('terminated');
			assert.equal(client.listEvents('initialized').length, 0);
		});
	});
});

function createVariable(name: string, type: string, children: number, path: readonly (string | number)[] | undefined) {
	return { name, text: 'text', type, children, settable: true, ...(path && { path }) };
}
