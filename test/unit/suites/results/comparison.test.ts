import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { Baseline } from '#suites/results/comparison.ts';
import { readCaseLines, readResultFileState, readResults } from '#suites/results/resultFile.ts';
import { ResultJournal } from '#suites/results/resultJournal.ts';

function createResult(name: string, parts: Partial<CaseResult> = {}): CaseResult {
	const place = { file: '/a', offset: 0, length: 0, line: 1, column: 1 };
	return {
		ordinal: 0,
		name,
		place,
		outcome: 'passed',
		score: 1,
		inputs: {},
		outputs: { text: 'a' },
		checks: [],
		startedAt: 0,
		seconds: 1,
		...parts,
	};
}

describe('result files', () => {
	let file: string;
	const head = { version: 1, suite: '/a.suite.json', fingerprint: 'f', connection: 'local', startedAt: 1 } as const;

	beforeEach(() => {
		file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'results-test-')), 'a.jsonl');
	});
	afterEach(() => fs.rmSync(path.dirname(file), { recursive: true }));

	it("are read without lines that aren't results", async () => {
		const lines = [
			{ head },
			{ result: null },
			{ result: 1 },
			{ result: {} },
			{ summary: null },
			{ head: null, result: {} },
			{ result: createResult('one') },
		];
		fs.writeFileSync(file, lines.map(line => `${JSON.stringify(line)}\n`).join(''));
		const baseline = await Baseline.readResultFile(file);
		assert.equal(baseline.compareResult(createResult('one')), 'same');
		assert.equal((await readResultFileState(file))?.count, 1);
	});

	it('are compared with a baseline: better, worse, changed, same and new', async () => {
		const journal = await ResultJournal.createFile(file, head);
		await journal.appendResult(createResult('same'));
		await journal.appendResult(createResult('changed'));
		await journal.appendResult(createResult('better', { outcome: 'failed', score: 0.5 }));
		await journal.appendResult(createResult('worse'));
		await journal.appendResult(createResult('row', { row: 1, score: 0.1 + 0.2 }));
		await journal.appendResult(createResult('row', { row: 2 }));
		await journal.appendResult(createResult('gone'));
		await journal.close();
		const baseline = await Baseline.readResultFile(file);
		const changes = [
			createResult('same', { seconds: 9 }),
			createResult('changed', { outputs: { text: 'b' } }),
			createResult('better'),
			createResult('worse', { outcome: 'not-run' }),
			createResult('row', { row: 1, score: 0.3 }),
			createResult('row', { row: 2, score: 0.9 }),
			createResult('new'),
		].map(each => baseline.compareResult(each));
		assert.deepEqual(changes, ['same', 'changed', 'better', 'worse', 'same', 'worse', 'new']);
		assert.deepEqual(baseline.listMissingCases(), ['gone']);
	});

	it('are compared row by row, wherever a row is now', async () => {
		const toRow = (row: number, rowHash: string, more: Partial<CaseResult> = {}) => createResult(`row ${row}`, { row, rowHash, ...more });
		const journal = await ResultJournal.createFile(file, head);
		await journal.appendResult(toRow(1, 'alpha'));
		await journal.appendResult(toRow(2, 'beta', { outcome: 'failed', score: 0 }));
		await journal.appendResult(toRow(3, 'twice', { outcome: 'failed', score: 0 }));
		await journal.appendResult(toRow(4, 'twice'));
		await journal.appendResult(createResult('refund', { row: 5, rowHash: 'old text' }));
		await journal.appendResult(createResult('order', { row: 6, rowHash: 'one order' }));
		await journal.appendResult(createResult('order', { row: 7, rowHash: 'other order', outcome: 'failed', score: 0 }));
		await journal.close();
		const baseline = await Baseline.readResultFile(file);
		const changes = [
			toRow(1, 'added'),
			toRow(2, 'alpha'),
			toRow(3, 'twice'),
			toRow(4, 'twice'),
			toRow(5, 'beta'),
			createResult('refund', { row: 8, rowHash: 'new text', outcome: 'failed', score: 0 }),
			createResult('refund', { row: 9, rowHash: 'another refund', outcome: 'failed', score: 0 }),
			createResult('order', { row: 10, rowHash: 'one order' }),
			createResult('order', { row: 7, rowHash: 'third order' }),
		].map(each => baseline.compareResult(each));
		assert.deepEqual(changes, ['new', 'same', 'better', 'same', 'better', 'worse', 'new', 'same', 'new']);
		assert.deepEqual(baseline.listMissingCases(), ['order']);
	});

	it('of older versions are compared by the number of a row', async () => {
		const journal = await ResultJournal.createFile(file, head);
		await journal.appendResult(createResult('row 1', { row: 1 }));
		await journal.appendResult(createResult('row 2', { row: 2, outcome: 'failed' }));
		await journal.close();
		const baseline = await Baseline.readResultFile(file);
		const rows = [1, 2, 3].map(row => createResult(`row ${row}`, { row, rowHash: `${row}` }));
		assert.deepEqual(
			rows.map(each => baseline.compareResult(each)),
			['same', 'better', 'new'],
		);
	});

	it("contain a result before it's reported, also with many at once", async () => {
		const journal = await ResultJournal.createFile(file, head);
		await Promise.all(
			Array.from({ length: 200 }, async (_, ordinal) => {
				await journal.appendResult(createResult(`${ordinal}`, { ordinal }));
				assert.ok(fs.readFileSync(file, 'utf8').includes(`"ordinal":${ordinal},`), String(ordinal));
			}),
		);
		await journal.close();
		assert.deepEqual(await readResultFileState(file), { head, summary: undefined, count: 200 });
		const lines = [];
		for await (const line of readCaseLines(file, 7)) {
			lines.push(line);
		}
		assert.deepEqual(lines, [{ head }, { result: createResult('7', { ordinal: 7 }) }]);
	});

	it('keep a result whose text has line separators other than the line feed', async () => {
		const journal = await ResultJournal.createFile(file, head);
		const text = 'one\u2028two\u2029three\rfour\u0085five';
		await journal.appendResult(createResult('a', { outputs: { text } }));
		await journal.appendResult(createResult('b', { outputs: { text: 'x'.repeat(200_000) } }));
		await journal.close();
		const lengths: number[] = [];
		for await (const { outputs } of readResults(file)) {
			lengths.push(String(outputs['text']).length);
		}
		assert.deepEqual(lengths, [text.length, 200_000]);
	});

	it('are distinguished from other files', async () => {
		fs.writeFileSync(file, '{"a":1}\nhello\n');
		assert.equal(await readResultFileState(file), undefined);
		await assert.rejects(readResultFileState(`${file}.no`), /ENOENT/);
	});
});
