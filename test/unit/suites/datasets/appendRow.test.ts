import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { appendDatasetRow, findEqualRow, readColumnsToFill } from '#suites/datasets/appendRow.ts';
import type { DatasetRow } from '#suites/datasets/datasetRow.ts';
import { readDatasetRows } from '#suites/datasets/datasetRows.ts';
import { placeRun } from '#suites/datasets/placeRun.ts';
import type { SuiteDataset } from '#suites/suite.ts';
import { SuiteFixture } from '../results/suiteFixture.ts';

describe('adding a row to a dataset', () => {
	let fixture: SuiteFixture;
	beforeEach(() => {
		fixture = new SuiteFixture();
	});
	afterEach(() => fixture.close());

	/** Adds a row to a file, and returns the text of the file. Checks that the dataset has the row at its end. */
	async function append(name: string, content: string, cells: Readonly<Record<string, unknown>>) {
		const file = fixture.writeFile(name, '');
		fs.writeFileSync(file, content);
		const dataset = { file, root: fixture.folder, format: name.slice(name.lastIndexOf('.') + 1) as 'csv' };
		const columns = await readColumnsToFill(dataset, fillPlaceholders);
		await appendDatasetRow(dataset, cells, columns, fillPlaceholders);
		let last: DatasetRow | undefined;
		for await (const row of readDatasetRows(dataset, fillPlaceholders)) {
			last = row;
		}
		assert.ok(last && 'values' in last, JSON.stringify(last));
		assert.equal(await findEqualRow(dataset, cells, Object.keys(cells), fillPlaceholders), last.line);
		return fs.readFileSync(file, 'utf8');
	}

	it('keeps the text of other CSV rows, their line ends, and values that look like formulas', async () => {
		assert.equal(
			await append('a.csv', 'id,text\r\n1,"a ""b"""\r\n', { text: '-5, or\nmore' }),
			'id,text\r\n1,"a ""b"""\r\n,"-5, or\nmore"\r\n',
		);
		assert.equal(await append('b.csv', 'n,v\n1,x', { n: 2, v: { a: [1] } }), 'n,v\n1,x\n2,"{""a"":[1]}"\n');
	});

	it('ends rows like the first line, also after a last row without a line end', async () => {
		assert.equal(await append('a.csv', 'n,v\r\n1,x', { n: 2, v: 'y' }), 'n,v\r\n1,x\r\n2,y\r\n');
		assert.equal(await append('b.csv', '\ufeff"n\n","v""\n"\r\n1,x', { 'n\n': 2, 'v"\n': 'y' }), '\ufeff"n\n","v""\n"\r\n1,x\r\n2,y\r\n');
		assert.equal(await append('c.csv', 'n,v\r1,x', { n: 2, v: 'y' }), 'n,v\r1,x\r2,y\r');
		assert.equal(await append('d.csv', 'n,v\n1,"a\r\n"', { n: 2, v: 'y' }), 'n,v\n1,"a\r\n"\n2,y\n');
		assert.equal(await append('e.tsv', '5" n\tv\r\n1\tx"', { '5" n': 2, v: 'y' }), '5" n\tv\r\n1\tx"\r\n2\ty\r\n');
	});

	for (const [name, content] of [
		['a.json', '[]'],
		['a.jsonl', ''],
		['a.csv', 'n\n0'],
	] as const) {
		it(`keeps the rows that several windows add at once: ${name}`, async () => {
			const file = fixture.writeFile(name, content);
			const dataset = { file, root: fixture.folder, format: name.slice(2) as 'csv' };
			const added = Array.from({ length: 8 }, (_, n) => n + 1);
			await Promise.all(added.map(n => appendDatasetRow(dataset, { n }, ['n'], fillPlaceholders)));
			const found: number[] = [];
			for await (const row of readDatasetRows(dataset, fillPlaceholders)) {
				found.push(Number('values' in row ? row.values['n'] : Number.NaN));
			}
			assert.deepEqual(
				found.filter(n => n !== 0).sort((a, b) => a - b),
				added,
			);
		});
	}

	it('refuses a file with an open quote, which would take the row', async () => {
		const createDataset = (content: string) => {
			const file = fixture.writeFile('a.csv', content);
			return { file, root: fixture.folder, format: 'csv' } as const;
		};
		await assert.rejects(findEqualRow(createDataset('n,v\n1,"x'), { n: 2 }, ['n'], fillPlaceholders), {
			name: 'DatasetError',
			message: 'A quote isn\'t closed. Expected " at the end of the field.',
			line: 2,
		});
		await assert.rejects(readColumnsToFill(createDataset('n,"v\n1,x\n'), fillPlaceholders), {
			name: 'DatasetError',
			message: "Couldn't read the column names: A quote isn't closed. Expected \" at the end of the field.",
		});
	});

	it('fills the columns of a CSV file that only has a header', async () => {
		assert.equal(await append('a.csv', 'text,expect:queue\n', { 'expect:queue': 'high', text: 'x' }), 'text,expect:queue\nx,high\n');
	});

	it('adds to JSONL and JSON lists, with the layout of the list', async () => {
		assert.equal(await append('a.jsonl', '{"a":1}', { a: 2 }), '{"a":1}\n{"a":2}\n');
		assert.equal(await append('a.json', '[\n  {\n    "a": 1\n  }\n]\n', { a: 2 }), '[\n  {\n    "a": 1\n  },\n  {\n    "a": 2\n  }\n]\n');
		assert.equal(await append('b.json', '\ufeff[]', { a: { b: ']' } }), '\ufeff[\n\t{\n\t\t"a": {\n\t\t\t"b": "]"\n\t\t}\n\t}\n]');
		assert.equal(await append('c.json', '[{"a":"]"},]\n', { a: 2 }), '[{"a":"]"},\n\t{\n\t\t"a": 2\n\t}\n]\n');
	});

	it('refuses what a format has no form for, and leaves the file as it is', async () => {
		await assert.rejects(append('a.tsv', 'text\nx\n', { text: 'a\tb' }), /TSV file can't contain values with tabs/);
		const utf16 = fixture.writeFile('b.csv', '');
		fs.writeFileSync(utf16, Buffer.from('\ufefftext\nx\n', 'utf16le'));
		const dataset = { file: utf16, root: fixture.folder, format: 'csv' } as const;
		await assert.rejects(appendDatasetRow(dataset, { text: 'y' }, ['text'], fillPlaceholders), /Save the dataset as UTF-8/);
		assert.equal(fs.statSync(utf16).size, 16);
	});

	it('finds an equal row by its inputs, not by other columns', async () => {
		const file = fixture.writeFile('a.csv', 'id,text\n1,x\n2,7\n');
		const dataset = { file, root: fixture.folder, format: 'csv' } as const;
		assert.equal(await findEqualRow(dataset, { id: 9, text: 7 }, ['text'], fillPlaceholders), 3);
		assert.equal(await findEqualRow(dataset, { text: 'y' }, ['text'], fillPlaceholders), undefined);
	});
});

describe('placing a run in the columns of a dataset', () => {
	const createDataset = (parts: Partial<SuiteDataset>) =>
		({ format: 'csv', checks: [], inputs: undefined, ...parts }) as unknown as SuiteDataset;
	const run = { $name: 'a fault', $status: 'succeeded', message: 'help', lang: 'en', 'expect:queue': 'high' };

	it('uses the columns that the templates of the suite read', () => {
		const dataset = createDataset({
			name: '{{id}}',
			inputs: { message: '{{text}}', lang: 'en' },
			checks: [{ kind: 'equals', fields: { output: 'queue', equals: '{{queue}}' } }] as unknown as SuiteDataset['checks'],
		});
		assert.deepEqual(placeRun(dataset, run, false, ['id', 'text', 'queue', '$status']), {
			cells: { id: 'a fault', $status: 'succeeded', queue: 'high', text: 'help' },
			inputColumns: ['text'],
			unplaced: [],
		});
	});

	it('names inputs without a column, and those for which the suite has another value', () => {
		assert.deepEqual(placeRun(createDataset({}), run, false, ['message']).unplaced, ['lang']);
		const dataset = createDataset({ inputs: { message: 'Say {{text}}', lang: 'de' } });
		assert.deepEqual(placeRun(dataset, run, false, ['text']).unplaced, ['message', 'lang']);
	});

	it('puts a message only where the suite reads one', () => {
		const chat = { ...run, query: 'hi' };
		const columns = ['message', 'lang', 'query'];
		assert.deepEqual(placeRun(createDataset({}), chat, true, columns).unplaced, ['query']);
		assert.equal(placeRun(createDataset({ query: '{{query}}' }), chat, true, columns).cells['query'], 'hi');
		assert.equal(placeRun(createDataset({}), chat, false, columns).cells['query'], 'hi');
	});
});
