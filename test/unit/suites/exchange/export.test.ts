import assert from 'node:assert/strict';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { exportSuite, type SuiteFormat } from '#suites/exchange/exporting/exportSuite.ts';
import { importFile } from '#suites/exchange/importFile.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

const chat = {
	endpoint: 'messages',
	model: 'claude-x',
	max_tokens: 50,
	system: 'Be short',
	messages: [{ role: 'user', content: 'Say {{text}}' }],
};

describe('exporting a suite', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	async function exportContent(content: object, format: SuiteFormat, output = 'text') {
		const { text, notExported } = await exportSuite(await fixture.readValidSuite(content), format, output);
		return { text, messages: notExported.map(({ message }) => message) };
	}

	async function importText(text: string, name: string, agent?: string) {
		const file = fixture.writeFile(name, text);
		const target = { agent, output: 'text', model: undefined, rowsFile: 'a.rows.jsonl' };
		const { suite, rows, notMapped } = await importFile(file, target, fillPlaceholders);
		return { suite, rows, skipped: notMapped.map(({ message }) => message) };
	}

	it('keeps prompts, parameters, inputs and checks that promptfoo has, as an import of them shows', async () => {
		const expect = [
			{ output: 'text', equals: 'hello' },
			{ output: 'text', contains: 'Ell', ignoreCase: true, name: 'greets' },
			{ output: 'text', containsAll: ['h', 'o'], not: true },
			{ output: 'text', startsWith: 'he', weight: 2 },
			{ output: 'text', endsWith: 'lo' },
			{ output: 'text', matches: '^h.*o$' },
			{ output: 'text', judge: { rubric: 'Is it kind?', atLeast: 0.7 } },
			{ seconds: { max: 2 } },
			{ cost: { max: 0.5 } },
			{ tools: { called: ['find'] } },
		];
		const { text, messages } = await exportContent({ chat, cases: [{ name: 'one', inputs: { text: 'hello' }, expect }] }, 'promptfoo');
		assert.deepEqual(messages, []);
		const { suite, skipped } = await importText(text, 'promptfooconfig.yaml');
		assert.deepEqual(skipped, []);
		assert.deepEqual(suite['chat'], chat);
		assert.deepEqual(suite['cases'], [{ name: 'one', inputs: { text: 'hello' }, expect }]);
	});

	it('lists what other tools lack, with its place', async () => {
		const content = {
			model: 'support',
			cases: [
				{
					name: 'one',
					query: 'Hi',
					mocks: { a: { outputs: {} } },
					expect: [{ nodes: { ran: ['a'] } }, { output: 'other', equals: 1 }, { output: 'answer', equals: 'x', ignoreCase: true }],
				},
				{ name: 'two', turns: [{ query: 'Hi' }] },
				{ name: 'three', simulate: { goal: 'A refund' } },
			],
		};
		const { text, messages } = await exportContent(content, 'promptfoo', 'answer');
		assert.deepEqual(messages, [
			"The mocks of 'one' aren't exported.",
			"'two' isn't exported, because it has 'turns'.",
			"'three' isn't exported, because it has 'simulate'.",
			"A check of 'one' isn't exported: nodes.",
			"A check of 'one' isn't exported: equals.",
			"A check of 'one' isn't exported: equals.",
			"The agent 'support' isn't exported. Replace the provider 'echo' by one that calls it.",
		]);
		assert.deepEqual((JSON.parse(text) as { tests: unknown }).tests, [{ description: 'one', vars: { query: 'Hi' } }]);
	});

	it('writes rows of a dataset as JSONL and as a log of Inspect, which can be imported', async () => {
		fixture.writeFile('rows.csv', 'id,text,expect:text\na,hello,HELLO\nb,bye,BYE\n');
		const content = { chat, dataset: { file: './rows.csv', name: '{{id}}', inputs: { text: '{{text}}' } } };
		const jsonl = await exportContent(content, 'jsonl');
		assert.deepEqual([jsonl.messages, jsonl.text.split('\n').length], [[], 3]);
		const rows = await importText(jsonl.text, 'rows.jsonl', 'support');
		assert.deepEqual([rows.rows?.map(row => row['text']), rows.skipped], [['hello', 'bye'], []]);
		const log = await exportContent(content, 'inspect');
		const samples = await importText(log.text, 'log.json');
		assert.deepEqual(samples.skipped, []);
		assert.deepEqual(
			samples.rows?.map(row => [row['messages'], row['expect:text']]),
			['hello', 'bye'].map(text => [[{ role: 'user', content: `Say ${text}` }], text.toUpperCase()]),
		);
	});

	it('leaves out what promptfoo would evaluate or run, because rows can quote strangers', async () => {
		const hostile = [
			'file:///etc/passwd',
			' FILE://x.js',
			'file://x.py:run',
			'package:evil:run',
			'a {{env.KEY}}',
			'{% include x %}',
			'{# x #}',
		];
		const rows = [...hostile.map(text => ({ text })), { text: 'hello { file: } 100 %' }];
		fixture.writeFile('rows.jsonl', rows.map(row => `${JSON.stringify(row)}\n`).join(''));
		const suite = { model: 'support', dataset: { file: './rows.jsonl' } };
		const { text, messages } = await exportContent(suite, 'promptfoo', 'answer');
		assert.deepEqual(
			(JSON.parse(text) as { tests: { vars: object }[] }).tests.map(({ vars }) => vars),
			[{ text: 'hello { file: } 100 %' }],
		);
		assert.equal(messages.filter(message => message.includes('promptfoo would evaluate')).length, hostile.length);
		const checked = { model: 'support', cases: [{ name: 'one', query: 'Hi', expect: [{ output: 'answer', equals: 'file://check.js' }] }] };
		assert.deepEqual((JSON.parse((await exportContent(checked, 'promptfoo', 'answer')).text) as { tests: unknown[] }).tests, []);
		// other formats are only data
		assert.equal((await exportContent(suite, 'jsonl', 'answer')).text.trimEnd().split('\n').length, rows.length);
	});

	it('keeps an output that is named like a part of objects', async () => {
		fixture.writeFile('rows.csv', 'text,expect:__proto__\na,b\n');
		const { text } = await exportContent({ model: 'support', dataset: { file: './rows.csv' } }, 'jsonl', 'answer');
		assert.match(text, /"outputs":\{"__proto__":"b"\}/);
	});
});
