import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { getNodeValue } from 'jsonc-parser';
import { toEditingSchema } from '../../../scripts/runFileSchema.ts';
import { createSuiteSchema, suiteEditingSchemaPath, suiteSchemaPath } from '../../../scripts/suiteFileSchema.ts';
import { createAgent, SuiteFixture } from './results/suiteFixture.ts';

describe('reading suites', () => {
	let fixture: SuiteFixture;

	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	/** Returns the problems as `line: message`. */
	const findFaults = async (...args: Parameters<SuiteFixture['readSuite']>) => {
		const { suite, faults } = await fixture.readSuite(...args);
		assert.equal(
			suite === undefined,
			faults.some(({ severity }) => severity === 'error'),
		);
		return faults.map(({ line, message }) => `${line}: ${message}`);
	};
	const agents = [createAgent('support', [{ variable: 'message', required: true }, { variable: 'customer' }])];

	it('accepts the example of the specification, with comments', async () => {
		fixture.writeFile('fault.md', 'It does not work.');
		fixture.writeFile('tickets.csv', 'id,text,queue\n1,hello,first line\n');
		const suite = await fixture.readValidSuite(
			`{
				// a comment
				"model": "support", "user": "ci",
				"defaults": { "inputs": { "customer": "A" }, "expect": [ { "status": "succeeded" } ] },
				"cases": [
					{ "name": "a fault is urgent", "inputs": { "message": { "$file": "./fault.md" } },
						"mocks": { "sort": { "outputs": { "class_name": "A fault", "class_id": "fault" } } },
						"expect": [
							{ "output": "priority", "equals": "high" }, { "output": "reply", "contains": "lock", "not": false },
							{ "node": "facts", "output": "urgent", "equals": true }, { "nodes": { "ran": ["is_urgent"], "skipped": ["answer_question"] } },
							{ "seconds": { "max": 5 } }, { "tokens": { "max": 2000 } },
						] },
				],
				"dataset": { "file": "./tickets.csv", "name": "{{id}}", "inputs": { "message": "{{text}}" }, "expect": [ { "output": "queue", "equals": "{{queue}}" } ] },
				"repeat": 1, "pass_rate": 1, "concurrency": 4
			}`,
			{ agents, takesMocks: true },
		);
		assert.deepEqual(
			suite.cases.map(({ name, checks, place }) => [name, checks.length, place.line]),
			[['a fault is urgent', 7, 6]],
		);
		assert.deepEqual([suite.dataset?.format, suite.dataset?.name, suite.dataset?.checks.length], ['csv', '{{id}}', 2]);
		assert.deepEqual([suite.user, suite.repeat, suite.passRate, suite.concurrency], ['ci', 1, 1, 4]);
	});

	describe('with turns', () => {
		const chat = { ...createAgent('chat', [{ variable: 'name', required: true }]), mode: 'advanced-chat' };
		const findTurnFaults = (fields: object, agent = chat) =>
			findFaults({ model: agent.name, cases: [{ name: 'one', inputs: { name: 'A' }, ...fields }] }, { agents: [agent] });

		it('adds the inputs and forms of the case to each turn, and starts with the first', async () => {
			const suite = await fixture.readValidSuite(
				{
					model: 'chat',
					cases: [
						{
							name: 'one',
							inputs: { name: 'A' },
							forms: { ask: { action: 'no' } },
							turns: [
								{ query: 'Hi', inputs: { name: 'B' } },
								{ query: 'Bye', forms: { other: { action: 'ok' } }, expect: [{ steps: 1 }] },
							],
						},
					],
				},
				{ agents: [chat] },
			);
			const [{ request, turns = [], onTurnFailure, checks }] = suite.cases as [(typeof suite.cases)[number]];
			assert.equal(request, turns[0]?.request);
			assert.deepEqual(
				turns.map(turn => structuredClone(getNodeValue(turn.request))),
				[
					{ inputs: { name: 'B' }, query: 'Hi' },
					{ inputs: { name: 'A' }, query: 'Bye' },
				],
			);
			assert.deepEqual(structuredClone(turns[1]?.forms), { ask: { action: 'no' }, other: { action: 'ok' } });
			assert.deepEqual([turns.map(turn => turn.checks.length), checks.length, onTurnFailure], [[0, 1], 0, 'stop']);
		});

		it('refuses agents without conversations, and turns with a message or attacks of the case', async () => {
			const turns = [{ query: 'Hi' }];
			assert.match(
				(await findTurnFaults({ turns }, createAgent('flow', [{ variable: 'name' }]))).join(),
				/'turns' can't be used here: 'flow' has no conversations\./,
			);
			assert.match((await findTurnFaults({ turns, query: 'Hello' })).join(), /has both 'turns' and 'query'\. Use only one of them\./);
			assert.match((await findTurnFaults({ turns, attacks: {} })).join(), /has both 'turns' and 'attacks'\./);
			assert.match((await findTurnFaults({ turns: [] })).join(), /turns/);
		});

		it('refuses a simulated user without a goal or an opening, with both kinds of users, and with turns', async () => {
			const replies = [{ say: 'Yes' }];
			for (const [simulate, message] of [
				[{ persona: 'Hurried' }, "'simulate' needs a 'goal' for a model that plays the user, or 'replies'."],
				[{ replies }, "'simulate.opening' is missing. It's the first message of a user with 'replies'."],
				[{ replies, opening: 'Hi', goal: 'A refund' }, "'simulate' has both 'replies' and 'goal'. Use only one of them."],
				[{ goal: 'A refund', max_turns: 51 }, "'max_turns' must be a whole number from 1 to 50."],
				[{ goal: 'A refund', stop: [{ output: 'answer', judge: { rubric: 'Is it?' } }] }, "'judge' can't be used in 'stop'."],
			] as const) {
				const faults = await findTurnFaults({ simulate });
				assert.deepEqual(
					faults.map(fault => fault.replace(/^\d+: /, '')),
					[message],
				);
			}
			assert.match(
				(await findTurnFaults({ turns: [{ query: 'Hi' }], simulate: { goal: 'A refund' } })).join(),
				/has both 'turns' and 'simulate'\./,
			);
		});
	});

	const wrong: readonly [what: string, text: string, ...faults: string[]][] = [
		['no JSON', '{ "model": "support"\n "cases": [] }', '2: Invalid JSON at line 2, column 2. Expected a comma.'],
		['an empty file', '', "1: The file is empty. Expected a JSON object with 'model' and 'cases'."],
		['a list', '[]', "1: The file must contain a JSON object with 'model' and 'cases'."],
		['no case', '{ "model": "support" }', "1: The suite has no test cases. Add some to 'cases', or add a 'dataset'."],
		[
			'an unknown agent',
			'{ "model":\n"suport", "cases": [{ "name": "a" }] }',
			"2: 'model' is 'suport', but 'local' has no such agent. Expected one of support.",
		],
		[
			'an unknown field',
			'{ "model": "support", "cases": [{ "name": "a",\n"expects": [] }] }',
			`2: 'cases[0].expects' isn't a known field here. Expected "name", "inputs", "query", "files", "trigger", "mocks", "expect", "attacks", "forms", "turns", "simulate" or "on_turn_failure".`,
		],
		[
			'an input that is missing',
			'{ "model": "support", "cases": [\n{ "name": "a", "inputs": {} }] }',
			"2: 'inputs.message' is missing. Expected a string, required by 'support'.",
		],
		[
			'two cases of one name',
			'{ "model": "support", "defaults": { "inputs": { "message": "m" } }, "cases": [{ "name": "a" },\n{ "name": "a" }] }',
			"2: Two test cases are named 'a'. The first one is on line 1.",
		],
		[
			'cases without an agent',
			'{ "cases": [\n{ "name": "a" }] }',
			"2: 'model' is missing. Test cases need the name of an agent, or a 'chat'.",
		],
		[
			'a run file that is not there',
			'{ "cases": [\n"./runs/*.run.json"] }',
			"2: './runs/*.run.json' matches no run files. Use a path or pattern relative to the folder of the suite.",
		],
		['a dataset that is not there', '{ "model": "support", "dataset": { "file":\n"./no.csv" } }', "2: Couldn't read './no.csv': ENOENT"],
		[
			'a dataset of unknown format',
			'{ "model": "support", "dataset": { "file": "./rows.xls" } }',
			"1: The format of './rows.xls' is unknown. Use a name that ends in .csv, .tsv, .jsonl or .json, or set 'format'.",
		],
		...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((name): [string, string, string] => [
			`a field that is called ${name}`,
			`{ "model": "support", "cases": [ { "name": "a", "inputs": { "message": "m" },\n"${name}": 1 } ] }`,
			`2: 'cases[0].${name}' isn't a known field here. Expected "name", "inputs", "query", "files", "trigger", "mocks", "expect", "attacks", "forms", "turns", "simulate" or "on_turn_failure".`,
		]),
		[
			'a share that is none',
			'{ "model": "support", "pass_rate": 3, "dataset": { "file": "./rows.csv" } }',
			"1: 'pass_rate' must be a number from 0 to 1.",
		],
		...[-1, 80, '1e999'].map((rate): [string, string, string] => [
			`a gate's share of ${rate}`,
			`{ "model": "support", "dataset": { "file": "./rows.csv" }, "gate": {\n"pass_rate": ${rate} } }`,
			"2: 'pass_rate' must be a number from 0 to 1.",
		]),
		[
			'a wrong column',
			'{ "model": "support", "dataset": { "file": "./rows.csv", "inputs": { "message":\n"{{txt}}" } } }',
			"2: 'rows.csv' has no column 'txt'. Expected one of id, text.",
		],
	];
	for (const [what, text, ...faults] of wrong) {
		it(`reports ${what} with its line and what was expected`, async () => {
			fixture.writeFile('rows.csv', 'id,text\n1,one\n');
			assert.deepEqual(
				(await findFaults(text, { agents })).map(fault => fault.replace(/(ENOENT).*/, '$1')),
				faults,
			);
		});
	}

	const wrongChecks: readonly [check: object, fault: string][] = [
		[{ output: 'a' }, 'The check has no expectation. Add one of equals, oneOf, contains,'],
		[{ equals: 1, contains: 2 }, "The check has both 'equals' and 'contains'. Move one of them to a separate check."],
		[{ output: 'a..b', equals: 1 }, "'output' is \"a..b\". Expected a path, for example 'facts.items[0].id'."],
		[{ matches: '(' }, "'matches' isn't a valid regular expression: Invalid regular expression"],
		[{ expression: 'outputs.a ===' }, "'expression' isn't valid JavaScript: Unexpected token"],
		[{ output: 'a', status: 'failed' }, "'output' can't be used with 'status', which checks the run."],
		[{ inputs: 'a', equals: 1 }, "'inputs' can't be used without 'node'."],
		[{ similar: { to: 'a', atLeast: 7 } }, "'similar.atLeast' is 7. Expected a number from 0 to 1."],
		[{ snapshot: false }, "'snapshot' is false. Expected true."],
		// these would be true for everything
		[{ nodes: {} }, 'The check has no expectation. Add one of ran, skipped, order.'],
		[{ tools: {} }, 'The check has no expectation. Add one of called, never, only, order, times, errors.'],
		[{ tokens: {} }, 'The check has no expectation. Add one of min, max.'],
		[{ output: 'a', startsWith: '' }, "'cases[0].expect[0].startsWith' is"],
		[{ equals: 1, weight: -1 }, "'weight' is -1. Expected a number of at least 0."],
	];
	for (const [check, fault] of wrongChecks) {
		it(`reports a problem of the check ${JSON.stringify(check)}`, async () => {
			const [found, ...more] = await findFaults(`{ "model": "a", "cases": [{ "name": "a", "expect": [\n${JSON.stringify(check)} ] }] }`);
			assert.equal(found?.slice(0, fault.length + 3), `2: ${fault}`);
			assert.deepEqual(more, []);
		});
	}

	it('reads run files as cases with their own expectations, and reports problems at their positions', async () => {
		fixture.writeFile('runs/good.run.json', {
			model: 'support',
			inputs: { message: 'hello' },
			expect: [{ output: 'reply', contains: 'hello' }],
		});
		fixture.writeFile('runs/sub/good.run.json', { model: 'support', inputs: { message: 'again' }, user: 'ana' });
		const suite = await fixture.readValidSuite({ defaults: { expect: [{ tokens: 0 }] }, cases: ['runs/**/*.run.json'] }, { agents });
		assert.deepEqual(
			suite.cases.map(({ name, user, checks }) => [name, user, checks.map(({ kind }) => kind)]),
			[
				['good', undefined, ['contains', 'tokens']],
				['runs/sub/good.run.json', 'ana', ['tokens']],
			],
		);
		const bad = fixture.writeFile('runs/bad.run.json', '{ "model": "support",\n "inputs": { "message": 5 } }');
		const { suite: none, faults } = await fixture.readSuite({ cases: ['runs/*.run.json'] }, { agents });
		assert.equal(none, undefined);
		assert.deepEqual(
			faults.map(({ file, line, message }) => [file, line, message]),
			[[bad, 2, "'inputs.message' is 5. Expected a string."]],
		);
	});

	it('knows the nodes of agents whose files it can read', async () => {
		const file = fixture.writeFile(
			'agents/a.yml',
			'workflow: { graph: { nodes: [{ id: start, data: { type: start } }, { id: sort, data: { type: llm } }], edges: [] } }',
		);
		const known = [{ ...createAgent('a'), file }];
		const content = {
			model: 'a',
			cases: [
				{ name: 'one', mocks: { srt: { error: 'x' } }, expect: [{ node: 'srt', status: 'failed' }, { nodes: { ran: ['sort', 'x'] } }] },
			],
		};
		const messages = (await fixture.readSuite(content, { agents: known })).faults.map(({ message }) => message);
		assert.deepEqual(messages, [
			"The agent has no node 'srt'. Expected one of start, sort.",
			"The agent has no node 'srt'. Expected one of start, sort.",
			"The agent has no node 'x'. Expected one of start, sort.",
		]);
	});

	it("reports a connection that doesn't support mocks", async () => {
		const content = '{ "model": "a", "cases": [{ "name": "one",\n"mocks": { "sort": { "error": "x" } } }] }';
		assert.deepEqual(await findFaults(content, { takesMocks: false }), [
			"2: 'local' doesn't support mocks. Only the built-in gateway does, for agents that it runs itself.",
		]);
	});

	it("doesn't block the event loop while many cases are read", async () => {
		const content = {
			model: 'a',
			cases: Array.from({ length: 10_000 }, (_, at) => ({ name: `case ${at}`, expect: [{ steps: { min: 1 } }] })),
		};
		let turns = 0;
		const countTurns = () => {
			turns++;
			turn = setImmediate(countTurns);
		};
		let turn = setImmediate(countTurns);
		await fixture.readValidSuite(content);
		clearImmediate(turn);
		assert.ok(turns > 5, String(turns));
	});

	it('rejects paths outside the folder', async () => {
		fixture.writeFile('inside/x', '');
		const root = `${fixture.folder}/inside`;
		fixture.writeFile('rows.csv', 'a\n1\n');
		fixture.writeFile('one.run.json', { model: 'support', inputs: {} });
		assert.deepEqual(await findFaults('{ "model": "a", "dataset": { "file": "./rows.csv" } }', { root }), [
			"1: './rows.csv' is outside the workspace folder.",
		]);
		assert.deepEqual(await findFaults('{ "cases": ["*.run.json"] }', { root }), ["1: '*.run.json' is outside the workspace folder."]);
	});

	it('checks against the schema that scripts/suiteFileSchema.ts writes', () => {
		assert.deepEqual(JSON.parse(fs.readFileSync(suiteSchemaPath, 'utf8')), JSON.parse(JSON.stringify(createSuiteSchema())));
		assert.deepEqual(
			JSON.parse(fs.readFileSync(suiteEditingSchemaPath, 'utf8')),
			JSON.parse(JSON.stringify(toEditingSchema(createSuiteSchema()))),
		);
	});

	it('rejects run files and datasets outside the workspace folder, also through links, but accepts names that start with two dots', async () => {
		const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'suites-outside-'));
		try {
			for (const name of ['a.run.json', 'a.csv']) {
				fs.writeFileSync(path.join(outside, name), name.endsWith('.csv') ? 'n\n1\n' : '{ "model": "a" }');
				fs.symlinkSync(path.join(outside, name), path.join(fixture.folder, `link-${name}`));
			}
			fixture.writeFile('..dots/b.run.json', { model: 'a', inputs: {} });
			const readNames = [`../${path.basename(outside)}/a`, `${outside}/a`, './link-a', 'C:\\a', '\\\\server\\share\\a'];
			for (const name of readNames) {
				const run = await fixture.readSuite({ model: 'a', cases: [{ run: `${name}.run.json` }] });
				assert.match(run.faults[0]?.message ?? '', /outside the workspace folder/, name);
				const dataset = await fixture.readSuite({ model: 'a', dataset: { file: `${name}.csv` } });
				assert.match(dataset.faults[0]?.message ?? '', /outside the workspace folder/, name);
			}
			const { cases } = await fixture.readValidSuite({ cases: ['./..dots/*.run.json'] });
			assert.deepEqual(
				cases.map(({ name }) => name),
				['b'],
			);
		} finally {
			fs.rmSync(outside, { recursive: true });
		}
	});
});
