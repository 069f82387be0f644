import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ShownBatch } from '#editor/suites/results/shownBatch.ts';
import { type CellFilter, firstListing, type ResultRow } from '#pages/results/resultsMessages.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { createResult } from '../../../cli/reports/results.ts';

const names = ['now', 'short', 'long'];
type Outcome = CaseResult['outcome'] | readonly [passed: number, runs: number];

/** Creates the result of a case in a variant. */
function createCell(at: number, variant: number, outcome: Outcome): CaseResult {
	const [passed, runs] = typeof outcome === 'string' ? [Number(outcome === 'passed'), 1] : outcome;
	const { run: _, ...result } = createResult({
		ordinal: at * names.length + variant,
		name: `case ${at}`,
		variant: names[variant]!,
		outcome: typeof outcome === 'string' ? outcome : passed === runs ? 'passed' : 'failed',
		score: passed / runs,
		outputs: { text: `\n${names[variant]} said ${at}\nand more` },
		...(runs > 1 && { repeated: { runs, passed } }),
	});
	return outcome === 'not-run' ? result : { ...result, run: { status: 'succeeded', seconds: 1, tokens: 1, steps: 1 } };
}

describe('the table of a comparison', () => {
	let file: string;
	beforeEach(() => {
		file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'aw-matrix-')), 'one.jsonl');
	});
	afterEach(() => fs.rmSync(path.dirname(file), { recursive: true }));

	const writeResults = (results: readonly CaseResult[]) => {
		const matrix = { names, baseline: 'now', cached: false };
		const head = { version: 1, suite: '/s', fingerprint: 'f', connection: 'c', startedAt: 0, matrix };
		fs.writeFileSync(file, [{ head }, ...results.map(result => ({ result }))].map(line => `${JSON.stringify(line)}\n`).join(''));
	};
	const openBatch = () => ShownBatch.openBatch(file, firstListing, undefined, 1);
	const listNames = (rows: readonly ResultRow[]) => rows.map(row => (row.kind === 'cells' ? row.name : row.kind));

	it('has a row for each case in the order of the suite, with a cell for each variant', async () => {
		writeResults([createCell(1, 0, 'passed'), createCell(0, 2, [4, 5]), createCell(0, 0, 'passed'), createCell(0, 1, 'failed')]);
		const batch = await openBatch();
		const rows = await batch.readRows(0, batch.count);
		assert.deepEqual(listNames(rows), ['case 0', 'case 1']);
		assert.deepEqual(rows[0]?.kind === 'cells' && rows[0].cells, [
			{ id: '0', outcome: 'passed', score: 1, text: 'now said 0' },
			{ id: '1', outcome: 'failed', score: 0, text: 'short said 0' },
			{ id: '2', outcome: 'failed', score: 0.8, repeated: { runs: 5, passed: 4 }, text: 'long said 0' },
		]);
		assert.deepEqual(rows[1]?.kind === 'cells' && rows[1].cells.map(cell => cell?.id), ['3', undefined, undefined]);
	});

	it('adds a cell to a row that is shown already', async () => {
		writeResults([createCell(0, 0, 'passed')]);
		const batch = await openBatch();
		const { generation } = batch;
		fs.appendFileSync(file, `${JSON.stringify({ result: createCell(0, 1, 'passed') })}\n`);
		await batch.readNewResults();
		assert.equal(batch.count, 1);
		assert.ok(batch.generation > generation, 'the page keeps the row without the cell');
	});

	it('filters cases that differ, are worse than the baseline, or are flaky, and counts them', async () => {
		const outcomes: readonly (readonly Outcome[])[] = [
			['passed', 'passed', 'passed'],
			['passed', 'failed', 'passed'],
			['failed', 'failed', 'passed'],
			[
				[5, 5],
				[5, 5],
				[4, 5],
			],
			['not-run', 'passed', 'passed'],
			['passed', 'not-run', 'passed'],
		];
		writeResults(outcomes.flatMap((line, at) => line.map((outcome, variant) => createCell(at, variant, outcome))));
		const batch = await openBatch();
		const summary = await batch.summarizeVariants();
		assert.deepEqual(summary?.counts, { differs: 3, worse: 2, flaky: 1 });
		assert.deepEqual(
			summary?.columns.map(({ name, isBaseline, cases, versus }) => [name, isBaseline, cases, versus?.verdict]),
			[
				['now', true, 5, undefined],
				['short', false, 5, 'too-few'],
				['long', false, 6, 'too-few'],
			],
		);
		const filter = async (...cells: readonly CellFilter[]) => {
			await batch.setListing({ ...firstListing, cells: [...cells] });
			return listNames(await batch.readRows(0, batch.count));
		};
		assert.deepEqual(await filter('differs'), ['case 1', 'case 2', 'case 3']);
		assert.deepEqual(await filter('worse'), ['case 1', 'case 3']);
		assert.deepEqual(await filter('worse', 'flaky'), ['case 3']);
		await batch.setListing({ ...firstListing, text: 'long said 4' });
		assert.deepEqual(listNames(await batch.readRows(0, batch.count)), ['case 4']);
	});
});
