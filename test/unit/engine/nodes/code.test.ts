import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { checkOutputs } from '#engine/code/outputs.ts';
import { PythonRunner } from '#engine/code/pythonRunner.ts';
import { Float } from '#engine/variables/float.ts';
import { createTestServices } from '../run/engineFixture.ts';
import { runNodeAlone } from './nodeRun.ts';

const none = new AbortController().signal;
const createJavaScript = (code: string, outputs: Readonly<Record<string, string>> = {}) => ({
	type: 'code',
	code_language: 'javascript',
	code,
	variables: [{ variable: 'a', value_selector: ['start', 'a'] }],
	outputs: Object.fromEntries(Object.entries(outputs).map(([name, type]) => [name, { type }])),
});

describe('code in JavaScript', () => {
	const runners: CodeRunner[] = [];
	const createRunner = (...args: ConstructorParameters<typeof CodeRunner>): CodeRunner => {
		const runner = new CodeRunner(...args);
		runners.push(runner);
		return runner;
	};
	afterEach(() => Promise.all(runners.splice(0).map(runner => runner.close())));

	it('returns the result of main, also of an async main', async () => {
		const sum = await runNodeAlone(createJavaScript('function main({a}) { return {b: a + 1}; }', { b: 'number' }), { a: 2 });
		assert.deepEqual(sum.outputs, { b: 3 });
		const later = await runNodeAlone(createJavaScript('const main = async ({a}) => ({b: [await a, "ü\\u2028"]})', { b: 'array[string]' }), {
			a: 'x',
		});
		assert.deepEqual(later.outputs, { b: ['x', 'ü\u2028'] });
	});

	it('lets programs write to a console', async () => {
		const { outputs } = await runNodeAlone(createJavaScript('function main() { console.log("x", {}); return {r: 1}; }', { r: 'number' }));
		assert.deepEqual(outputs, { r: 1 });
	});

	it("fails with the program's error and its line", async () => {
		const catchThrown = await runNodeAlone(createJavaScript('function main() {\n  null.x;\n}'));
		assert.match(String(catchThrown.error), /\(line 2\)$/);
		assert.equal(catchThrown.errorType, 'CodeExecutionError');
		assert.match(String(catchThrown.error), /^TypeError: /);
		assert.match(String((await runNodeAlone(createJavaScript('function main( {'))).error), /^SyntaxError: /);
		assert.match(String((await runNodeAlone(createJavaScript('const x = 1'))).error), /main.*not defined/);
		assert.match(
			String((await runNodeAlone(createJavaScript('async function main() { await new Promise(() => {}); }'))).error),
			/waits for something that can't happen/,
		);
		assert.match(String((await runNodeAlone(createJavaScript('function main() { throw "a text"; }'))).error), /a text/);
	});

	it('checks the result against the declared outputs', async () => {
		for (const [result, type, expected] of [
			[{}, 'string', 'Output r is missing.'],
			[{ r: 5 }, 'string', 'Output r must be a string, got int instead.'],
			[{ r: 'x' }, 'number', "Output r is not a number, got <class 'str'> instead."],
			[{ r: [true, 0] }, 'array[boolean]', "Output r[1] is not a boolean, got <class 'int'> instead."],
			[{ r: [1, null] }, 'array[number]', 'The element at index 1 of output variable `r` must be a number.'],
			[{ r: [{}, 'b'] }, 'array[object]', "Output r[1] is not an object, got <class 'str'> instead at index 1."],
			[{ r: { l: [1, 'x'] } }, 'object', 'Output r.l is not a valid array. make sure all elements are of the same type.'],
			[{ r: 1e-21 }, 'number', 'Output variable `r` has too high precision, it must be less than 20 digits.'],
			[{ r: 1, z: 2 }, 'number', 'Not all output parameters are validated.'],
			[{ r: {} }, 'array[string]', "Output r is not an array, got <class 'dict'> instead."],
			[{ r: [1, '2'] }, 'array[number]', 'The element at index 1 of output variable `r` must be a number.'],
			[{ r: Array(31).fill('x') }, 'array[string]', 'The length of output variable `r` must be less than 30 elements.'],
			[{ r: 'x'.repeat(400_001) }, 'string', 'The length of output variable `r` must be less than 400000 characters'],
			[{ r: 1e19 }, 'number', /out of range/],
			[{ r: { a: { b: { c: { d: { e: 1 } } } } } }, 'object', 'Depth limit 5 reached, object too deep.'],
			[[1], 'string', 'The result of main() must be an object, got list instead'],
			[undefined, 'string', 'The result of main() must be an object, got NoneType instead'],
		] as const) {
			assert.throws(() => checkOutputs(result, { r: { type } }), { message: expected }, String(expected));
		}
		const { error, errorType } = await runNodeAlone(createJavaScript('const main = () => ({r: 5})', { r: 'string' }));
		assert.deepEqual([error, errorType], ['Output r must be a string, got int instead.', 'OutputValidationError']);
	});

	it("can't access processes, files, network, timers, or earlier calls", async () => {
		const names = ['process', 'require', 'fetch', 'setTimeout', 'Deno', 'WebAssembly', 'std', 'os', 'XMLHttpRequest', 'leak'];
		const { outputs } = await runNodeAlone(
			createJavaScript(
				`leak = undefined; const main = () => ({r: ${JSON.stringify(names)}.filter(n => globalThis[n] !== undefined).join()})`,
				{
					r: 'string',
				},
			),
		);
		assert.deepEqual(outputs, { r: '' });
		const runner = createRunner({}, 1);
		await runner.run('globalThis.leak = 1; Object.prototype.leak = 1; const main = () => ({})', {}, none);
		assert.deepEqual(await runner.run('const main = () => ({r: typeof leak, p: typeof ({}).leak})', {}, none), {
			r: 'undefined',
			p: 'undefined',
		});
		const imported = runner.run('async function main() { return {r: typeof (await import("node:fs"))}; }', {}, none);
		await assert.rejects(imported);
	});

	it('is limited in time and memory, while other code runs', async () => {
		const runner = createRunner({ timeoutMs: 1_500, memoryBytes: 16 * 1024 * 1024 });
		const endless = runner.run('function main() { for (;;); }', {}, none);
		const ended = assert.rejects(endless, /didn't finish within 1.5 seconds/);
		// the event loop and the other thread keep working while the first thread is blocked
		const quick = await runner.run('const main = () => ({ok: true})', {}, none);
		assert.deepEqual(quick, { ok: true });
		await ended;
		const greedy = runner.run('const main = () => ({n: new Uint8Array(100 << 20).length})', {}, none);
		await assert.rejects(greedy, /more than 16 MB of memory/);
		const deep = runner.run('function f(n) { return f(n + 1) + 1; } const main = () => f(0)', {}, none);
		await assert.rejects(deep, /InternalError: stack overflow|RangeError/);
		const nested = runner.run('const main = () => { let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return a; }', {}, none);
		await assert.rejects(nested);
		assert.deepEqual(await runner.run('const main = () => ({ok: 1})', {}, none), { ok: 1 });
	});

	it('continues after a program that has caught the end of its stack or memory', async () => {
		const runner = createRunner({ memoryBytes: 16 * 1024 * 1024 });
		const runCatchingProgram = (endless: string) =>
			runner.run(`const main = () => { try { ${endless} } catch (e) { return { caught: String(e) } } }`, {}, none);
		for (const [endless, expected] of [
			['const f = () => f() + 1; f();', /stack overflow/],
			['const all = []; for (;;) all.push(new Uint8Array(1e6));', /out of memory/],
		] as const) {
			assert.match(JSON.stringify(await runCatchingProgram(endless)), expected);
			assert.deepEqual(await runner.run('const main = () => ({ left: typeof globalThis.all, log: typeof console.log })', {}, none), {
				left: 'undefined',
				log: 'function',
			});
		}
	});

	it('passes its turn on if an earlier waiting call has given up', async () => {
		const runner = createRunner({ timeoutMs: 60_000 }, 1);
		const [stop, givenUp] = [new AbortController(), new AbortController()];
		const endless = runner.run('function main() { for (;;); }', {}, stop.signal);
		const impatient = runner.run('const main = () => ({n: 1})', {}, givenUp.signal);
		const waiting = runner.run('const main = () => ({n: 2})', {}, none);
		givenUp.abort(new Error('given up'));
		await assert.rejects(impatient, /given up/);
		stop.abort(new Error('stopped'));
		await assert.rejects(endless, /stopped/);
		assert.deepEqual(await waiting, { n: 2 });
	});

	it('reports any thrown value', async () => {
		const runner = createRunner();
		const getThrownMessage = (what: string) =>
			runner.run(`function main() { throw ${what}; }`, {}, none).then(
				() => assert.fail('nothing was thrown'),
				(error: Error) => error.message,
			);
		assert.equal(await getThrownMessage('null'), 'Error: null');
		assert.equal(await getThrownMessage('undefined'), 'Error: undefined');
		assert.equal(await getThrownMessage('12n'), 'Error: 12');
		assert.equal(await getThrownMessage('Symbol("s")'), 'Error: symbol');
		assert.equal(await getThrownMessage('{ code: 5 }'), 'Error: {"code":5}');
		assert.equal(await getThrownMessage('{ toJSON() { throw 1; } }'), 'Error: object');
		assert.match(await getThrownMessage('{ get message() { throw 1; } }'), /^Error: /);
		assert.equal(await getThrownMessage('"x".repeat(1e6)'), 'Error: (1000000 characters, too long to be shown)');
		await assert.rejects(
			runner.run('JSON.stringify = () => "{"; const main = () => 1', {}, none),
			/CodeFailure: main\(\) didn't return a JSON value/,
		);
	});

	it('is ended when the run is stopped, and waits for its turn if all threads are busy', async () => {
		const runner = createRunner({ timeoutMs: 60_000 }, 1);
		const stop = new AbortController();
		const endless = runner.run('function main() { for (;;); }', {}, stop.signal);
		const waiting = runner.run('const main = () => ({n: 1})', {}, none);
		const givenUp = new AbortController();
		const impatient = runner.run('const main = () => ({n: 2})', {}, givenUp.signal);
		setTimeout(() => {
			givenUp.abort(new Error('given up'));
			stop.abort(new Error('stopped'));
		}, 50);
		await assert.rejects(endless, /stopped/);
		await assert.rejects(impatient, /given up/);
		assert.deepEqual(await waiting, { n: 1 });
		await runner.close();
		await assert.rejects(runner.run('const main = () => 1', {}, none), /was closed/);
	});
});

describe('code in Python', () => {
	const python = findPython();
	const runProgram = (code: string, inputs: Readonly<Record<string, unknown>> = {}, signal = none) =>
		new PythonRunner(python ?? '').run(code, inputs, signal);

	it('is disabled unless the gateway names a Python', async () => {
		const { error, errorType } = await runNodeAlone({ type: 'code', code: 'def main():\n    return {}', outputs: {} });
		assert.match(String(error), /Python code is turned off\. Set 'python'/);
		assert.equal(errorType, 'CodeExecutionError');
		const missing = await runNodeAlone(
			{ type: 'code', code: 'x', outputs: {} },
			{},
			{ ...createTestServices(), python: new PythonRunner('/no/such/python') },
		);
		assert.match(String(missing.error), /Couldn't start Python \(\/no\/such\/python\)/);
	});

	it('returns the result of main, whatever it prints', async function () {
		if (!python) {
			this.skip();
		}
		const data = {
			type: 'code',
			code_language: 'python3',
			code: 'def main(a, b):\n    print("noise")\n    return {"r": a + "ü" + str(b)}',
			variables: [
				{ variable: 'a', value_selector: ['start', 'a'] },
				{ variable: 'b', value_selector: ['start', 'none'] },
			],
			outputs: { r: { type: 'string' } },
		};
		const { outputs } = await runNodeAlone(data, { a: 'x' }, { ...createTestServices(), python: new PythonRunner(python) });
		assert.deepEqual(outputs, { r: 'xüNone' });
	});

	it('distinguishes floats from integers', async function () {
		if (!python) {
			this.skip();
		}
		const code = 'def main():\n    return {"r": 102 / 2, "i": 51, "h": 0.5, "b": True}';
		assert.deepEqual(await runProgram(code), { r: new Float(51), i: 51, h: 0.5, b: true });
	});

	it("fails with the program's error, sees none of our environment, and ends when it is stopped", async function () {
		if (!python) {
			this.skip();
		}
		await assert.rejects(runProgram('def main():\n    raise ValueError("boom")'), /^CodeFailure: ValueError: boom$/);
		await assert.rejects(runProgram('def main(:'), /SyntaxError/);
		await assert.rejects(runProgram('import os\ndef main():\n    os._exit(3)'), /exited without a result/);
		await assert.rejects(runProgram('def main():\n    return {"r": "x" * 5000000}'), /larger than 4 MB/);
		process.env['ENGINE_TEST_SECRET'] = 's';
		assert.deepEqual(await runProgram('import os\ndef main():\n    return {"r": os.environ.get("ENGINE_TEST_SECRET")}'), { r: null });
		delete process.env['ENGINE_TEST_SECRET'];
		await assert.rejects(runProgram('def main():\n    while True:\n        pass', {}, AbortSignal.timeout(300)), { name: 'TimeoutError' });
	});
});

function findPython(): string | undefined {
	for (const name of ['python3', 'python']) {
		try {
			return execFileSync(name, ['-c', 'import sys; print(sys.executable)'], {
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'ignore'],
			}).trim();
		} catch {
			// try the next name
		}
	}
	return undefined;
}
