import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CommentReport } from '#cli/reports/commentReport.ts';
import { ReportFile } from '#cli/reports/reportFile.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';
import { createFailedCheck, createResult, createSuiteNamed, createSummary, place } from './results.ts';

describe('the comment on a pull request', () => {
	let folder: string;

	before(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'comment-test-'));
	});
	after(() => fs.rmSync(folder, { recursive: true }));

	async function writeComment(results: readonly CaseResult[], passed: boolean, reasons: readonly string[] = []): Promise<string> {
		const file = path.join(folder, 'comment.md');
		const report = new CommentReport(await ReportFile.openFile('comment', file));
		const failed = results.filter(({ outcome }) => outcome === 'failed').length;
		await report.startSuite(createSuiteNamed('support'), createSummary({ passed: 3, failed, notRun: 0, seconds: 2, cost: 0 }));
		for (const result of results) {
			await report.onResult(result);
		}
		await report.endSuite();
		await report.onVerdict({ passed, reasons });
		await report.close();
		return fs.readFileSync(file, 'utf8');
	}

	it('starts with a hidden marker and the verdict, and lists no cases if all passed', async () => {
		assert.deepEqual((await writeComment([createResult()], true)).split('\n'), [
			'<!-- agent-workbench test -->',
			'### ✅ Agent tests passed',
			'',
			'| suite | passed | failed | not run | rate | time | cost |',
			'|---|--:|--:|--:|--:|--:|--:|',
			'| ✅ support | 3 | 0 | 0 | 100.0 % | 2.00 s |  |',
			'',
		]);
	});

	it("isn't passed if a suite or rows couldn't be read", async () => {
		const file = path.join(folder, 'unread.md');
		const report = new CommentReport(await ReportFile.openFile('comment', file));
		await report.onFaults([{ ...place, code: 'wrong-type', path: [], severity: 'error', message: 'Expected a list.' }]);
		await report.startSuite(createSuiteNamed('support'), createSummary({ cases: 0, passed: 0, faults: 2 }));
		await report.endSuite();
		await report.onVerdict({ passed: false, reasons: [] });
		await report.close();
		const text = fs.readFileSync(file, 'utf8');
		assert.match(text, /^### ❌ Agent tests failed$/m);
		assert.match(text, /^- suites\/s\.suite\.json&#58;7&#58; Expected a list\.$/m);
		assert.match(text, /^- support&#58; 2 rows couldn't be read\.$/m);
	});

	it('lists the 20 worst cases, failed ones before those that could not run, and why the gate is not passed', async () => {
		const failed = Array.from({ length: 24 }, (_, at) =>
			createResult({ name: `case ${at}`, outcome: 'failed', score: (24 - at) / 25, checks: [createFailedCheck()] }),
		);
		const notRun = createResult({ name: 'gone', outcome: 'not-run', score: 0, fault: 'No model' });
		const text = await writeComment([notRun, ...failed], false, ['pass_rate: 11.1 % passed, expected at least 95.0 %.']);
		assert.match(text, /^### ❌ Agent tests failed$/m);
		assert.match(text, /^- support&#58; pass&#95;rate/m);
		const rows = text.split('\n').filter(line => line.startsWith('| support '));
		assert.deepEqual([rows.length, rows[0]!.split(' | ')[1], rows.at(-1)!.split(' | ')[1]], [20, 'case 23', 'case 4']);
		assert.match(text, /^… and 5 more\.$/m);
	});

	it('fits into a comment whatever the names and messages of cases contain', async () => {
		const name = `<img src=x> @team ${'|'.repeat(10_000)}`;
		const results = Array.from({ length: 200 }, () =>
			createResult({ name, outcome: 'failed', checks: [createFailedCheck({ message: name })] }),
		);
		const text = await writeComment(
			results,
			false,
			Array.from({ length: 300 }, () => 'a reason'),
		);
		assert.ok(text.length < 65_536, String(text.length));
		assert.ok(!/<img|@team/.test(text));
	});

	it('fits with many suites, and shows the failed ones first', async () => {
		const file = path.join(folder, 'many.md');
		const report = new CommentReport(await ReportFile.openFile('comment', file));
		const hostile = '|'.repeat(1_000);
		for (let at = 0; at < 80; at++) {
			await report.startSuite(createSuiteNamed(`suite ${at} ${at % 2 === 0 ? hostile : ''}`), createSummary());
			for (let each = 0; each < 20; each++) {
				await report.onResult(createResult({ name: hostile, outcome: 'failed', checks: [createFailedCheck({ message: hostile })] }));
			}
			await report.endSuite();
			await report.onVerdict({ passed: at < 79, reasons: at < 79 ? [] : [hostile, 'required: one.'] });
		}
		await report.close();
		const text = fs.readFileSync(file, 'utf8');
		assert.ok(text.length < 65_536, String(text.length));
		assert.match(text, /^### ❌ Agent tests failed$/m);
		assert.match(text, /^\| ❌ suite 79 /m);
		assert.match(text, /^- suite 79 &#58; required&#58; one/m);
		assert.match(text, /^… and \d+ more\.$/m);
	});
});
