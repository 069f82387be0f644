import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { getValueAtPath, parseValuePath } from '#suites/checks/valuePath.ts';
import { DatasetError } from '#suites/datasets/datasetRow.ts';
import { readDatasetRows } from '#suites/datasets/datasetRows.ts';
import { readSuite } from '#suites/reading/readSuite.ts';
import type { DatasetFormat } from '#suites/suite.ts';
import { createAgent } from '../unit/suites/results/suiteFixture.ts';
import { fuzzRuns } from './fuzzRuns.ts';

describe('any suite', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'suites-fuzz-'));
		fs.writeFileSync(path.join(folder, 'rows.csv'), 'id,text\n1,one\n');
		fs.writeFileSync(path.join(folder, 'a.run.json'), '{"model":"a","inputs":{}}');
	});
	after(() => fs.rmSync(folder, { recursive: true }));

	const odd = fc.oneof(
		fc.jsonValue(),
		fc.constantFrom<unknown>('{{id}}', '{{x}}', '(', 'a..b', '__proto__', -1, { $file: '../x' }, { min: 1 }),
	);
	const names = [
		'name',
		'not',
		'weight',
		'output',
		'node',
		'inputs',
		'equals',
		'contains',
		'matches',
		'schema',
		'closeTo',
		'similar',
		'status',
		'seconds',
		'nodes',
		'snapshot',
		'expression',
		'judge',
	];
	const check = fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.string()), odd, { maxKeys: 4 });
	const eachCase = fc.oneof(
		fc.record({ name: odd, inputs: odd, mocks: odd, expect: fc.oneof(odd, fc.array(check)), query: odd }, { requiredKeys: [] }),
		fc.record({ run: fc.constantFrom('*.run.json', '../*', '**', '[', ''), expect: fc.array(check) }, { requiredKeys: ['run'] }),
		fc.constantFrom('*.run.json', './a.run.json', '/etc/*', ''),
	);
	const suite = fc.record(
		{
			model: fc.constantFrom<unknown>('a', 'b', '', 1),
			chat: odd,
			defaults: odd,
			cases: fc.oneof(odd, fc.array(eachCase, { maxLength: 4 })),
			dataset: fc.oneof(
				odd,
				fc.record(
					{ file: fc.constantFrom('./rows.csv', './no.csv', '..', '/etc/passwd'), inputs: odd, expect: fc.array(check) },
					{ requiredKeys: ['file'] },
				),
			),
			repeat: odd,
			pass_rate: odd,
			concurrency: odd,
		},
		{ requiredKeys: [] },
	);

	it('is read, or refused with problems whose positions are in their files', async () => {
		const file = path.join(folder, 'one.suite.json');
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(
					suite.map(value => JSON.stringify(value, null, ' ')),
					fc.string(),
					fc.json(),
				),
				async text => {
					const context = { connection: 'c', agents: [createAgent('a')], takesMocks: true, root: folder, t: fillPlaceholders };
					const { suite: read, faults } = await readSuite(text, file, context);
					assert.equal(
						read === undefined,
						faults.some(({ severity }) => severity === 'error'),
					);
					for (const fault of faults) {
						assert.ok(
							fault.message.length > 0 && !/undefined|\[object|\{\d\}/.test(fault.message.replaceAll(/“[^”]*”|'.*'/gs, '')),
							fault.message,
						);
						const owner = fault.file === file ? text : fs.readFileSync(fault.file, 'utf8');
						assert.ok(fault.offset >= 0 && fault.offset + fault.length <= Math.max(owner.length, 1) + 1, JSON.stringify(fault));
						assert.equal(fault.line, owner.slice(0, fault.offset).split('\n').length, JSON.stringify(fault));
					}
				},
			),
			{ numRuns: fuzzRuns },
		);
	});

	it('has datasets of any text, whose rows are read or reported as problems', async () => {
		const format = fc.constantFrom<DatasetFormat>('csv', 'tsv', 'jsonl', 'json');
		const text = fc.oneof(
			fc.string(),
			fc
				.array(fc.constantFrom('"', ',', '\n', '\r\n', '\t', 'a', '{', '}', '[', ']', '{"a":1}', '\\', ' ', '\uFEFF', ':'))
				.map(parts => parts.join('')),
			fc.json(),
		);
		const file = path.join(folder, 'any');
		await fc.assert(
			fc.asyncProperty(format, text, async (kind, content) => {
				fs.writeFileSync(file, content);
				let count = 0;
				try {
					for await (const row of readDatasetRows({ file, root: folder, format: kind }, fillPlaceholders)) {
						assert.equal(row.row, ++count);
						// the CSV parser accepts different line endings in one table
						const most = content.includes('\r') ? 2 * content.length + 1 : content.split('\n').length;
						assert.ok(row.line >= 1 && row.line <= most, `${row.line} of ${JSON.stringify(content)}`);
					}
				} catch (error) {
					assert.ok(error instanceof DatasetError, String(error));
				}
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('has tables that are read as they were written', async () => {
		const file = path.join(folder, 'table');
		const cell = fc.string().filter(text => !text.includes('\r'));
		await fc.assert(
			fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 8 }), async rows => {
				const quoteCell = (text: string) => `"${text.replaceAll('"', '""')}"`;
				fs.writeFileSync(file, `a,b\n${rows.map(row => `${row.map(quoteCell).join(',')}\n`).join('')}`);
				const read: unknown[] = [];
				for await (const row of readDatasetRows({ file, root: folder, format: 'csv' }, fillPlaceholders)) {
					read.push('values' in row ? [row.values['a'], row.values['b']] : row.problem);
				}
				assert.deepEqual(read, rows);
				fs.writeFileSync(file, JSON.stringify(rows.map(([a, b]) => ({ a, b }))));
				const list: unknown[] = [];
				for await (const row of readDatasetRows({ file, root: folder, format: 'json' }, fillPlaceholders)) {
					list.push('values' in row ? [row.values['a'], row.values['b']] : row.problem);
				}
				assert.deepEqual(list, rows);
			}),
			{ numRuns: fuzzRuns },
		);
	});

	it('has paths that lead to a value or to nothing', () => {
		fc.assert(
			fc.property(fc.string(), fc.jsonValue(), (text, value) => {
				getValueAtPath(value, parseValuePath(text) ?? []);
			}),
			{ numRuns: fuzzRuns },
		);
	});
});
