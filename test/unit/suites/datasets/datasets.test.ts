import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { readDatasetCases } from '#suites/datasets/datasetCases.ts';
import { DatasetError } from '#suites/datasets/datasetRow.ts';
import { detectDatasetFormat, readDatasetRows } from '#suites/datasets/datasetRows.ts';
import { fillTemplate, MissingColumn, TooLongTemplate } from '#suites/datasets/templates.ts';
import type { Suite } from '#suites/suite.ts';

describe('datasets', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'datasets-test-'));
	});
	after(() => fs.rmSync(folder, { recursive: true }));

	/** Returns the rows as `[line, values or problem]`. */
	async function readRows(name: string, text: string | Uint8Array): Promise<unknown[]> {
		const file = path.join(folder, name);
		fs.writeFileSync(file, text);
		const rows: unknown[] = [];
		for await (const row of readDatasetRows({ file, root: folder, format: detectDatasetFormat(name)! }, fillPlaceholders)) {
			assert.equal(row.row, rows.length + 1);
			rows.push([row.line, 'values' in row ? row.values : row.problem]);
		}
		return rows;
	}

	it('reads CSV: quotes, lines inside fields, a byte order mark, empty lines, CRLF', async () => {
		assert.deepEqual(await readRows('a.csv', '\uFEFFid,text\r\n1,"a ""b"", c"\r\n\r\n2,"two\nlines"\r\n3,\r\n'), [
			[2, { id: '1', text: 'a "b", c' }],
			[4, { id: '2', text: 'two\nlines' }],
			[6, { id: '3', text: '' }],
		]);
	});

	it('keeps empty rows of a single column, except at the end', async () => {
		const listCells = async (text: string) => (await readRows('one.csv', text)).map(row => (row as [number, unknown])[1]);
		assert.deepEqual(await listCells('\na\n1\n\n""\n2\n\n\n'), [{ a: '1' }, { a: '' }, { a: '' }, { a: '2' }]);
		assert.deepEqual(
			(await readRows('two.csv', 'a,b\n1,2\n\n3,4\n\n')).map(row => (row as [number])[0]),
			[2, 4],
		);
	});

	it('reads TSV with quotes as plain characters', async () => {
		assert.deepEqual(await readRows('a.tsv', 'id\ttext\n1\tsays "hello", twice\n'), [[2, { id: '1', text: 'says "hello", twice' }]]);
	});

	it('continues after an invalid CSV row', async () => {
		assert.deepEqual(await readRows('b.csv', 'id,text\n1,one\n2,two,2\n3,th"ree\n4,four\n'), [
			[2, { id: '1', text: 'one' }],
			[3, 'Number of fields in the row: 3. Expected 2, one for each column.'],
			[4, 'The field contains a quote. Put the whole field in quotes and double each quote in it.'],
			[5, { id: '4', text: 'four' }],
		]);
	});

	it('reports the start of a quote that is never closed', async () => {
		const rows = await readRows('c.csv', 'id,text\n1,one\n2,"two\n3,three\n');
		assert.deepEqual(rows[0], [2, { id: '1', text: 'one' }]);
		assert.match(String(rows[1]), /^3,A quote isn't closed/);
		assert.equal(rows.length, 2);
	});

	it('counts lines that end with CR and LF inside quotes once', async () => {
		assert.deepEqual(await readRows('e.csv', 'a,b\r\n"x\r\ny",1\r\nz,2,3\r\n"q\r\n'), [
			[2, { a: 'x\r\ny', b: '1' }],
			[4, 'Number of fields in the row: 3. Expected 2, one for each column.'],
			[5, 'A quote isn\'t closed. Expected " at the end of the field.'],
		]);
	});

	it('rejects columns with the same name', async () => {
		await assert.rejects(
			readRows('d.csv', 'id,id\n1,2\n'),
			(error: unknown) => error instanceof DatasetError && error.message.includes("Two columns are named 'id'"),
		);
	});

	it('reads JSON Lines and continues after an invalid one', async () => {
		assert.deepEqual(await readRows('a.jsonl', '{"a":1}\n\n{"a":\n[1]\n{"a":{"b":[2]}}'), [
			[1, { a: 1 }],
			[3, "The row isn't valid JSON: Unexpected end of JSON input"],
			[4, 'The row is [1]. Expected an object with the columns as fields.'],
			[5, { a: { b: [2] } }],
		]);
	});

	it('reads a JSON list entry by entry, and continues after an invalid one', async () => {
		const rows = await readRows('a.json', '[\n\t{ "a": "[,]\\"}" },\n\t{ "a": 1, },\n\n\t{\n\t"a": [1, [2]] }\n]\n');
		assert.deepEqual(
			[rows[0], rows[2]],
			[
				[2, { a: '[,]"}' }],
				[5, { a: [1, [2]] }],
			],
		);
		assert.match(String((rows[1] as unknown[])[1]), /^The row isn't valid JSON: /);
	});

	for (const [what, text, line, message] of [
		['no list', '{"a":1}', 1, "The file isn't a list. Expected [ … ] with one entry for each row."],
		[
			'a list that is not closed',
			'[{"a":1},\n{"a":"',
			2,
			"The list isn't closed. Its last row starts here. Expected ] at the end of the file.",
		],
		['something after the list', '[]\n5', 2, 'There is text after the list. Expected the end of the file.'],
	] as const) {
		it(`stops at ${what} and reports its line`, async () => {
			await assert.rejects(readRows('b.json', text), (error: unknown) => {
				assert.ok(error instanceof DatasetError);
				assert.deepEqual([error.line, error.message], [line, message]);
				return true;
			});
		});
	}

	it('reads across chunks of a large file', async () => {
		const values = Array.from({ length: 3000 }, (_, at) => ({ id: at, text: `ä “${'x'.repeat(at % 97)}” \\ " ${at}` }));
		for (const [name, text] of [
			['large.json', JSON.stringify(values)],
			['large.jsonl', values.map(each => JSON.stringify(each)).join('\n')],
		] as const) {
			assert.deepEqual(
				(await readRows(name, text)).map(row => (row as unknown[])[1]),
				values,
			);
		}
	});

	for (const [encoding, mark] of [
		['utf-16le', 0xff],
		['utf-16be', 0xfe],
	] as const) {
		it(`reads ${encoding} with a byte order mark, in every format`, async () => {
			const createBytes = (text: string) => {
				const le = Buffer.from(`\uFEFF${text}`, 'utf16le');
				const whole = mark === 0xff ? le : le.swap16();
				assert.equal(whole[0], mark);
				return whole;
			};
			const row = { id: 'ü', text: '😀' };
			assert.deepEqual(await readRows('u.csv', createBytes('id,text\nü,😀\n')), [[2, row]]);
			assert.deepEqual(await readRows('u.jsonl', createBytes(JSON.stringify(row))), [[1, row]]);
			assert.deepEqual(await readRows('u.json', createBytes(JSON.stringify([row]))), [[1, row]]);
		});
	}

	for (const [what, before] of [
		['in the first piece of a file', 'id,text\n1,größer\n'],
		['in a later one', `id,text\n${'1,größer 😀\n'.repeat(6_000)}`],
	] as const) {
		it(`stops at a line ${what} that isn't valid UTF-8`, async () => {
			const line = before.split('\n').length;
			for (const bytes of [
				Buffer.concat([Buffer.from(before), Buffer.from('2,gr\xfcn\n3,more\n', 'latin1')]),
				Buffer.concat([Buffer.from(before), Buffer.from([0xe2, 0x82])]),
			]) {
				await assert.rejects(
					readRows('latin.csv', bytes),
					(error: unknown) =>
						error instanceof DatasetError && error.line === line && error.message.startsWith("The line isn't valid UTF-8 text. "),
				);
			}
		});
	}

	it('rejects a file that is written to while its rows are read, and never mixes or loses rows silently', async () => {
		const text = `id,text\n${Array.from({ length: 5_000 }, (_, row) => `${row},${'x'.repeat(80)}\n`).join('')}`;
		const file = path.join(folder, 'changing.csv');
		for (const write of [
			() => fs.truncateSync(file, 0),
			() => fs.writeFileSync(file, text.slice(0, text.length / 2)),
			() => fs.writeFileSync(file, text.replaceAll('x', 'y')),
			() => fs.appendFileSync(file, text),
		]) {
			fs.writeFileSync(file, text);
			const rows = readDatasetRows({ file, root: folder, format: 'csv' }, fillPlaceholders);
			await rows.next();
			write();
			await assert.rejects(
				(async () => {
					for await (const row of rows) {
						assert.ok('values' in row && /^x+$/.test(String(row.values['text'])), 'no row of the new text');
					}
				})(),
				{ name: 'DatasetError', message: 'The file changed while it was being read. Run the suite again.' },
			);
		}
	});

	it('reads on from a file that is replaced by another one, because the editor saves that way', async () => {
		const text = `id,text\n${Array.from({ length: 5_000 }, (_, row) => `${row},${'x'.repeat(80)}\n`).join('')}`;
		const file = path.join(folder, 'replaced.csv');
		fs.writeFileSync(file, text);
		let count = 0;
		for await (const row of readDatasetRows({ file, root: folder, format: 'csv' }, fillPlaceholders)) {
			assert.ok('values' in row);
			if (count++ === 0) {
				fs.writeFileSync(`${file}.new`, 'id,text\n');
				fs.renameSync(`${file}.new`, file);
			}
		}
		assert.equal(count, 5_000);
	});

	it('treats hostile column names as plain names', async () => {
		const columns = Object.entries({ id: '1', ['__proto__']: 'a', constructor: 'b', 'expect:__proto__': 'c' });
		const [first] = await readRows('p.csv', 'id,__proto__,constructor,expect:__proto__\n1,a,b,c\n');
		assert.deepEqual(Object.entries((first as [number, object])[1]), columns);
		const [same] = await readRows('p.jsonl', '{"id":"1","__proto__":"a","constructor":"b","expect:__proto__":"c"}\n');
		assert.deepEqual(Object.entries((same as [number, object])[1]), columns);
	});

	it('keeps the type of a value that is the whole template, and inserts others as text', () => {
		const values = { n: 5, list: [1], name: 'Ana', 'a b': 'c' };
		assert.deepEqual(fillTemplate({ a: '{{n}}', b: ['{{ list }}', 'n={{n}}, {{name}}, {{a b}}'], c: 7 }, values), {
			a: 5,
			b: [[1], 'n=5, Ana, c'],
			c: 7,
		});
		assert.throws(() => fillTemplate('{{other}}', values), MissingColumn);
		assert.throws(() => fillTemplate('{{constructor}}', values), MissingColumn);
		// the content of columns isn't parsed again
		assert.equal(fillTemplate('{{x}}', { x: '{{n}}' }), '{{n}}');
	});

	it('limits what a template inserts, because it can contain a long column very often', () => {
		const values = { long: 'x'.repeat(100_000) };
		const lists = (count: number) => ({ a: Array.from({ length: count }, () => 'a {{long}}') });
		assert.ok(fillTemplate(lists(160), values));
		assert.throws(() => fillTemplate(lists(170), values), /^TooLongTemplate: The row inserts more than 16777216 characters/);
		assert.throws(() => fillTemplate('{{long}} '.repeat(170), values), TooLongTemplate);
	});

	it('lists rows in pages, with their numbers among the cases', async () => {
		const file = path.join(folder, 'list.csv');
		fs.writeFileSync(file, `id\n${Array.from({ length: 50 }, (_, at) => `r${at}\n`).join('')}`);
		const suite = { cases: [{}, {}], dataset: { file, root: folder, format: 'csv', name: 'row {{id}}' } } as unknown as Suite;
		const page = [];
		for await (const each of readDatasetCases(suite, 11)) {
			page.push(each);
			if (page.length === 2) {
				break;
			}
		}
		assert.deepEqual(page, [
			{ ordinal: 12, name: 'row r10', row: 11, line: 12 },
			{ ordinal: 13, name: 'row r11', row: 12, line: 13 },
		]);
	});
});
