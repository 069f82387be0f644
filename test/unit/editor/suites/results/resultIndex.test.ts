import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ResultIndex } from '#editor/suites/results/resultIndex.ts';
import { ResultSearch } from '#editor/suites/results/resultSearch.ts';
import { ShownBatch } from '#editor/suites/results/shownBatch.ts';
import { firstListing } from '#pages/results/resultsMessages.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { Baseline } from '#suites/results/comparison.ts';

const createResult = (ordinal: number, more: Partial<CaseResult> = {}): CaseResult => ({
	ordinal,
	name: `case ${ordinal}`,
	place: { file: '/s.suite.json', offset: 0, length: 1, line: 1, column: 1 },
	outcome: 'passed',
	score: 1,
	run: { id: `run ${ordinal}`, status: 'succeeded', seconds: ordinal, tokens: 10, steps: 1 },
	inputs: { text: `the ${ordinal}. “text” ü` },
	outputs: { said: ordinal },
	checks: [],
	startedAt: 0,
	seconds: ordinal,
	...more,
});
const place = createResult(0).place;
const createFailedResult = (ordinal: number, name: string): CaseResult =>
	createResult(ordinal, { outcome: 'failed', score: 0, checks: [{ kind: 'equals', name, passed: false, score: 0, weight: 1, place }] });
const formatLine = (result: CaseResult) => `${JSON.stringify({ result })}\n`;
const head = `${JSON.stringify({ head: { version: 1, suite: '/s', fingerprint: 'f', connection: 'c', startedAt: 0 } })}\n`;

describe('ResultIndex', () => {
	let folder: string;
	let file: string;
	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aw-results-'));
		file = path.join(folder, 'one.jsonl');
	});
	afterEach(() => fs.rmSync(folder, { recursive: true }));

	it('reads new results as the file grows, and a partial line once it is complete', async () => {
		const whole = formatLine(createResult(1));
		fs.writeFileSync(file, head + formatLine(createResult(0)) + whole.slice(0, 30));
		const index = new ResultIndex(file, undefined);
		assert.equal(await index.updateIndex(), true);
		assert.equal(index.head?.connection, 'c');
		assert.deepEqual(
			index.entries.map(({ name }) => name),
			['case 0'],
		);
		assert.equal(await index.updateIndex(), false);
		fs.appendFileSync(file, whole.slice(30));
		await index.updateIndex();
		assert.deepEqual(await index.readResults(index.entries), [createResult(0), createResult(1)]);
	});

	it('counts a rerun case once, with its last result', async () => {
		fs.writeFileSync(file, head + formatLine(createFailedResult(0, 'a')) + formatLine(createResult(1)) + formatLine(createResult(0)));
		const index = new ResultIndex(file, undefined);
		await index.updateIndex();
		assert.deepEqual(
			index.entries.map(({ ordinal, outcome }) => [ordinal, outcome]),
			[
				[0, 'passed'],
				[1, 'passed'],
			],
		);
	});

	it('skips partial lines of a killed process', async () => {
		fs.writeFileSync(file, `${head}{"result":{"ordinal":\n${formatLine(createResult(1))}`);
		const index = new ResultIndex(file, undefined);
		await index.updateIndex();
		assert.deepEqual(
			index.entries.map(({ ordinal }) => ordinal),
			[1],
		);
	});

	it('lists results filtered, sorted and grouped', async () => {
		fs.writeFileSync(
			file,
			head + [createFailedResult(2, 'b'), createFailedResult(1, 'a'), createResult(3), createFailedResult(0, 'b')].map(formatLine).join(''),
		);
		const shown = await ShownBatch.openBatch(file, firstListing, undefined, 0);
		const listNames = async () =>
			(await shown.readRows(0, 10)).map(row => (row.kind === 'group' ? `${row.text || 'passed'} ${row.count}` : row.name));
		assert.deepEqual(await listNames(), ['case 0', 'case 1', 'case 2', 'case 3']);
		await shown.setListing({ ...firstListing, sort: 'seconds', descending: true, outcome: 'failed' });
		assert.deepEqual(await listNames(), ['case 2', 'case 1', 'case 0']);
		await shown.setListing({ ...firstListing, grouped: true });
		assert.deepEqual(await listNames(), ['b 2', 'case 0', 'case 2', 'a 1', 'case 1', 'passed 1', 'case 3']);
		await shown.toggleGroup('b');
		await shown.toggleGroup('');
		assert.deepEqual(await listNames(), ['b 2', 'a 1', 'case 1', 'passed 1']);
		await shown.toggleGroup('b');
		assert.deepEqual(await listNames(), ['b 2', 'case 0', 'case 2', 'a 1', 'case 1', 'passed 1']);
		await shown.setListing({ ...firstListing, text: 'THE 1. “text”' });
		assert.deepEqual(await listNames(), ['case 1']);
	});

	it('compares results with a baseline', async () => {
		const before = path.join(folder, 'before.jsonl');
		fs.writeFileSync(
			before,
			head + [createFailedResult(0, 'a'), createResult(1), createResult(2), createResult(3)].map(formatLine).join(''),
		);
		const now = [
			createResult(0),
			createFailedResult(1, 'a'),
			createResult(2, { outputs: { said: 'other' } }),
			createResult(3),
			createResult(4),
		];
		fs.writeFileSync(file, head + now.map(formatLine).join(''));
		const index = new ResultIndex(file, await Baseline.readResultFile(before));
		await index.updateIndex();
		assert.deepEqual(
			index.entries.map(({ change }) => change),
			['better', 'worse', 'changed', 'same', 'new'],
		);
	});

	it('reads the result of a row from the baseline that it is compared with, wherever the row was', async () => {
		const before = path.join(folder, 'before.jsonl');
		const createRow = (row: number, rowHash: string, said: string) =>
			createResult(row - 1, { name: `row ${row}`, row, rowHash, outputs: { said } });
		fs.writeFileSync(before, head + [createRow(1, 'a', 'alpha'), createRow(2, 'b', 'beta')].map(formatLine).join(''));
		fs.writeFileSync(file, head + [createRow(1, 'new', 'gamma'), createRow(2, 'a', 'Alpha')].map(formatLine).join(''));
		const shown = await ShownBatch.openBatch(file, firstListing, await Baseline.readResultFile(before), 0);
		const [first, second] = [await shown.readResult('0'), await shown.readResult('1')];
		assert.deepEqual(
			shown.entries.map(({ change }) => change),
			['new', 'changed'],
		);
		assert.equal(await shown.readBaselineResult(first!), undefined);
		assert.deepEqual((await shown.readBaselineResult(second!))?.outputs, { said: 'alpha' });
	});

	it('keeps only a few bytes for each of 100,000 results', async () => {
		const rows = Array.from({ length: 1000 }, (_, at) => formatLine(createResult(at))).join('');
		fs.writeFileSync(file, head);
		for (let thousand = 0; thousand < 100; thousand++) {
			fs.appendFileSync(
				file,
				rows.replaceAll(/"ordinal":(\d+)/g, (_whole, at: string) => `"ordinal":${thousand * 1000 + Number(at)}`),
			);
		}
		const shown = await ShownBatch.openBatch(file, firstListing, undefined, 0);
		// the first results are listed immediately, and later results don't move them
		assert.ok(shown.count > 100 && shown.count < 10_000 && !shown.isWhole, `${shown.count} rows`);
		const { generation } = shown;
		while (!shown.isWhole) {
			await shown.readNewResults();
		}
		assert.deepEqual([shown.count, shown.generation], [100_000, generation]);
		const [row] = await shown.readRows(99_999, 100_000);
		assert.equal(row?.id, '99999');
		await shown.setListing({ ...firstListing, sort: 'name', descending: true });
		const ends = [...(await shown.readRows(0, 2)), ...(await shown.readRows(99_998, 100_000))];
		// the list contains "case 0" to "case 999", each a hundred times
		assert.deepEqual(
			ends.map(each => (each.kind === 'case' ? each.name : '')),
			['case 999', 'case 999', 'case 0', 'case 0'],
		);
	});

	it('finds results that contain a text while the file grows, and checks changed results again', async () => {
		fs.writeFileSync(file, head + formatLine(createResult(0, { outputs: { said: 'needle' } })) + formatLine(createResult(1)));
		const shown = await ShownBatch.openBatch(file, { ...firstListing, text: 'NEEDLE' }, undefined, 0);
		const listIds = async () => (await shown.readRows(0, 10)).map(({ id }) => id);
		assert.deepEqual(await listIds(), ['0']);
		fs.appendFileSync(file, formatLine(createResult(0)) + formatLine(createResult(2, { name: 'a Needle' })));
		await shown.readNewResults();
		assert.deepEqual(await listIds(), ['2']);
	});

	it('finds text in lines that are longer than a chunk', async () => {
		const long = createResult(0, { outputs: { said: `${'x'.repeat(3 << 20)}needle` } });
		fs.writeFileSync(file, head + formatLine(long) + formatLine(createResult(1)));
		const shown = await ShownBatch.openBatch(file, { ...firstListing, text: 'needle' }, undefined, 0);
		assert.equal(shown.count, 1);
	});

	it('starts over if the file is replaced, as by a resumed batch that repeats some results', async () => {
		const unreached = createResult(0, { outcome: 'not-run', fault: 'no service', unreached: true });
		fs.writeFileSync(file, head + formatLine(unreached) + formatLine(createResult(1)) + formatLine(createResult(2)));
		const shown = await ShownBatch.openBatch(file, firstListing, undefined, 0);
		const { generation } = shown;
		fs.writeFileSync(`${file}.new`, head + formatLine(createResult(1)) + formatLine(createResult(2)) + formatLine(createResult(0)));
		fs.renameSync(`${file}.new`, file);
		const listRows = async () => (await shown.readRows(0, 10)).map(row => (row.kind === 'case' ? `${row.id} ${row.outcome}` : ''));
		assert.deepEqual(await listRows(), ['0 passed', '1 passed', '2 passed']);
		assert.ok(shown.generation > generation);
		assert.deepEqual(
			shown.entries.map(({ ordinal }) => ordinal),
			[1, 2, 0],
		);
	});

	it('starts over if the file gets shorter, and never shows one result as another', async () => {
		fs.writeFileSync(file, head + [0, 1, 2].map(at => formatLine(createResult(at))).join(''));
		const shown = await ShownBatch.openBatch(file, { ...firstListing, text: 'case' }, undefined, 0);
		assert.equal(shown.count, 3);
		// as long as the results before, but others
		const bytes = fs.readFileSync(file);
		fs.writeFileSync(file, bytes.toString().replaceAll('"ordinal":1', '"ordinal":7'));
		await assert.rejects(shown.readResult('1'), { name: 'ChangedResults' });
		fs.writeFileSync(file, head + formatLine(createResult(2)));
		await shown.readNewResults();
		assert.deepEqual(
			(await shown.readRows(0, 10)).map(({ id }) => id),
			['2'],
		);
		fs.truncateSync(file, 10);
		await shown.readNewResults();
		assert.equal(shown.count, 0);
	});

	it('ends a search of a file that is truncated meanwhile', async () => {
		fs.writeFileSync(file, head + formatLine(createResult(0)));
		const search = new ResultSearch(file);
		const size = fs.statSync(file).size + (1 << 20);
		fs.appendFileSync(file, '{"result":');
		const found = await search.findMatches('case', size, AbortSignal.timeout(2_000));
		assert.deepEqual(found && [...found], [head.length]);
	});

	it('skips damaged results', async () => {
		const lines = [{}, { ordinal: 1 }, { ...createResult(2), checks: [{}] }, { ...createResult(3), score: null }].map(result => ({
			result,
		}));
		fs.writeFileSync(file, head + [...lines, null, 5].map(line => `${JSON.stringify(line)}\n`).join('') + formatLine(createResult(4)));
		const shown = await ShownBatch.openBatch(file, firstListing, undefined, 0);
		assert.deepEqual(
			(await shown.readRows(0, 10)).map(({ id }) => id),
			['1', '4'],
		);
	});

	it('shows costs with the currency of the service', async () => {
		const run = { ...createResult(0).run!, cost: 0.00123456, currency: 'EUR' };
		fs.writeFileSync(file, head + formatLine(createResult(0, { run })) + formatLine(createResult(1)));
		const shown = await ShownBatch.openBatch(file, { ...firstListing, sort: 'cost', descending: true }, undefined, 0);
		const costs = (await shown.readRows(0, 10)).map(row => (row.kind === 'case' ? row.cost : ''));
		assert.deepEqual(costs, ['0.001235 EUR', '']);
	});
});
