import assert from 'node:assert/strict';
import type { DebugCommand, DebugEvent, DebugOptions } from '#contract/debugging.ts';
import { runAgent, runNode } from '#engine/run/run.ts';
import { DebugSessions } from '#gateway/debug/debugSessions.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent, createTestServices } from '../../engine/run/engineFixture.ts';

const services = createTestServices();

function createAgent() {
	return createTestAgent(
		[createStartNode('t'), createTemplateNode('a', '{{ t }}', { t: 'start.t' }), createEndNode({ out: 'a.output' })],
		['start > a', 'a > end'],
		{
			workflow: {
				environment_variables: [
					{ name: 'KEY', value_type: 'secret', value: 'sk-very-secret' },
					{ name: 'N', value_type: 'number', value: 3 },
				],
			},
		},
	);
}

/** A debugged run with the events sent to its client. */
function openSession(
	sessions: DebugSessions,
	options: DebugOptions = { breakpoints: [{ id: 'b', node: 'a' }] },
	inputs: Record<string, unknown> = { t: 'tea' },
) {
	const reported: DebugEvent[] = [];
	const abort = new AbortController();
	let wake = () => {};
	const session = sessions.openSession(options, 'debugged');
	session.setStop(why => abort.abort(why));
	session.begin(json => {
		reported.push(JSON.parse(json));
		wake();
	});
	const run = { runId: 'run', taskId: 'task', workflowId: 'w', appId: 'app', sequenceNumber: 1, inputs, files: [], user: 'ana' };
	const outcome = runAgent(createAgent(), { ...run, signal: abort.signal, emit: () => {}, gate: session.gate }, services, runNode).finally(
		() => session[Symbol.dispose](),
	);
	const { session_id: id, key } = (reported[0] as Extract<DebugEvent, { event: 'debug_session' }>).data;
	return {
		outcome,
		async stopped(): Promise<number> {
			for (;;) {
				const stop = reported.findLast(event => event.event === 'debug_stopped');
				if (stop?.event === 'debug_stopped') {
					return stop.data.branch;
				}
				await new Promise<void>(resolve => {
					wake = resolve;
				});
			}
		},
		reported,
		command: (command: DebugCommand) => sessions.executeCommand(id, key, command),
	};
}

describe('debug sessions without a gateway', () => {
	after(async () => {
		await services.code.close();
		await services.templates.close();
		await services.documents.close();
	});

	it('stop a paused run whose client sends no commands', async () => {
		const sessions = new DebugSessions(60);
		const { outcome } = openSession(sessions);
		const { data } = await outcome;
		assert.deepEqual([data.status, data.error], ['stopped', 'The debug client disconnected. The run was paused and no command arrived.']);
		await sessions.close();
	});

	it('keep a run whose client sends pings', async () => {
		const sessions = new DebugSessions(400);
		const run = openSession(sessions);
		await run.stopped();
		const beat = setInterval(() => void run.command({ command: 'ping' }).catch(() => {}), 5);
		await new Promise(resolve => setTimeout(resolve, 1_000));
		clearInterval(beat);
		await run.command({ command: 'continue' });
		assert.equal((await run.outcome).data.status, 'succeeded');
		await sessions.close();
	});

	it('never reveal a secret', async () => {
		const sessions = new DebugSessions();
		const run = openSession(
			sessions,
			{
				breakpoints: [
					{ id: 'b', node: 'a' },
					{ id: 'log', node: 'a', log_message: '{env.KEY} {JSON.stringify(nodes)} {nodes.start.t.length}' },
				],
			},
			{ t: 'the key is sk-very-secret' },
		);
		const branch = await run.stopped();
		const asked: DebugCommand[] = [
			{ command: 'scopes', branch },
			{ command: 'variables', branch, path: ['env'] },
			{ command: 'variables', branch, path: ['inputs'] },
			{ command: 'variables', branch, path: ['outputs', 'start'] },
			...[
				'{{#env.KEY#}}',
				'env.KEY',
				'x{{#env.KEY#}}x',
				'nodes.start',
				'env.KEY.split("")',
				'nodes["start"].t.split("").join("-")',
				'inputs',
				'env',
			].map(expression => ({ command: 'evaluate' as const, branch, expression })),
		];
		for (const command of asked) {
			const answer = JSON.stringify(await run.command(command));
			assert.ok(
				!answer.includes('very-secret') && !answer.includes('v-e-r-y') && !answer.includes('"v","e"'),
				`${JSON.stringify(command)}: ${answer}`,
			);
		}
		await assert.rejects(run.command({ command: 'set_variable', branch, path: ['env', 'KEY'], value: 'x' }), /a secret/);
		const setVariable = (value: string) => run.command({ command: 'set_variable', branch, path: ['outputs', 'start', 't'], value });
		await assert.rejects(setVariable('the old key is ***'), /contains a secret, shown as \*\*\*, which would be lost/);
		assert.equal(((await setVariable('no key any more')) as { text: string }).text, '"no key any more"');
		assert.equal(((await run.command({ command: 'evaluate', branch, expression: 'env.N + 1' })) as { text: string }).text, '4');
		await run.command({ command: 'continue' });
		await run.outcome;
		assert.ok(!JSON.stringify(run.reported).includes('very-secret'), JSON.stringify(run.reported));
		await sessions.close();
	});

	it('page large values, and check new ones', async () => {
		const sessions = new DebugSessions();
		const big = Array.from({ length: 10_000 }, (_, index) => ({ index }));
		const run = openSession(sessions, { breakpoints: [{ id: 'b', node: 'a' }] }, { t: 'tea', list: big });
		const branch = await run.stopped();
		const sendCommand = (path: (string | number)[], more: object = {}) =>
			run.command({ command: 'variables', branch, path, ...more }) as Promise<{
				total: number;
				variables: { name: string; text: string }[];
			}>;
		const page = await sendCommand(['outputs', 'start', 'list'], { start: 9_998, count: 100 });
		assert.deepEqual(
			[page.total, page.variables.map(({ name, text }) => `${name} ${text}`)],
			[10_000, ['9998 {index: 9998}', '9999 {index: 9999}']],
		);
		assert.deepEqual(
			(await sendCommand(['outputs', 'start', 'list', 7])).variables.map(({ text }) => text),
			['7'],
		);
		const set = (path: (string | number)[], value: unknown) => run.command({ command: 'set_variable', branch, path, value });
		await set(['outputs', 'start', 'list', 7, 'index'], 8);
		assert.deepEqual(
			(await sendCommand(['outputs', 'start', 'list', 7])).variables.map(({ text }) => text),
			['8'],
		);
		for (const [path, value, message] of [
			[['outputs', 'start', 'list', 7, 'index'], 'x', /Expected a number, got "x"/],
			[['outputs', 'start', 'list'], {}, /Expected a list/],
			[['outputs', 'start', 't'], null, /Expected a string, got null/],
			[['outputs', 'start', 'nowhere'], 1, /Nothing found at/],
			[['outputs', 'start'], {}, /can't be set/],
			[['results', 1, 'x'], 1, /Nothing found at/],
			[['outputs', '__proto__', 'x'], 1, /Nothing found at/],
		] as const) {
			await assert.rejects(set([...path], value), message as RegExp);
		}
		await run.command({ command: 'continue' });
		assert.equal((await run.outcome).data.status, 'succeeded');
		await sessions.close();
	});
});
