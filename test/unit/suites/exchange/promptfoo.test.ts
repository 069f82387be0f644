import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { ImportTarget } from '#suites/exchange/importedSuite.ts';
import { importFile } from '#suites/exchange/importFile.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

interface ImportedCase {
	readonly name: string;
	readonly inputs: Record<string, unknown>;
	readonly expect?: Record<string, unknown>[];
}

describe('importing a configuration of promptfoo', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	async function importConfig(config: string | object, target: Partial<ImportTarget> = {}) {
		const text = typeof config === 'string' ? config : JSON.stringify(config);
		const file = fixture.writeFile('promptfooconfig.yaml', text);
		const imported = await importFile(
			file,
			{ agent: undefined, output: 'text', model: undefined, rowsFile: 'a.rows.jsonl', ...target },
			fillPlaceholders,
		);
		return {
			...imported,
			cases: imported.suite['cases'] as readonly ImportedCase[],
			skipped: imported.notMapped.map(each => `${path.basename(each.file)}:${each.line} ${each.path} ${each.message}`),
		};
	}

	/** Imports tests for a prompt and a model. */
	const importTests = (tests: unknown, more: object = {}) =>
		importConfig({ prompts: ['{{text}}'], providers: ['openai:gpt-4o'], tests, ...more });

	/** Imports a test with one assertion. */
	async function importAssertion(assertion: object) {
		const { cases, skipped } = await importTests([{ vars: { text: 'Hi', word: 'a.b' }, assert: [assertion] }]);
		return { checks: cases[0]?.expect ?? [], skipped };
	}

	it('maps prompts and models to variants that the suite can run', async () => {
		fixture.writeFile(
			'short.json',
			JSON.stringify([
				{ role: 'system', content: 'Be short' },
				{ role: 'user', content: '{{ text }}' },
			]),
		);
		const { suite, skipped } = await importConfig(`
prompts: ['Say {{text}}', file://short.json]
providers:
  - openai:chat:gpt-4o
  - { id: 'anthropic:messages:claude-haiku', label: haiku, config: { temperature: 0, max_tokens: 50 } }
tests: [{ vars: { text: hello } }]
`);
		assert.deepEqual(skipped, []);
		const read = await fixture.readValidSuite(suite);
		assert.deepEqual(
			read.matrix?.variants.map(({ name, models, parameters, prompts }) => [name, models['*'], { ...parameters['*'] }, { ...prompts }]),
			[
				['prompt 1/openai:chat:gpt-4o', 'gpt-4o', { max_tokens: 1024 }, { system: '', user: 'Say {{text}}' }],
				['prompt 1/haiku', 'claude-haiku', { temperature: 0, max_tokens: 50 }, { system: '', user: 'Say {{text}}' }],
				['short.json/openai:chat:gpt-4o', 'gpt-4o', { max_tokens: 1024 }, { system: 'Be short', user: '{{text}}' }],
				['short.json/haiku', 'claude-haiku', { temperature: 0, max_tokens: 50 }, { system: 'Be short', user: '{{text}}' }],
			],
		);
	});

	it('combines default and own variables, lists of values, and values that use others', async () => {
		const { cases, suite } = await importTests(
			[{ description: 'both', vars: { text: ['one {{who}}', 'two'], who: 'you' } }, { vars: { text: 1 } }],
			{ prompts: ['{{text}} {{tone}} {{gone}} {{deep.part}}'], defaultTest: { vars: { tone: 'kind', deep: { part: 'p' } } } },
		);
		const rest = { tone: 'kind', gone: '', 'deep.part': 'p' };
		assert.deepEqual(cases, [
			{ name: 'both', inputs: { text: 'one you', ...rest } },
			{ name: 'both (2)', inputs: { text: 'two', ...rest } },
			{ name: 'test 1', inputs: { text: '1', ...rest } },
		]);
		await fixture.readValidSuite(suite);
	});

	for (const [assertion, checks] of [
		[{ type: 'equals', value: 'Hi {{word}}' }, [{ output: 'text', equals: 'Hi a.b' }]],
		[{ type: 'equals', value: { a: [1] } }, [{ output: 'json', equals: { a: [1] } }]],
		[{ type: 'equals', value: 5 }, [{ output: 'text', equals: '5' }]],
		[{ type: 'not-contains', value: 'x', weight: 2 }, [{ output: 'text', contains: 'x', not: true, weight: 2 }]],
		[{ type: 'icontains', value: 'X', metric: 'm' }, [{ name: 'm', output: 'text', contains: 'X', ignoreCase: true }]],
		[{ type: 'contains-all', value: ['a', 2] }, [{ output: 'text', containsAll: ['a', '2'] }]],
		[{ type: 'icontains-all', value: 'a, "b, c" , d' }, [{ output: 'text', containsAll: ['a', 'b, c', 'd'], ignoreCase: true }]],
		[{ type: 'contains-any', value: ['{{word}}', '(c)'] }, [{ output: 'text', matches: 'a\\.b|\\(c\\)' }]],
		[{ type: 'starts-with', value: 'H' }, [{ output: 'text', startsWith: 'H' }]],
		[{ type: 'regex', value: '^H\\w$' }, [{ output: 'text', matches: '^H\\w$' }]],
		[{ type: 'is-json', value: { type: 'object' } }, [{ output: 'text', schema: { type: 'object' } }]],
		[{ type: 'is-json', value: 'type: array' }, [{ output: 'text', schema: { type: 'array' } }]],
		[{ type: 'latency', threshold: 1500 }, [{ seconds: { max: 1.5 } }]],
		[{ type: 'cost', threshold: 0.01 }, [{ cost: { max: 0.01 } }]],
		[
			{ type: 'llm-rubric', value: 'is kind', threshold: 0.8, provider: 'openai:gpt-4o' },
			[{ output: 'text', judge: { rubric: 'is kind', model: 'gpt-4o', atLeast: 0.8 } }],
		],
		[
			{
				type: 'assert-set',
				assert: [
					{ type: 'equals', value: 'a' },
					{ type: 'not-equals', value: 'b' },
				],
			},
			[
				{ output: 'text', equals: 'a' },
				{ output: 'text', equals: 'b', not: true },
			],
		],
		[{ type: 'trajectory:tool-used', value: ['a'] }, [{ tools: { called: ['a'] } }]],
		[{ type: 'not-trajectory:tool-used', value: 'a' }, [{ tools: { never: ['a'] } }]],
		[{ type: 'trajectory:tool-used', value: { name: 'a', max: 2 } }, [{ tools: { times: { a: { min: 1, max: 2 } } } }]],
		[{ type: 'trajectory:tool-sequence', value: ['a', 'b'] }, [{ tools: { order: ['a', 'b'] } }]],
		[{ type: 'trajectory:tool-args-match', value: { name: 'a', args: { b: 1 }, mode: 'exact' } }, [{ tool: 'a', equals: { b: 1 } }]],
	] as const) {
		it(`maps ${assertion.type} of ${JSON.stringify('value' in assertion ? assertion.value : '')}`, async () => {
			const found = await importAssertion(assertion);
			assert.deepEqual(found.checks, checks);
			assert.deepEqual(found.skipped, []);
			await fixture.readValidSuite({ chat: { endpoint: 'messages', model: 'm' }, cases: [{ name: 'a', expect: [...found.checks] }] });
		});
	}

	for (const [assertion, message] of [
		[{ type: 'javascript', value: 'process.exit()' }, "'javascript' isn't mapped: an import runs no code."],
		[{ type: 'not-python', value: 'x' }, "'not-python' isn't mapped: an import runs no code."],
		[{ type: 'webhook', value: 'http://example.com' }, "'webhook' isn't mapped: an import runs no code."],
		[{ type: 'equals', value: 'file://x.js' }, "'x.js' isn't mapped: an import runs no code."],
		[{ type: 'equals', value: 'a', transform: 'output.trim()' }, "'transform' isn't mapped: an import runs no code."],
		[{ type: 'similar', value: 'a' }, "'similar' isn't mapped: suites have nothing like it."],
		[{ type: 'constructor', value: 'a' }, "'constructor' isn't mapped: suites have nothing like it."],
		[{ type: 'equals', value: '{{ word | upper }}' }, "'{{ word | upper }}' isn't mapped: suites have nothing like it."],
		[{ type: 'regex', value: '(' }, "'regex' isn't mapped: suites can't check its value."],
		[{ type: 'not-is-json', value: { required: ['a'] } }, "'not-is-json' isn't mapped: suites can't check its value."],
		[{ type: 'trajectory:tool-used', value: { pattern: 'a*' } }, "'trajectory:tool-used' isn't mapped: suites can't check its value."],
		[{ type: 'equals', value: 'file://../secret.txt' }, "'../secret.txt' is outside the folder of the imported file."],
		[{ type: 'equals', value: 'file:///etc/hostname' }, "'/etc/hostname' is outside the folder of the imported file."],
	] as const) {
		it(`lists ${assertion.type} of ${JSON.stringify(assertion.value)}`, async () => {
			const { checks, skipped } = await importAssertion(assertion);
			assert.deepEqual(checks, []);
			assert.equal(skipped.length, 1);
			assert.match(skipped[0]!, /^promptfooconfig\.yaml:1 tests\[0\]\.assert\[0\]/);
			assert.ok(skipped[0]!.endsWith(message), skipped[0]);
		});
	}

	it('lists everything else with its line and path', async () => {
		const { skipped } = await importConfig(`description: demo
prompts:
  - '{{text}}'
  - '{% if text %}x{% endif %}'
  - prompt.js
providers:
  - id: openai:gpt-4o
    config: { apiKey: sk-1, seed: 3 }
  - exec:./run.sh
  - openai:embedding:e
tests:
  - vars: { text: a }
    threshold: 0.5
    options: { transform: output.trim() }
  - vars: { text: '{{ x() }}' }
  - https://example.com/tests.csv
  - 5
scenarios: []
env: { KEY: value }
`);
		assert.deepEqual(
			skipped.map(each => each.replace('promptfooconfig.yaml:', '')),
			[
				"1 description 'description' isn't mapped: suites have nothing like it.",
				"18 scenarios 'scenarios' isn't mapped: suites have nothing like it.",
				"19 env 'env' isn't mapped: suites have nothing like it.",
				"5 prompts[2] 'prompt.js' isn't mapped: an import runs no code.",
				"4 prompts[1] The prompt isn't mapped. It uses more than variables: {% if text %}x{% endif %}",
				"8 providers[0].config.apiKey 'apiKey' isn't imported: keys and addresses come from the connection.",
				"8 providers[0].config.seed 'seed' isn't mapped: suites have nothing like it.",
				"9 providers[1] 'exec:./run.sh' isn't mapped: an import runs no code.",
				"10 providers[2] 'openai:embedding:e' isn't mapped: suites have nothing like it.",
				"13 tests[0].threshold 'threshold' isn't mapped: suites have nothing like it.",
				"14 tests[0].options 'options' isn't mapped: suites have nothing like it.",
				"15 tests[1] The test isn't imported. It uses more than variables: {{ x() }}",
				"16 tests[2] 'https://example.com/tests.csv' isn't mapped: suites have nothing like it.",
				"17 tests[3] 'tests' isn't mapped. Expected a test or a file.",
			],
		);
		assert.ok(!skipped.join().includes('sk-1'));
	});

	it('reads tests of CSV, JSONL and YAML files, with the line of what is not mapped', async () => {
		fixture.writeFile(
			'tests.csv',
			'text,__description,__expected,__expected2,__threshold\nhi,greets,contains: a,"not-contains-any: ""b, c"", d",\nho,,plain: text,fn: output,0.3\n',
		);
		fixture.writeFile(
			'tests.jsonl',
			'{"vars":{"text":"l"},"assert":[{"type":"equals","value":"L"}]}\n{"vars":{"text":"m"},"options":{}}\n',
		);
		fixture.writeFile('more.yaml', '- vars: { text: y }\n- other\n');
		const { cases, skipped } = await importTests(['file://tests.csv', 'tests.jsonl', 'file://more.yaml', 'file://gone.csv']);
		assert.deepEqual(
			cases.map(({ name, inputs, expect }) => [name, inputs['text'], expect]),
			[
				[
					'greets',
					'hi',
					[
						{ output: 'text', contains: 'a' },
						{ output: 'text', matches: 'b, c|d', not: true },
					],
				],
				['test 1', 'ho', [{ output: 'text', equals: 'plain: text' }]],
				['test 2', 'l', [{ output: 'text', equals: 'L' }]],
				['test 3', 'm', undefined],
				['test 4', 'y', undefined],
			],
		);
		assert.deepEqual(skipped.slice(0, 4), [
			"tests.csv:3 __threshold '__threshold' isn't mapped: suites have nothing like it.",
			"tests.csv:3 __expected 'javascript' isn't mapped: an import runs no code.",
			"tests.jsonl:2 options 'options' isn't mapped: suites have nothing like it.",
			"more.yaml:2 [1] 'tests' isn't mapped. Expected a test.",
		]);
		assert.match(skipped[4]!, /^promptfooconfig\.yaml:1 tests\[3\] .*no such file/);
	});

	it('reads prompts of several files, and several prompts of one', async () => {
		fixture.writeFile('prompts/a.txt', 'one {{text}}\n---\n\n two {{text}} \n');
		fixture.writeFile('prompts/b.md', 'three {{text}}');
		fixture.writeFile('prompts/c.txt', 'four {{text}}');
		const { suite, skipped } = await importTests([{ vars: { text: 'a' } }], { prompts: ['file://prompts/*.txt', 'prompts/b.md'] });
		const variants = suite['variants'] as { name: string; prompts: { user: string } }[];
		assert.deepEqual(
			variants.map(({ name, prompts }) => `${name.replace('\\', '/')}: ${prompts.user}`),
			['prompt 1: one {{text}}', 'prompt 2: two {{text}}', 'prompts/c.txt: four {{text}}', 'prompts/b.md: three {{text}}'],
		);
		assert.deepEqual(skipped, []);
	});

	it('tests an agent with the variables as inputs', async () => {
		const config = { prompts: ['{{a}}'], tests: [{ vars: { a: 1, b: { c: 2 } }, assert: [{ type: 'equals', value: { d: 1 } }] }] };
		const { suite, skipped } = await importConfig(config, { agent: 'helper', output: 'answer' });
		assert.deepEqual(suite, {
			model: 'helper',
			cases: [{ name: 'test 1', inputs: { a: 1, b: { c: 2 } }, expect: [{ output: 'answer', equals: { d: 1 } }] }],
		});
		assert.deepEqual(skipped, ["promptfooconfig.yaml:1 prompts 'prompts' isn't imported, because the suite tests an agent."]);
	});

	describe('that is hostile', () => {
		it('never makes a suite that sends values of this machine', async () => {
			const tests = ['$' + '{env:KEY}', '$' + '{input:a:password}', '$' + '{workspaceFolder}', '{{a}}{{b}}'].map(text => ({
				vars: { text, a: '$', b: '{env:KEY}' },
			}));
			await assert.rejects(importTests(tests), /The file has no test that can be imported\./);
			const files = { prompts: ['{{a}}'], tests: [{ vars: { a: { $file: 'secret.txt' } } }, { vars: { a: 1 } }] };
			const { cases, skipped } = await importConfig(files, { agent: 'helper' });
			assert.deepEqual(
				cases.map(({ inputs }) => inputs),
				[{ a: 1 }],
			);
			assert.match(skipped[1]!, /A suite would replace '\$file' by a value of this machine\./);
		});

		it('reads no file outside its folder, even through a link or a pattern', async () => {
			const outside = new SuiteFixture();
			try {
				const secret = outside.writeFile('secret.txt', 'secret');
				fs.symlinkSync(secret, path.join(fixture.folder, 'link.txt'));
				const { suite, skipped } = await importTests([{ vars: { text: 'file://link.txt' } }, { vars: { text: 'a' } }], {
					prompts: ['{{text}}', `file://${path.join(outside.folder, '*.txt')}`, 'file://../*/secret.txt', 'file://link.txt'],
				});
				assert.ok(!JSON.stringify(suite).includes('secret'));
				assert.equal(skipped.length, 4);
			} finally {
				outside.close();
			}
		});

		it('does not search for slow patterns', async () => {
			fixture.writeFile(`${'a'.repeat(200)}.txt`, 'x');
			const slow = [`file://${'*a'.repeat(60)}b.txt`, `file://${'{a,b}'.repeat(60)}*.txt`, `file://${'**/'.repeat(60)}*.txt`];
			await assert.rejects(importTests([{}], { prompts: slow.slice(0, 2) }), /no prompt that can be imported/);
			const { suite } = await importTests([{}], { prompts: slow });
			assert.deepEqual((suite['chat'] as { messages: unknown }).messages, [{ role: 'user', content: 'x' }]);
		});

		it('stops at the limits of cases, of their size, and of nested variables', async () => {
			const many = Array.from({ length: 200 }, (_, at) => String(at));
			const product = await importTests([{ vars: { text: many, a: many, b: many, c: many, d: many } }]);
			assert.equal(product.cases.length, 10_000);
			assert.match(product.skipped[0]!, /Maximum number of test cases: 10000\./);
			const large = await importTests([{ vars: { text: 'x'.repeat(1_000_000), a: many } }]);
			assert.ok(large.cases.length < 25, String(large.cases.length));
			const bomb = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`v${at}`, `{{v${at + 1}}}`.repeat(20)]));
			await assert.rejects(importTests([{ vars: { ...bomb, text: '{{v0}}', v30: 'x'.repeat(100) } }]), /no test that can be imported/);
			await assert.rejects(importTests([{ vars: { text: '{{text}}' } }]), /no test that can be imported/);
			const failing = await importTests([
				{ vars: { text: many, a: many, b: many, c: many, d: '{{ x() }}' } },
				{ vars: { text: 'a' } },
			]).catch((error: Error) => error.message);
			assert.equal(failing, 'The file has no test that can be imported.');
		});

		it('counts variables that no prompt uses, and each file with rows', async () => {
			const ten = Array.from({ length: 10 }, (_, at) => String(at));
			const unused = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`v${at}`, 'x']));
			const product = await importTests([{ vars: { text: ten, a: ten, b: ten, c: ten, ...unused } }]);
			assert.ok(product.cases.length < 500, String(product.cases.length));
			assert.match(product.skipped.at(-1)!, /Their size is limited too/);
			fixture.writeFile('t.csv', 'text\nHi\n');
			const { cases, skipped } = await importTests(Array.from({ length: 1_005 }, () => 't.csv'));
			assert.equal(cases.length, 1_000);
			assert.match(skipped[0]!, /'t\.csv' isn't read\. Maximum number of files: 1000\./);
		});

		it('refuses deep, huge and repeating files', async () => {
			await assert.rejects(importConfig('['.repeat(300)), /nested more than 100 levels deep/);
			const aliases = Array.from({ length: 9 }, (_, at) => `a${at + 1}: &a${at + 1} [${`*a${at},`.repeat(9)}]`);
			await assert.rejects(importConfig(`a0: &a0 [x]\n${aliases.join('\n')}\n`), /alias/i);
			await assert.rejects(importConfig(' '.repeat(11 * 1024 * 1024)), /too large/);
			await assert.rejects(importConfig('a: [1'), /./);
			await assert.rejects(importConfig('just text'), /no prompt that can be imported/);
		});

		it('keeps names such as __proto__ as data', async () => {
			const { cases } = await importConfig('prompts: ["{{__proto__}} {{a.constructor.name}}"]\ntests: [{ vars: { __proto__: x, a: {} } }]');
			assert.deepEqual(Object.entries(cases[0]!.inputs), [
				['__proto__', 'x'],
				['a.constructor.name', ''],
			]);
		});
	});
});
