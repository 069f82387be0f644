import assert from 'node:assert/strict';
import fs from 'node:fs';
import { zipSync } from 'fflate';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import type { ImportTarget } from '#suites/exchange/importedSuite.ts';
import { importFile } from '#suites/exchange/importFile.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

describe('importing the rows of a dataset', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	/** Imports a file, and checks that the suite can be read with its dataset. */
	async function importContent(name: string, content: unknown, target: Partial<ImportTarget> = {}) {
		const file = fixture.writeFile(name, Buffer.isBuffer(content) ? '' : content);
		if (Buffer.isBuffer(content)) {
			fs.writeFileSync(file, content);
		}
		const options = { agent: undefined, output: 'text', model: undefined, rowsFile: 'one.rows.jsonl', ...target };
		const imported = await importFile(file, options, fillPlaceholders);
		fixture.writeFile('one.rows.jsonl', (imported.rows ?? []).map(row => `${JSON.stringify(row)}\n`).join(''));
		await fixture.readValidSuite(imported.suite);
		return { ...imported, skipped: imported.notMapped.map(({ line, path, message }) => `${line} ${path} ${message}`) };
	}

	it('makes requests of the examples of LangSmith', async () => {
		const { suite, rows, skipped } = await importContent('dataset.json', [
			{ id: 'a', inputs: { question: 'How?' }, outputs: { answer: 'So.' }, metadata: { split: 'x' }, created_at: '2026' },
			{
				id: 'b',
				inputs: {
					messages: [
						{ role: 'system', content: 'Be short' },
						{ role: 'user', content: 'Hi' },
					],
				},
				outputs: { a: 1, b: 2 },
			},
		]);
		assert.deepEqual(suite, {
			chat: { endpoint: 'messages', model: '*', max_tokens: 1024, system: '{{system}}', messages: '{{messages}}' },
			dataset: {
				file: './one.rows.jsonl',
				name: '{{$name}}',
				inputs: { messages: '{{messages}}', system: '{{system}}' },
			},
		});
		assert.deepEqual(rows, [
			{ $name: 'a', messages: [{ role: 'user', content: 'How?' }], system: '', 'expect:text': 'So.' },
			{ $name: 'b', messages: [{ role: 'user', content: 'Hi' }], system: 'Be short' },
		]);
		assert.match(skipped[0]!, /\[0\]\.metadata 'metadata' isn't mapped/);
		assert.match(skipped[1]!, /\[1\] The expected output isn't mapped\. Expected a text\./);
		assert.equal(skipped.length, 2);
	});

	it('gives the inputs of Langfuse to an agent, which has an output for each expected value', async () => {
		const items = {
			data: [
				{ id: 'a', input: { city: 'Oslo', days: 3 }, expectedOutput: { text: 'cold', degrees: -3 }, status: 'ACTIVE', datasetId: 'd' },
				{ id: 'a', input: { city: 'Rome' }, expectedOutput: 'warm', status: 'ACTIVE' },
				{ id: 'c', input: { city: 'Bern' }, status: 'ARCHIVED' },
			],
		};
		const { suite, rows, skipped } = await importContent('items.json', items, { agent: 'weather', output: 'answer' });
		assert.deepEqual(suite, {
			model: 'weather',
			dataset: { file: './one.rows.jsonl', name: '{{$name}}', inputs: { city: '{{city}}', days: '{{days}}' } },
		});
		assert.deepEqual(rows, [
			{ $name: 'a', city: 'Oslo', days: 3, 'expect:text': 'cold', 'expect:degrees': -3 },
			{ $name: 'a (2)', city: 'Rome', days: '', 'expect:answer': 'warm' },
		]);
		assert.deepEqual(
			skipped,
			["1 data[2] The row isn't imported. Expected an active row with 'input' or 'inputs'."].map(each =>
				each.replace('1 ', skipped[0]!.split(' ')[0]! + ' '),
			),
		);
	});

	it('accepts any ideal answer of openai/evals, and reports broken lines', async () => {
		const lines = [
			{ input: [{ role: 'user', content: '2+2?' }], ideal: ['4', 'four'] },
			{ input: 'Capital of France?', ideal: 'Paris' },
		].map(line => JSON.stringify(line));
		const { suite, rows, skipped } = await importContent('samples.jsonl', `${lines[0]}\n{oops\n${lines[1]}\n`);
		assert.deepEqual((suite['dataset'] as { expect: unknown }).expect, [
			{ expression: '!row["$accepted"] || row["$accepted"].includes(outputs["text"])' },
		]);
		assert.deepEqual(rows, [
			{ $name: 'row 1', messages: [{ role: 'user', content: '2+2?' }], $accepted: ['4', 'four'] },
			{ $name: 'row 2', messages: [{ role: 'user', content: 'Capital of France?' }], 'expect:text': 'Paris' },
		]);
		assert.deepEqual(skipped, ["2  The row isn't imported. Expected an active row with 'input' or 'inputs'."]);
	});

	it('makes one test case of each sample of Inspect, and lists its scores', async () => {
		const sample = { input: 'Say hi', target: 'hi', scores: { match: { value: 'C' } } };
		const log = { version: 2, status: 'success', eval: { task: 'demo' }, samples: [1, 2].map(epoch => ({ ...sample, id: 1, epoch })) };
		const { rows, skipped } = await importContent('log.json', log);
		assert.deepEqual(rows, [{ $name: '1', messages: [{ role: 'user', content: 'Say hi' }], 'expect:text': 'hi' }]);
		assert.equal(skipped.length, 2);
		assert.match(skipped[0]!, /samples\[0\]\.scores 'scores' isn't mapped/);
	});

	it('reads the archive of Inspect, and refuses a damaged one', async () => {
		const archive = createArchive({
			'header.json': '{"version":2}',
			'samples/1_epoch_1.json': '{"id":1,"epoch":1,"input":"Say hi","target":["hi","hello"]}',
			'samples/1_epoch_2.json': '{"id":1,"epoch":2,"input":"Say hi","target":["hi","hello"]}',
			'summaries.json': '[]',
		});
		const { rows, skipped } = await importContent('log.eval', archive);
		assert.deepEqual(rows, [{ $name: '1', messages: [{ role: 'user', content: 'Say hi' }], $accepted: ['hi', 'hello'] }]);
		assert.deepEqual(skipped, ["1 samples/1_epoch_2.json The row isn't imported. Expected an active row with 'input' or 'inputs'."]);
		for (const end of [0, 10, archive.length - 30]) {
			await assert.rejects(importContent('log.eval', archive.subarray(0, end)), /isn't a valid ZIP archive|no test/);
		}
	});

	it('gives the items of the Evals API to an agent', async () => {
		const { rows } = await importContent('items.jsonl', '{"item":{"ticket":"My monitor is broken","label":"Hardware"}}\n', {
			agent: 'sort',
		});
		assert.deepEqual(rows, [{ $name: 'row 1', ticket: 'My monitor is broken', label: 'Hardware' }]);
	});

	it('gives a text to a chat agent as its message', async () => {
		const { suite } = await importContent('rows.jsonl', '{"input":"Hi","expected_output":"Hello"}\n', {
			agent: 'support',
			output: 'answer',
		});
		assert.deepEqual(suite['dataset'], { file: './one.rows.jsonl', name: '{{$name}}', inputs: {}, query: '{{query}}' });
	});

	it('skips rows that would send values of this machine, or that templates cannot name', async () => {
		const inputs = [{ a: { $file: 'x' } }, { a: '$' + '{env:KEY}' }, { '{{b}}': 1 }, { 'expect:a': 1 }, { a: 1 }];
		const { rows, skipped } = await importContent(
			'rows.json',
			inputs.map(each => ({ inputs: each })),
			{ agent: 'helper' },
		);
		assert.deepEqual(rows, [{ $name: 'row 1', a: 1 }]);
		assert.equal(skipped.length, 4);
		await assert.rejects(importContent('none.jsonl', '{"input":5}\n[\n'), /no test that can be imported/);
	});
});

function createArchive(files: Readonly<Record<string, string>>): Buffer {
	return Buffer.from(zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))));
}
