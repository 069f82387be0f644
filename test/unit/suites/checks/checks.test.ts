import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { Translate } from '#base/text/localization.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import type { CheckedRun } from '#suites/checks/checkSubject.ts';
import { evaluateCheck } from '#suites/checks/evaluate.ts';
import type { CheckTaskInputs, CheckTaskOutputs } from '#suites/checks/thread/checkTasks.ts';
import { computeRougeL } from '#suites/checks/thread/rougeL.ts';
import { getValueAtPath, parseValuePath } from '#suites/checks/valuePath.ts';
import { JudgeLabels } from '#suites/judges/judgeLabels.ts';
import type { SnapshotBook } from '#suites/results/snapshots.ts';
import { RunTrace } from '#suites/running/runTrace.ts';
import type { CheckKind, SuiteCheck } from '#suites/suite.ts';
import { checkThread } from '../results/suiteFixture.ts';

const place = { file: '/a.suite.json', offset: 0, length: 1, line: 1, column: 1 };
const outputs = {
	text: 'Hello, Harbour',
	n: 5,
	flag: true,
	nothing: null,
	items: [{ id: 'a' }, { id: 'b' }],
	json: '{"id":7,"list":["x"]}',
	'a.b': 1,
};

function createTrace(): RunTrace {
	const run = new RunTrace();
	const createNode = (id: string, status: string, error: string | null, values: Record<string, unknown>, type = 'code') => {
		const data = {
			id: `e-${id}`,
			node_id: id,
			node_type: type,
			title: id,
			index: 1,
			predecessor_node_id: null,
			inputs: { q: 'in' },
			created_at: 1,
		};
		run.add({ event: 'node_started', task_id: 't', workflow_run_id: 'r', data } as WorkflowEvent);
		const ended = {
			...data,
			status,
			error,
			outputs: values,
			process_data: null,
			elapsed_time: 0.5,
			execution_metadata: { total_tokens: 4 },
		};
		run.add({ event: 'node_finished', task_id: 't', workflow_run_id: 'r', data: ended } as WorkflowEvent);
	};
	createNode('start', 'succeeded', null, {}, 'start');
	createNode('sort', 'succeeded', null, { class_id: 'fault', class_name: 'A fault' }, 'question-classifier');
	createNode('work', 'failed', 'no key', {});
	return run;
}

const checked: CheckedRun = {
	run: { id: 'r', status: 'failed', error: 'no key', seconds: 2, tokens: 12, steps: 3 },
	outputs,
	trace: createTrace(),
	row: { id: 'x' },
	fromText: false,
};

describe('checks of suites', () => {
	const threads = new ThreadPool<CheckTaskInputs, CheckTaskOutputs>(checkThread, { maxThreads: 1, timeoutMs: 2_000, memoryMb: 256 });
	after(() => threads.close());

	const getResult = (fields: Record<string, unknown>, run: CheckedRun = checked, t: Translate = fillPlaceholders) => {
		const kinds = [
			'equals',
			'oneOf',
			'contains',
			'containsAll',
			'startsWith',
			'endsWith',
			'matches',
			'schema',
			'closeTo',
			'similar',
			'status',
			'error',
			'seconds',
			'tokens',
			'cost',
			'steps',
			'nodes',
			'expression',
		];
		const check: SuiteCheck = { fields, kind: kinds.find(kind => kind in fields) as CheckKind, place };
		const signal = new AbortController().signal;
		return evaluateCheck(check, { name: 'one' }, run, {
			threads,
			snapshots: {} as SnapshotBook,
			update: false,
			getSecrets: () => new Map(),
			client: {} as never,
			getJudgeModel: async () => '',
			labels: new JudgeLabels(),
			signal,
			t,
		});
	};

	it('describes checks in the language of the results', async () => {
		const german = new Map([
			["'{0}' should equal {1}", "'{0}' soll {1} sein"],
			['{0}. {1}', '{0}, aber: {1}'],
			['Actual value: {0}. Error: {1}', 'ist {0} ({1})'],
		]);
		const t = ((message: string, ...args: string[]) => fillPlaceholders(german.get(message) ?? message, ...args)) as Translate;
		const { name, message } = await getResult({ status: 'succeeded' }, checked, t);
		assert.equal(name, '\'run.status\' soll "succeeded" sein');
		assert.match(message ?? '', /^'run\.status' soll "succeeded" sein, aber: ist "failed"/);
	});

	const holding: readonly Record<string, unknown>[] = [
		{ output: 'text', equals: 'Hello, Harbour' },
		{ output: 'text', equals: ' HELLO, harbour ', ignoreCase: true, trim: true },
		{ output: 'n', equals: 5 },
		{ output: 'items', equals: [{ id: 'a' }, { id: 'b' }] },
		{ output: 'items[1].id', equals: 'b' },
		{ output: 'json.list[0]', equals: 'x' },
		{ output: '["a.b"]', equals: 1 },
		{ output: 'nothing', equals: null },
		{ output: 'missing', equals: 5, not: true },
		{ output: 'n', oneOf: [4, 5] },
		{ output: 'text', contains: 'Harbour' },
		{ output: 'items', contains: { id: 'b' } },
		{ output: 'text', containsAll: ['hello', 'harbour'], ignoreCase: true },
		{ output: 'text', startsWith: 'Hello' },
		{ output: 'text', endsWith: 'bour' },
		{ output: 'text', matches: '^hello,\\s\\w+$', ignoreCase: true },
		{ contains: 'Harbour' },
		{ output: 'json', schema: { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } } },
		{ output: 'text', schema: { type: 'string', minLength: 5 } },
		{ output: 'n', closeTo: { value: 5.4, within: 0.5 } },
		{ output: 'n', closeTo: { value: '5' } },
		{ output: 'text', similar: { to: 'hello harbour', atLeast: 1 } },
		{ status: 'failed' },
		{ error: 'key' },
		{ error: true },
		{ seconds: { max: 2 } },
		{ tokens: 12 },
		{ steps: { min: 3, max: 3 } },
		{ node: 'sort', output: 'class_id', equals: 'fault' },
		{ node: 'sort', inputs: 'q', equals: 'in' },
		{ node: 'work', status: 'failed' },
		{ node: 'work', error: 'no key' },
		{ node: 'sort', tokens: 4 },
		{ nodes: { ran: ['sort'], skipped: ['other'], order: ['start', 'work'] } },
		{ expression: 'outputs.n === 5 && row.id === "x" && nodes.sort.outputs.class_id === "fault" && run.tokens > 10' },
		{ expression: 'const sum = outputs.n + 1; return { pass: sum === 6, score: 0.75, reason: "sums up" }' },
	];
	for (const fields of holding) {
		it(`${JSON.stringify(fields)} passes, and its inversion fails`, async () => {
			const result = await getResult(fields);
			assert.ok(result.passed, result.message);
			const opposite = await getResult({ ...fields, not: !(fields['not'] === true) });
			assert.ok(!opposite.passed);
			assert.ok(opposite.message, 'a failed check says why');
		});
	}

	const failing: readonly [Record<string, unknown>, message: string][] = [
		[{ output: 'text', equals: 'Bye' }, '\'text\' should equal "Bye". Actual value: "Hello, Harbour".'],
		[{ output: 'text', contains: 'lock', name: 'x' }, '\'text\' should contain "lock". Actual value: "Hello, Harbour".'],
		[{ output: 'text', contains: 'Hello', not: true }, '\'text\' shouldn\'t contain "Hello". Actual value: "Hello, Harbour".'],
		[{ output: 'txt', equals: 1 }, "'txt' should exist. It doesn't exist. Available: text, n, flag, nothing, items, json, a.b."],
		[{ node: 'other', output: 'x', equals: 1 }, "'other.x' should exist. The node 'other' didn't run."],
		[
			{ output: 'text', containsAll: ['Hello', 'lock'] },
			'\'text\' should contain all of "Hello", "lock". Actual value: "Hello, Harbour". Missing: "lock".',
		],
		[{ seconds: { max: 1 } }, "'run.seconds' should be at most 1. Actual value: 2."],
		[{ cost: { max: 1 } }, "'run.cost' should be at most 1. The service doesn't report it."],
		[{ cost: { max: 1 }, not: true }, "'run.cost' should be more than 1. The service doesn't report it."],
		[{ output: 'n', closeTo: { value: 'n/a' }, not: true }, "'n' shouldn't be within 0.01 of \"n/a\". Actual value: 5."],
		[{ status: 'succeeded' }, '\'run.status\' should equal "succeeded". Actual value: "failed". Error: no key'],
		[
			{ nodes: { order: ['work', 'sort'] } },
			'The nodes of the run should match {"order":["work","sort"]}. Nodes that ran: start, sort, work. Out of order: sort.',
		],
		[{ expression: 'outputs.nope.x' }, "Couldn't evaluate 'expression': TypeError: cannot read property 'x' of undefined (line 1)"],
		[
			{ expression: '({ pass: false, reason: "too short" })' },
			'\'({ pass: false, reason: "too short" })\' should return true. It returned {"pass":false,"reason":"too short"}. Reason: too short',
		],
		[
			{ output: 'json', schema: { properties: { id: { type: 'string' } } } },
			'\'json\' should match the schema. Actual value: "{\\"id\\":7,\\"list\\":[\\"x\\"]}". Problems: id: Instance type "number" is invalid. Expected "string".',
		],
	];
	for (const [fields, message] of failing) {
		it(`${JSON.stringify(fields)} fails with a message`, async () => {
			assert.equal((await getResult(fields)).message, message);
		});
	}

	it('reads strings of a table as values', async () => {
		const table = { ...checked, fromText: true };
		for (const [output, equals] of [
			['n', '5'],
			['flag', 'TRUE'],
			['nothing', ''],
		] as const) {
			assert.ok((await getResult({ output, equals }, table)).passed, output);
			assert.ok(!(await getResult({ output, equals })).passed, output);
		}
		assert.ok(!(await getResult({ output: 'n', equals: '6' }, table)).passed);
	});

	it('stops a hostile regular expression and fails it with a message', async () => {
		const run = { ...checked, outputs: { text: `${'a'.repeat(40)}!` } };
		let turns = 0;
		const ticking = setInterval(() => turns++, 1);
		try {
			const result = await getResult({ output: 'text', matches: '^(a+)+$' }, run);
			assert.equal(result.message, "Couldn't evaluate 'matches': it takes longer than 2 seconds");
			// the event loop wasn't blocked
			assert.ok(turns > 10, String(turns));
		} finally {
			clearInterval(ticking);
		}
	});

	it('stops an endless program and continues with the next one', async () => {
		const result = await getResult({ expression: '(() => { for (;;) {} })()' });
		assert.match(result.message ?? '', /^Couldn't evaluate 'expression': (The code didn't finish within 2.5 seconds|it takes longer than)/);
		assert.ok((await getResult({ expression: 'true' })).passed);
		assert.match((await getResult({ expression: 'typeof process + typeof require' })).message ?? '', /returned "undefinedundefined"/);
	});

	it('ignores a failed check without weight', async () => {
		assert.equal((await getResult({ output: 'n', equals: 6, weight: 0 })).weight, 0);
	});

	it('reads paths', () => {
		assert.deepEqual(parseValuePath('facts.items[0].id'), ['facts', 'items', 0, 'id']);
		assert.deepEqual(parseValuePath('["a \\"b\\".c"][2]'), ['a "b".c', 2]);
		for (const none of ['', '.', 'a.', '.a', 'a[', 'a[x]', 'a]b', 'a..b']) {
			assert.equal(parseValuePath(none), undefined, none);
		}
		assert.equal(getValueAtPath({ a: 1 }, ['constructor', 'name']), undefined);
		assert.equal(getValueAtPath(null, ['a']), undefined);
	});

	it('measures similarity by the longest common subsequence of words', () => {
		assert.equal(computeRougeL('the cat sat', 'The cat sat!'), 1);
		assert.equal(computeRougeL('', ''), 1);
		assert.equal(computeRougeL('a', ''), 0);
		// Lin 2004: "police killed the gunman" against "police kill the gunman"
		assert.equal(computeRougeL('police killed the gunman', 'police kill the gunman'), 0.75);
	});

	it('stops its threads', async () => {
		const pool = new ThreadPool<CheckTaskInputs, CheckTaskOutputs>(checkThread, { maxThreads: 1, timeoutMs: 4_000, memoryMb: 64 });
		const off = new AbortController();
		const hostile = pool.run('matches', { pattern: '^(a+)+$', flags: '', text: `${'a'.repeat(40)}!` }, off.signal);
		off.abort(new Error('called off'));
		await assert.rejects(hostile, /called off/);
		await pool.close();
	});
});
