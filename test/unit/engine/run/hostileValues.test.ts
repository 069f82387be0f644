import assert from 'node:assert/strict';
import type { DebugOptions } from '#contract/debugging.ts';
import { runNode } from '#engine/run/run.ts';
import type { Execute } from '#engine/run/runState.ts';
import { VariablePool } from '#engine/variables/variables.ts';
import { getNodeInputs } from '#gateway/debug/nodeInputs.ts';
import { closeDebugging, type DebuggedRun, startDebugging } from './debugFixture.ts';
import { createEndNode, createStartNode, createTemplateNode, createTestAgent } from './engineFixture.ts';

/** Runs an agent until it pauses before `b`, after `a` has output these values. */
async function runToBreakpoint(outputs: Record<string, unknown>, options: Partial<DebugOptions> = {}) {
	const agent = createTestAgent(
		[
			createStartNode('t'),
			createTemplateNode('a', 'a'),
			createTemplateNode('b', '{{ x }}', { x: 'a.v' }),
			createEndNode({ out: 'b.output' }),
		],
		['start > a', 'a > b', 'b > end'],
	);
	const executeWithOutputs: Execute = context => (context.node.id === 'a' ? { outputs } : runNode(context));
	const run = startDebugging(agent, { breakpoints: [{ id: '1', node: 'b' }], ...options }, { execute: executeWithOutputs });
	const { branch } = await run.stop();
	const found = run.session.branches.findBranchById(branch);
	assert.ok(found);
	return { run, branch: found };
}

async function finishRun(run: DebuggedRun): Promise<void> {
	run.session.continueRun();
	await run.outcome;
}

describe('hostile values in a debug session', () => {
	after(closeDebugging);

	it('are listed and set by any name', async () => {
		const names = ['__proto__', 'constructor', 'length', '👩‍🚀', '\u202eltr', 'a\nb', '{{#', 'toString', '', '.'];
		const outputs = Object.fromEntries([
			['v', 'x'],
			...names.map(name => [name, `is ${name}`]),
			['in', Object.fromEntries(names.map(name => [name, { n: 1 }]))],
		]);
		const { run, branch } = await runToBreakpoint(outputs);
		const listed = run.inspection.getVariables(branch, { command: 'variables', branch: branch.id, path: ['outputs', 'a'] });
		assert.deepEqual(
			listed.variables.map(({ name }) => name),
			['v', ...names, 'in'],
		);
		for (const { name, path, settable } of listed.variables.slice(1, -1)) {
			assert.ok(path && settable, name);
			const set = run.inspection.setVariable(branch, { command: 'set_variable', branch: branch.id, path: [...path], value: `now ${name}` });
			assert.equal(set.value, `now ${name}`);
		}
		for (const name of names) {
			const path = ['outputs', 'a', 'in', name, 'n'];
			assert.equal(run.inspection.setVariable(branch, { command: 'set_variable', branch: branch.id, path, value: 2 }).text, '2', name);
		}
		assert.equal(({} as Record<string, unknown>)['n'], undefined);
		const after = run.inspection.getVariables(branch, { command: 'variables', branch: branch.id, path: ['outputs', 'a'] });
		assert.deepEqual(
			after.variables.slice(1, -1).map(({ value }) => value),
			names.map(name => `now ${name}`),
		);
		await finishRun(run);
	});

	it('of a list are set only by index, and no failed change is reported as done', async () => {
		const { run, branch } = await runToBreakpoint({ v: ['a', 'b'] });
		const set = (key: string | number) =>
			run.inspection.setVariable(branch, { command: 'set_variable', branch: branch.id, path: ['outputs', 'a', 'v', key], value: 'c' });
		for (const key of ['', '01', '1.0', ' 1', '0x1', 'length', '__proto__', -1, 0.5, 2]) {
			assert.throws(() => set(key), /Nothing found at/, String(key));
		}
		set('0');
		set(1);
		const { variables } = run.inspection.getVariables(branch, { command: 'variables', branch: branch.id, path: ['outputs', 'a', 'v'] });
		assert.deepEqual(
			variables.map(({ value }) => value),
			['c', 'c'],
		);
		await finishRun(run);
	});

	it("are refused if they don't exist, or have another type", async () => {
		const { run, branch } = await runToBreakpoint({ v: 'x', n: 1, none: null, f: 1.5, list: [1], o: {} });
		const set = (name: string, value: unknown) =>
			run.inspection.setVariable(branch, { command: 'set_variable', branch: branch.id, path: ['outputs', 'a', name], value });
		for (const [name, value] of [
			['v', 1],
			['v', undefined],
			['n', Number.NaN],
			['n', 'NaN'],
			['f', Infinity],
			['n', null],
			['o', []],
			['o', null],
			['none', undefined],
		] as const) {
			assert.throws(() => set(name, value), /Expected/, `${name} ${String(value)}`);
		}
		assert.throws(() => set('list', ['x']), /Expected a list/);
		await finishRun(run);
	});

	for (const [what, value] of [
		['a list of 100,000 rows', Array.from({ length: 100_000 }, (_, at) => ({ at }))],
		['an object of 100,000 fields', Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, at]))],
	] as const) {
		it(`page: ${what}`, async () => {
			const { run, branch } = await runToBreakpoint({ v: value });
			for (const path of [
				['inputs', 'x'],
				['outputs', 'a', 'v'],
			]) {
				const got = new Set<string>();
				for (let start = 0; start < 100_000; start += 25_000) {
					const page = run.inspection.getVariables(branch, { command: 'variables', branch: branch.id, path, start, count: 1000 });
					assert.equal(page.total, 100_000);
					for (const { name } of page.variables) {
						got.add(name);
					}
				}
				assert.equal(got.size, 4000);
			}
			await finishRun(run);
		});
	}

	it('are shortened in reports if they have ten megabytes or are nested endlessly', async () => {
		let deep: unknown = 'end';
		for (let depth = 0; depth < 2000; depth++) {
			deep = { deep };
		}
		const { run, branch } = await runToBreakpoint({
			v: 'x'.repeat(10_000_000),
			deep,
			texts: Array.from({ length: 1000 }, () => 'y'.repeat(100_000)),
		});
		for (const path of [['outputs'], ['outputs', 'a'], ['inputs'], ['outputs', 'a', 'texts']]) {
			const listed = run.inspection.getVariables(branch, { command: 'variables', branch: branch.id, path, count: 1000 });
			const length = JSON.stringify(listed).length;
			assert.ok(length < 3_000_000, `${path}: ${length}`);
		}
		const whole = await run.inspection.evaluateExpression(branch, { command: 'evaluate', branch: branch.id, expression: '{{#a.v#}}' });
		assert.equal(whole.value?.length, 100_000);
		await finishRun(run);
	});

	it('of a node with thousands of messages of one role are listed quickly, with distinct names', () => {
		const settings = { prompt: Array.from({ length: 20_000 }, (_, at) => ({ role: 'user', text: String(at) })) };
		const started = performance.now();
		const names = getNodeInputs({ settings }, new VariablePool()).map(({ name }) => name);
		assert.ok(performance.now() - started < 2000, `${Math.round(performance.now() - started)} ms`);
		assert.deepEqual(names.slice(0, 3), ['user', 'user (2)', 'user (3)']);
		assert.equal(new Set(names).size, 20_000);
	});

	it('in expressions neither block the gateway nor access it', async () => {
		const { run, branch } = await runToBreakpoint({ v: 'x', key: 'v', __proto__: 1 });
		const evaluateExpression = (expression: string) =>
			run.inspection.evaluateExpression(branch, { command: 'evaluate', branch: branch.id, expression });
		for (const bad of [
			'(() => { for (;;); })()',
			'(() => { const a = []; for (;;) a.push(new Array(1e6).fill(1)); })()',
			'new Proxy({}, { get() { throw 1; }, ownKeys() { for (;;); } })',
			'({ get a() { throw new Error("no"); } })',
			'process.exit()',
			'(async () => { await new Promise(() => {}); })()',
			'x'.repeat(9_000),
			'}}}',
			'((',
		]) {
			await assert.rejects(evaluateExpression(bad), /Couldn't evaluate/, bad.slice(0, 60));
		}
		const cyclic = await evaluateExpression('(() => { const a = {}; a.a = a; return a; })()').catch((error: Error) => error.message);
		assert.match(String(cyclic), /Couldn't evaluate/);
		assert.equal((await evaluateExpression('1 + 1')).text, '2', 'the next one works');
		assert.equal((await evaluateExpression('nodes[`a`].v')).value, 'x');
		assert.equal((await evaluateExpression("nodes['' + 'a'].v")).value, 'x');
		// biome-ignore lint/suspicious/noTemplateCurlyInString: part of the expression
		assert.equal((await evaluateExpression('nodes[`${"a"}`].v')).value, 'x');
		assert.equal((await evaluateExpression('nodes["\\x61"].v')).value, 'x');
		await finishRun(run);
	});
});
