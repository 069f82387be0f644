import assert from 'node:assert/strict';
import { CodeRunner } from '#engine/code/codeRunner.ts';
import { chooseSize, defineLongTest } from './support/long.ts';

const none = new AbortController().signal;
const wrapInMainFunction = (body: string) => `function main({ text }) { ${body} }`;

/** Programs that spend their time in a single operation of QuickJS, which doesn't check for interrupts. */
const stubborn = {
	'a search in a long string': wrapInMainFunction('const a = "a".repeat(2e7); return { n: a.indexOf("a".repeat(1e7) + "b") };'),
	'a backward search in a long string': wrapInMainFunction(
		'const a = "a".repeat(2e7); return { n: a.lastIndexOf("a".repeat(1e7) + "b") };',
	),
	'a sort with a heavy comparison': wrapInMainFunction(
		'return Array.from({ length: 1e6 }, (_, i) => (i * 7919) % 1000003).sort((x, y) => { for (let i = 0; i < 1000; i++); return x - y; });',
	),
	'a sort of long strings': wrapInMainFunction(
		'const t = "a".repeat(2e7); const l = Array.from({ length: 9 }, (_, i) => t + i); for (;;) l.sort();',
	),
	'a regular expression': wrapInMainFunction('return { r: /(a+)+b/.test("a".repeat(40)) };'),
	'products of large numbers': wrapInMainFunction('let n = 3n; for (;;) n *= n;'),
	'a joined list': wrapInMainFunction('return new Array(4e9 >>> 0).join("");'),
	'an endless chain of promises': wrapInMainFunction('const again = () => Promise.resolve().then(again); return again();'),
	'an error whose conversion never ends': wrapInMainFunction('throw { toJSON() { for (;;); } };'),
};

/** Programs that allocate memory without limit, each allocation small enough to be allowed. */
const greedy = {
	'large buffers': wrapInMainFunction('const l = []; for (;;) l.push(new Uint8Array(1e6).fill(1));'),
	'many strings': wrapInMainFunction('const l = []; for (let i = 0; ; i++) l.push("abcdefgh".repeat(1000) + i);'),
	'a string doubled repeatedly': wrapInMainFunction('let t = "x"; for (;;) t += t + "y";'),
	'small objects': wrapInMainFunction('const l = []; for (;;) l.push({ l });'),
	'a deep list': wrapInMainFunction('let l = []; for (;;) l = [l];'),
	'a result of 100 MB': wrapInMainFunction('return { r: "x".repeat(1e8) };'),
	'an error of 50 MB': wrapInMainFunction('throw "x".repeat(5e7);'),
	'copies of its inputs': wrapInMainFunction('const l = []; for (;;) l.push(JSON.parse(JSON.stringify({ text })));'),
};

/** Programs that `npm test` has time for. */
const often = new Set([
	'a search in a long string',
	'a sort with a heavy comparison',
	'large buffers',
	'small objects',
	'a result of 100 MB',
]);

describe('JavaScript code that cannot be interrupted', () => {
	const runner = new CodeRunner({ timeoutMs: chooseSize(2_000, 10_000) }, 2);
	after(() => runner.close());

	for (const [name, program] of Object.entries(stubborn)) {
		const attack = often.has(name) ? it : defineLongTest;
		attack(`is ended at its time limit while other code runs: ${name}`, async () => {
			const ended = assert.rejects(runner.run(program, {}, none), /^CodeFailure: /);
			assert.deepEqual(await runner.run(wrapInMainFunction('return { ok: true };'), {}, none), { ok: true });
			await ended;
			assert.deepEqual(await runner.run(wrapInMainFunction('return { ok: 1 };'), {}, none), { ok: 1 });
		});
	}

	it('is ended on all threads at the same time, and waiting calls get their turn', async () => {
		const program = stubborn['a search in a long string'];
		const hogs = [1, 2, 3].map(() => assert.rejects(runner.run(program, {}, none), /didn't finish within/));
		assert.deepEqual(await runner.run(wrapInMainFunction('return { ok: 1 };'), {}, none), { ok: 1 });
		await Promise.all(hogs);
	});

	it('is ended immediately when its run is stopped', async () => {
		const alone = new CodeRunner({ timeoutMs: 600_000 }, 1);
		const stop = new AbortController();
		const hog = alone.run(stubborn['a search in a long string'], {}, stop.signal);
		setTimeout(() => stop.abort(new Error('stopped')), 200);
		await assert.rejects(hog, /stopped/);
		assert.deepEqual(await alone.run(wrapInMainFunction('return { ok: 1 };'), {}, none), { ok: 1 });
		await alone.close();
	});
});

describe('JavaScript code that allocates too much memory', () => {
	const runner = new CodeRunner({}, 2);
	after(() => runner.close());

	for (const [name, program] of Object.entries(greedy)) {
		const attack = often.has(name) ? it : defineLongTest;
		attack(`is ended at its memory limit and releases its memory: ${name}`, async () => {
			// measured from here, because earlier suites in this process also used memory
			const begun = process.memoryUsage().rss;
			let most = 0;
			const watch = setInterval(() => {
				most = Math.max(most, process.memoryUsage().rss - begun);
			}, 10);
			await assert.rejects(
				runner.run(program, { text: 'x'.repeat(1e6) }, none),
				/^CodeFailure: (The code (needs|gives) more than|Error: \(|InternalError: string too long)/,
			);
			clearInterval(watch);
			assert.deepEqual(await runner.run(wrapInMainFunction('return { ok: 1 };'), {}, none), { ok: 1 });
			// 128 MB, plus the thread and its replacement
			assert.ok(most < 700e6, `${most / 1e6} MB more at the most`);
			// threads release their memory at some time after they end; mocha's timeout fails the test if they don't
			while (process.memoryUsage().rss - begun > 100e6) {
				await new Promise(resolve => setTimeout(resolve, 50));
			}
		});
	}

	it('is refused immediately with inputs of 200 MB or more than a string can hold, and the threads continue', async () => {
		const text = 'x'.repeat(200e6);
		for (const inputs of [{ text }, { text: Array<string>(20).fill(text) }, { text: Array<number>(2e7).fill(1) }]) {
			await assert.rejects(runner.run(wrapInMainFunction('return {};'), inputs, none), /inputs of the code are larger than 16 MB/);
		}
		assert.deepEqual(await runner.run(wrapInMainFunction('return { n: text.length };'), { text: 'ü'.repeat(8e6) }, none), { n: 8e6 });
	});
});
