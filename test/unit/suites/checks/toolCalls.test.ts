import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { ThreadPool } from '#base/threads/threadPool.ts';
import type { WorkflowEvent } from '#contract/events.ts';
import { type CheckTools, evaluateCheck } from '#suites/checks/evaluate.ts';
import { listRetrievedChunks } from '#suites/checks/retrievedChunks.ts';
import type { CheckTaskInputs, CheckTaskOutputs } from '#suites/checks/thread/checkTasks.ts';
import { countMatchingCalls } from '#suites/checks/thread/matchCalls.ts';
import { RunTrace } from '#suites/running/runTrace.ts';
import type { CheckKind } from '#suites/suite.ts';
import { checkThread, SuiteFixture } from '../results/suiteFixture.ts';

const place = { file: '/a.suite.json', offset: 0, length: 1, line: 1, column: 1 };

/** A tool call: name, arguments, and whether it fails. */
type Made = readonly [tool: string, given?: object, error?: string];

/** Creates the events of calls, as they are reported for this kind of caller. */
const callers: Readonly<Record<string, (calls: readonly Made[]) => readonly object[]>> = {
	'function calls': calls =>
		createLogs(calls, ([tool, given]) => ({
			output: { tool_call_id: 'c', tool_call_name: tool, tool_call_input: given, tool_response: 'r' },
		})),
	ReAct: calls => createLogs(calls, ([tool, given]) => ({ tool_name: tool, tool_call_args: given, output: 'r' })),
	'tool nodes': calls =>
		calls.flatMap(([tool, given, error = null], at) =>
			['node_started', 'node_finished'].map(event => ({
				event,
				data: {
					id: `e${at}`,
					node_id: 'work',
					node_type: 'tool',
					title: 'Call it',
					inputs: given,
					outputs: {},
					error,
					status: error ? 'failed' : 'succeeded',
					execution_metadata: { tool_info: { provider_id: 'p', tool_name: tool } },
				},
			})),
		),
};

function createLogs(calls: readonly Made[], createData: (call: Made) => object): readonly object[] {
	const createEntry = (data: object) => ({
		event: 'agent_log',
		data: { node_id: 'work', metadata: { provider: 'p' }, error: null, ...data },
	});
	return [
		createEntry({ id: 'r', label: 'ROUND 1', status: 'start', data: {} }),
		...calls.map(([tool], at) => createEntry({ id: `c${at}`, parent_id: 'r', label: `CALL ${tool}`, status: 'start', data: {} })),
		// results arrive in another order
		...calls
			.map((call, at) =>
				createEntry({
					id: `c${at}`,
					parent_id: 'r',
					label: `CALL ${call[0]}`,
					status: call[2] ? 'error' : 'success',
					error: call[2] ?? null,
					data: createData(call),
				}),
			)
			.toReversed(),
		createEntry({ id: 't', parent_id: 'r', label: 'model Thought', status: 'success', data: {} }),
	];
}

function createTrace(events: readonly object[]): RunTrace {
	const trace = new RunTrace();
	for (const event of events) {
		trace.add({ task_id: 't', ...event } as WorkflowEvent);
	}
	return trace;
}

const createCalls = (calls: readonly Made[]) => createTrace(callers['function calls']!(calls));

let threads: ThreadPool<CheckTaskInputs, CheckTaskOutputs>;
before(() => {
	threads = new ThreadPool(checkThread, { maxThreads: 1, timeoutMs: 1000, memoryMb: 256 });
});
after(() => threads.close());

async function check(fields: Record<string, unknown>, trace: RunTrace) {
	const kind = (['tools', 'trajectory', 'equals', 'contains', 'closeTo'] as CheckKind[]).find(each => each in fields)!;
	const run = { status: 'succeeded', seconds: 1, tokens: 1, steps: 1 };
	const tools = {
		threads,
		getSecrets: () => new Map(),
		signal: new AbortController().signal,
		t: fillPlaceholders,
	} as unknown as CheckTools;
	return evaluateCheck({ fields, kind, place }, { name: 'a' }, { run, outputs: {}, trace, row: undefined, fromText: false }, tools);
}

const made: readonly Made[] = [
	['find', { id: '17', deep: { list: [1] } }],
	['refund', { id: '17', amount: 5 }],
	['find', { id: '18' }, 'not found'],
];

describe('tool calls of a run', () => {
	for (const [caller, createEvents] of Object.entries(callers)) {
		it(`are the same for ${caller}`, () => {
			assert.deepEqual(
				createTrace(createEvents(made)).toolCalls.map(({ node, tool, provider, arguments: given, error }) => ({
					node,
					tool,
					provider,
					given,
					error,
				})),
				made.map(([tool, given, error]) => ({ node: 'work', tool, provider: 'p', given, error })),
			);
		});
	}

	it('are read from the thoughts of an agent app, unless its log has them', () => {
		const thought = {
			event: 'agent_thought',
			id: 'a',
			position: 2,
			thought: '',
			tool: 'find;refund',
			tool_input: '{"find":{"id":"17"},"refund":{}}',
			observation: '{"find":"yes"}',
		};
		const early = { ...thought, tool: '', tool_input: '', observation: '' };
		assert.deepEqual(createTrace([early, thought]).toolCalls, [
			{ round: 2, tool: 'find', arguments: { id: '17' }, result: 'yes' },
			{ round: 2, tool: 'refund', arguments: {}, result: '{"find":"yes"}' },
		]);
		assert.equal(createTrace([thought, ...callers['ReAct']!(made)]).toolCalls.length, 3);
	});

	it("have the title of a tool node on services that don't name its tool", () => {
		const data = { id: 'e', node_id: 'n', node_type: 'tool', title: 'Search', inputs: null, status: 'succeeded' };
		assert.deepEqual(
			createTrace([{ event: 'node_finished', data }]).toolCalls.map(({ tool, arguments: given }) => [tool, given]),
			[['Search', {}]],
		);
	});
});

describe('the check of tools', () => {
	for (const [tools, passed, message] of [
		[{ called: ['find', 'refund'] }, true],
		[{ called: ['delete'] }, false, /Tool calls: find, refund, find\. Missing: delete\.$/],
		[{ never: ['delete'] }, true],
		[{ never: ['refund'] }, false, /Unexpected: refund\.$/],
		[{ only: ['find', 'refund', 'other'] }, true],
		[{ only: ['find'] }, false, /Unexpected: refund\.$/],
		[{ only: [] }, false, /Unexpected: find, refund\.$/],
		[{ order: ['find', 'find'] }, true],
		[{ order: ['refund', 'find'] }, true],
		[{ order: ['refund', 'refund'] }, false, /Out of order: refund\.$/],
		[{ times: { find: 2, refund: { max: 1 }, delete: 0 } }, true],
		[{ times: { find: { min: 3 } } }, false, /Wrong number of calls: find\.$/],
		[{ errors: { max: 1 } }, true],
		[{ errors: 0 }, false, /Failed calls: find\.$/],
	] as const) {
		it(`${passed ? 'passes' : 'fails'} for ${JSON.stringify(tools)}`, async () => {
			const result = await check({ tools }, createCalls(made));
			assert.equal(result.passed, passed);
			assert.match(result.message ?? '', message ?? /^$/);
			assert.equal((await check({ tools, not: true }, createCalls(made))).passed, !passed);
		});
	}

	it('says if no tool was called', async () => {
		assert.match((await check({ tools: { called: ['find'] } }, createCalls([]))).message!, /No tool was called\. Missing: find\.$/);
	});
});

describe('the check of a trajectory', () => {
	const a: Made = ['a', { x: 1 }];
	const b: Made = ['b', {}];
	const toExpected = (calls: readonly Made[]) => calls.map(([tool, given]) => ({ tool, ...(given && { arguments: given }) }));
	const modes = ['strict', 'unordered', 'subset', 'superset'] as const;
	for (const [what, actual, expected, passing, score] of [
		['the same calls', [a, b], [a, b], ['strict', 'unordered', 'subset', 'superset'], 1],
		['another order', [b, a], [a, b], ['unordered', 'subset', 'superset'], 1],
		['a missing call', [a], [a, b], ['subset'], 2 / 3],
		['a further call', [a, b, a], [a, b], ['superset'], 0.8],
		['a repeated call', [a, a], [a, b], [], 0.5],
		['no calls', [], [], ['strict', 'unordered', 'subset', 'superset'], 1],
		['other arguments', [['a', { x: 2 }], b], [a, b], [], 0.5],
		// a greedy matching would give the first call away
		[
			'a call that fits two',
			[
				['a', { x: 1 }],
				['a', { x: 2 }],
			],
			[['a'], ['a', { x: 1 }]],
			['unordered', 'subset', 'superset'],
			1,
		],
	] as const) {
		it(`of ${what} passes for ${passing.join(', ') || 'nothing'}`, async () => {
			for (const match of modes) {
				const result = await check({ trajectory: { match, calls: toExpected(expected) } }, createCalls(actual));
				assert.equal(result.passed, (passing as readonly string[]).includes(match), `${match}: ${result.message}`);
				if (match === 'unordered') {
					assert.equal(result.score.toFixed(6), score.toFixed(6));
				}
			}
		});
	}

	for (const [mode, given, expected, passed] of [
		['exact', { x: 1 }, { x: 1 }, true],
		['exact', { x: 1, y: 2 }, { x: 1 }, false],
		['ignore', { x: 1 }, { z: 1 }, true],
		['subset', { x: 1 }, { x: 1, y: 2 }, true],
		['subset', { x: 1, z: 1 }, { x: 1, y: 2 }, false],
		['superset', { x: 1, z: 1 }, { x: 1 }, true],
		['superset', { x: 1 }, { x: 1, y: 2 }, false],
		['allowed', { city: 'new york' }, { city: ['New-York', 'NYC'] }, true],
		['allowed', { city: 'Boston' }, { city: ['New-York', 'NYC'] }, false],
		['allowed', { city: 'NYC', unit: 'C' }, { city: ['NYC'] }, false],
		['allowed', { city: 'NYC' }, { city: ['NYC'], unit: ['C', ''] }, true],
		['allowed', { city: 'NYC' }, { city: ['NYC'], unit: ['C'] }, false],
		['allowed', { n: '5' }, { n: [5] }, false],
		['allowed', { n: 5 }, { n: [5] }, true],
		['allowed', { list: ['A b'] }, { list: [['ab']] }, true],
		['allowed', { list: ['A b'] }, { list: [['ab', 'c']] }, false],
		['allowed', { at: { city: 'NYC' } }, { at: [{ city: ['n.y.c'] }] }, true],
		['allowed', { flag: true }, { flag: ['true'] }, false],
	] as const) {
		it(`${passed ? 'accepts' : 'refuses'} ${JSON.stringify(given)} for ${JSON.stringify(expected)} with ${mode} arguments`, async () => {
			const calls = [{ tool: 'a', arguments: expected }];
			assert.equal((await check({ trajectory: { arguments: mode, calls } }, createCalls([['a', given]]))).passed, passed);
			assert.equal((await check({ trajectory: { perTool: { a: mode }, calls } }, createCalls([['a', given]]))).passed, passed);
		});
	}
});

describe('a check of the arguments of a tool', () => {
	it('passes if one of the calls fits, or the one that is named', async () => {
		const trace = createCalls(made);
		for (const [fields, passed] of [
			[{ argument: 'id', equals: '18' }, true],
			[{ argument: 'id', equals: '19' }, false],
			[{ argument: 'id', equals: '18', call: 1 }, false],
			[{ argument: 'id', equals: '18', call: 2 }, true],
			[{ argument: 'id', equals: '18', call: -1 }, true],
			[{ argument: 'id', equals: '17', call: -2 }, true],
			[{ argument: 'id', equals: '17', call: 3 }, false],
			[{ argument: 'id', equals: '17', call: -3 }, false],
			[{ argument: 'id', equals: '18', not: true }, false],
			[{ argument: 'deep.list[0]', equals: 1 }, true],
			[{ equals: { id: '18' } }, true],
			[{ argument: 'id', equals: '18', node: 'work' }, true],
			[{ argument: 'id', equals: '18', node: 'other' }, false],
		] as const) {
			assert.equal((await check({ tool: 'find', ...fields }, trace)).passed, passed, JSON.stringify(fields));
		}
		assert.match(
			(await check({ tool: 'gone', argument: 'id', equals: 1 }, trace)).message!,
			/'gone\.arguments\.id' should exist\. The tool 'gone' has no such call\. Number of calls: 0\./,
		);
	});

	it('is refused with fields that belong to other checks', async () => {
		const fixture = new SuiteFixture();
		const expect = [
			{ argument: 'x', equals: 1 },
			{ tool: 'a', output: 'x', equals: 1 },
			{ tool: 'a', call: 0, equals: 1 },
			{ tool: 'a', tools: { called: ['a'] } },
		];
		const { faults } = await fixture.readSuite({ model: 'a', cases: [{ name: 'a', expect }] });
		assert.deepEqual(
			faults.map(({ message }) => message),
			[
				"'argument' can't be used without 'tool'.",
				"The check has both 'tool' and 'output'. Use only one of them.",
				"'call' is 0. Expected a whole number: 1 is the first call, -1 the last one.",
				"'tool' can't be used with 'tools', which checks the run.",
			],
		);
		await fixture.close();
	});
});

describe('the matching of tool calls', () => {
	it('is as large as possible, however calls and expected calls are ordered', () => {
		let state = 1;
		const draw = (below: number) => {
			state = (state * 16_807) % 2_147_483_647;
			return state % below;
		};
		for (let round = 0; round < 300; round++) {
			const calls = Array.from({ length: draw(6) }, () => ({ tool: 'a', arguments: { x: draw(3), y: draw(2) } }));
			const expected = Array.from({ length: draw(6) }, () => ({ tool: 'a', ...(draw(3) > 0 && { arguments: { x: draw(3) } }) }));
			const fits = (call: number, at: number) =>
				expected[at]!.arguments === undefined || expected[at]!.arguments.x === calls[call]!.arguments.x;
			const countMost = (call: number, taken: ReadonlySet<number>): number =>
				call === calls.length
					? 0
					: Math.max(
							countMost(call + 1, taken),
							...expected.flatMap((_, at) => (taken.has(at) || !fits(call, at) ? [] : [1 + countMost(call + 1, new Set([...taken, at]))])),
						);
			const trajectory = { match: 'unordered', arguments: 'superset', calls: expected } as const;
			assert.equal(countMatchingCalls({ calls, trajectory }), countMost(0, new Set()), JSON.stringify([calls, expected]));
		}
	});

	it('follows a chain through all calls without exhausting the stack', () => {
		const count = 3000;
		// each call fits two neighbors, and the last one moves all others
		const values = Array.from({ length: count }, (_, at) => at);
		const calls = [...values.slice(0, -1), 0].map(x => ({ tool: 'a', arguments: { x } }));
		const expected = values.map(at => ({ tool: 'a', arguments: { x: at === 0 ? [0] : [at - 1, at] } }));
		assert.equal(
			countMatchingCalls({ calls, trajectory: { match: 'unordered', arguments: 'allowed', calls: expected.toReversed() } }),
			count,
		);
	});

	it("doesn't block: a check that takes too long fails", async () => {
		const count = 4000;
		const trace = createCalls(Array.from({ length: count }, (_, at) => ['a', { list: [at] }] as const));
		const calls = Array.from({ length: count }, (_, at) => ({ tool: 'a', arguments: { list: [-at - 1] } }));
		let turns = 0;
		const timer = setInterval(() => turns++, 20);
		const { passed, message } = await check({ trajectory: { match: 'unordered', calls } }, trace);
		clearInterval(timer);
		assert.equal(passed, false);
		assert.match(message!, /^Couldn't evaluate 'trajectory'/);
		assert.ok(turns > 5, `${turns}`);
	});

	it("takes arguments and tools named like an object's own fields for what they are", () => {
		const calls = [{ tool: 'constructor', arguments: { toString: 1 } }];
		const count = (trajectory: object) => countMatchingCalls({ calls, trajectory } as never);
		assert.equal(count({ calls: [{ tool: 'constructor', arguments: { toString: 1 } }], perTool: {} }), 1);
		assert.equal(count({ arguments: 'allowed', calls: [{ tool: 'constructor', arguments: {} }] }), 0);
	});
});

describe('a call that the end of its run cut off', () => {
	for (const [caller, create] of Object.entries(callers)) {
		it(`was made, so that an attack that started a forbidden tool isn't withstood: ${caller}`, () => {
			const events = create([['remove', { id: 1 }]]);
			const end = events.findIndex(event => /success|node_finished/.test(JSON.stringify(event)));
			const { toolCalls } = createTrace(events.slice(0, end));
			assert.deepEqual(
				toolCalls.map(({ tool, node }) => [tool, node]),
				[['remove', 'work']],
			);
		});
	}

	it('retrieved nothing', () => {
		const events = callers['function calls']!([['dataset_a']]);
		assert.deepEqual(listRetrievedChunks(createTrace(events.slice(0, 2)), undefined), []);
	});
});
