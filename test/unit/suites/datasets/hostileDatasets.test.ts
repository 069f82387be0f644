import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fillPlaceholders } from '#base/text/fillPlaceholders.ts';
import { DatasetError } from '#suites/datasets/datasetRow.ts';
import { detectDatasetFormat, readDatasetRows } from '#suites/datasets/datasetRows.ts';

describe('reading hostile datasets', () => {
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

	it('with many columns, broken rows or much white space does not block the thread', async () => {
		const columns = Array.from({ length: 60_000 }, (_, at) => `column${at}`).join(',');
		const hostile: Record<string, string> = {
			'wide.csv': `${columns}\n${columns}\n`,
			'broken.csv': `a,b\n${'x"y,z\n'.repeat(60_000)}`,
			'blank.json': `[${Array.from({ length: 60 }, () => ' '.repeat(32_000) + '1'.repeat(32_000)).join(',')}]`,
		};
		for (const [name, text] of Object.entries(hostile)) {
			const started = performance.now();
			let longest = 0;
			let last = started;
			const ticking = setInterval(() => {
				longest = Math.max(longest, performance.now() - last);
				last = performance.now();
			}, 5);
			const file = path.join(folder, name);
			fs.writeFileSync(file, text);
			for await (const _ of readDatasetRows({ file, root: folder, format: detectDatasetFormat(name)! }, fillPlaceholders)) {
				// only the time counts
			}
			clearInterval(ticking);
			longest = Math.max(longest, performance.now() - last);
			assert.ok(longest < 2_500, `${name}: the event loop waited ${Math.round(longest)} ms`);
			assert.ok(performance.now() - started < 15_000, `${name}: ${Math.round(performance.now() - started)} ms`);
		}
	});

	it('reports rows that are nested too deeply or too long, and continues', async () => {
		const deep = `{"id":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
		const long = `{"id":"${'x'.repeat(17 * 1024 * 1024)}"}`;
		const problems = ['The row is nested too deeply. The limit is 500 levels.', 'The row is too long. The limit is 16777216 characters.'];
		const lines = await readRows('d.jsonl', `{"id":1}\n${deep}\n${long}\n{"id":2}\n`);
		assert.deepEqual(lines, [
			[1, { id: 1 }],
			[2, problems[0]],
			[3, problems[1]],
			[4, { id: 2 }],
		]);
		const list = await readRows('d.json', `[{"id":1},\n${deep},\n${long},\n{"id":2}]`);
		assert.deepEqual(list, [
			[1, { id: 1 }],
			[2, problems[0]],
			[3, problems[1]],
			[4, { id: 2 }],
		]);
	});

	it('stops once at an endless CSV row', async () => {
		await assert.rejects(
			readRows('d.csv', `id\n1\n"${'x'.repeat(17 * 1024 * 1024)}`),
			(error: unknown) =>
				error instanceof DatasetError &&
				error.line === 3 &&
				error.message === 'The row on this line has more than 16777216 characters. Check for a missing closing quote.',
		);
	});

	it("doesn't block the event loop while it yields many empty rows", async () => {
		const file = path.join(folder, 'empty.csv');
		fs.writeFileSync(file, `id\n1\n${'\n'.repeat(300_000)}2\n`);
		let turns = 0;
		let turn: NodeJS.Immediate | undefined;
		const countTurns = () => {
			turns++;
			turn = setImmediate(countTurns);
		};
		for await (const { row } of readDatasetRows({ file, root: folder, format: 'csv' }, fillPlaceholders)) {
			if (row === 2) {
				turn = setImmediate(countTurns);
			} else if (row === 300_000) {
				clearImmediate(turn);
			}
		}
		assert.ok(turns > 2, String(turns));
	});
});
