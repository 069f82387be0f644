import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { JSDOM } from 'jsdom';
import { parse } from 'junit2json';
import { JunitReport } from '#cli/reports/junitReport.ts';
import { ReportFile } from '#cli/reports/reportFile.ts';
import { createFailedCheck, createResult, createSuiteNamed, createSummary, hostileTexts, place } from './results.ts';

describe('the JUnit report', () => {
	let folder: string;
	let file: string;

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'junit-'));
		file = path.join(folder, 'out.xml');
	});

	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const readReport = async () => {
		const text = fs.readFileSync(file, 'utf8');
		const { document } = new JSDOM(text, { contentType: 'application/xml' }).window;
		assert.equal(document.querySelector('parsererror'), null);
		return {
			text,
			document,
			suites: ((await parse(text)) as { testsuite?: { [field: string]: unknown; testcase?: Record<string, unknown>[] }[] }).testsuite ?? [],
		};
	};

	it('has an error for each suite that could not be read, and a failure for a gate that is not passed', async () => {
		const report = new JunitReport(await ReportFile.openFile('junit', file));
		const fault = { ...place, code: 'no-case' as const, severity: 'error' as const, path: [] };
		await report.onFaults([
			{ ...fault, file: '/suites/broken.suite.json', message: 'The file is empty.' },
			{ ...fault, file: '/suites/broken.suite.json', message: 'a < b' },
		]);
		await report.startSuite(createSuiteNamed('tickets'), createSummary());
		await report.onResult(createResult({ name: 'good' }));
		await report.endSuite();
		await report.onVerdict({ reasons: ['cost: 0.0120 per case, expected at most 0.0110.'] });
		await report.close();
		const { suites, document } = await readReport();
		assert.deepEqual(
			suites.map(({ tests, failures, errors }) => ({ tests, failures, errors })),
			[
				{ tests: 1, failures: 0, errors: 1 },
				{ tests: 1, failures: 0, errors: 0 },
				{ tests: 1, failures: 1, errors: 0 },
			],
		);
		assert.match(document.querySelector('error')!.textContent!, /broken\.suite\.json:\d+: The file is empty\.\n.*: a < b$/);
		assert.match(document.querySelector('failure')!.getAttribute('message')!, /^cost: 0\.0120 per case/);
	});

	it('has suites, cases, failures and errors that a JUnit parser can read', async () => {
		const report = new JunitReport(await ReportFile.openFile('junit', file));
		await report.startSuite(createSuiteNamed('tickets'), createSummary({ cases: 3, passed: 1, failed: 1, notRun: 1 }));
		await report.onResult(createResult({ name: 'good', run: { id: 'run-1', status: 'succeeded', seconds: 1, tokens: 0, steps: 1 } }));
		await report.onResult(
			createResult({
				name: 'bad',
				outcome: 'failed',
				checks: [createFailedCheck({ expected: 'a'.repeat(100) }), createFailedCheck({ name: 'second' })],
			}),
		);
		await report.onResult(createResult({ name: 'lost', outcome: 'not-run', fault: 'The service was not reached.' }));
		await report.endSuite();
		await report.startSuite(createSuiteNamed('empty'), createSummary({ cases: 0 }));
		await report.endSuite();
		await report.close();
		const { suites } = await readReport();
		assert.deepEqual(
			suites.map(({ name, tests, failures, errors, time }) => ({ name, tests, failures, errors, time })),
			[
				{ name: 'tickets', tests: 3, failures: 1, errors: 1, time: 1.5 },
				{ name: 'empty', tests: 0, failures: 0, errors: 0, time: 1.5 },
			],
		);
		const [good, bad, lost] = suites[0]!.testcase!;
		assert.deepEqual([good!['name'], good!['classname'], good!['time']], ['good', 'tickets', 0.25]);
		assert.match(JSON.stringify(good!['system-out']), /run run-1/);
		const [failure] = bad!['failure'] as { message: string; type: string; inner: string }[];
		assert.equal(failure!.message, 'output a equals: it is "b" (and 1 more)');
		assert.equal(failure!.type, 'equals');
		assert.match(failure!.inner, /suites\/s\.suite\.json:7: output a equals: it is "b"\n {2}expected: "a+"\n {2}actual: {3}"b"/);
		const [error] = lost!['error'] as { message: string }[];
		assert.equal(error!.message, 'The service was not reached.');
	});

	it("has an error for rows that couldn't be read", async () => {
		const report = new JunitReport(await ReportFile.openFile('junit', file));
		await report.startSuite(createSuiteNamed('tickets'), createSummary({ faults: 2 }));
		await report.onResult(createResult());
		await report.endSuite();
		await report.close();
		const { suites, document } = await readReport();
		assert.deepEqual([suites[0]!['tests'], suites[0]!['errors']], [2, 1]);
		assert.equal(document.querySelector('testcase > error')?.getAttribute('message'), "2 rows couldn't be read");
	});

	for (const [what, hostile] of Object.entries(hostileTexts)) {
		it(`stays valid with ${what} in names, messages and values`, async () => {
			const report = new JunitReport(await ReportFile.openFile('junit', file));
			await report.startSuite(createSuiteNamed(hostile), createSummary());
			await report.onResult(
				createResult({
					name: hostile,
					outcome: 'failed',
					place: { ...place, file: path.join(folder, hostile.replaceAll('\0', '').slice(0, 50)) },
					checks: [createFailedCheck({ name: hostile, message: hostile, expected: hostile, actual: { [hostile]: hostile } })],
					run: { id: hostile, status: hostile, error: hostile, seconds: 0, tokens: 0, steps: 0 },
				}),
			);
			await report.endSuite();
			await report.close();
			const { document, suites } = await readReport();
			assert.equal(document.querySelectorAll('testcase').length, 1);
			assert.equal(document.querySelectorAll('failure').length, 1);
			assert.equal(suites.length, 1);
			// XML allows all other characters, so they must be unchanged
			if (!/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(hostile) && hostile.isWellFormed()) {
				assert.equal(document.querySelector('testcase')!.getAttribute('name'), hostile);
			}
		});
	}

	it('writes 100,000 results without keeping them in memory', async () => {
		const report = new JunitReport(await ReportFile.openFile('junit', file));
		await report.startSuite(createSuiteNamed('many'), createSummary({ cases: 100_000, failed: 100_000 }));
		let reported = 0;
		for (let i = 0; i < 100_000; i++) {
			await report.onResult(
				createResult({ ordinal: i, name: `row ${i}`, outcome: 'failed', checks: [createFailedCheck({ actual: 'x'.repeat(1000) })] }),
			);
			reported += 1000;
			if (i % 10_000 === 0) {
				const held = reported - fs.statSync(file).size;
				assert.ok(held < 100_000, `${held} characters are held`);
			}
		}
		await report.endSuite();
		await report.close();
		assert.match(fs.readFileSync(file, 'utf8').slice(-60), /<\/testcase>\n<\/testsuite>\n<\/testsuites>\n$/);
	});

	it("fails before anything runs if it can't be written, and says why", async () => {
		fs.writeFileSync(path.join(folder, 'file'), '');
		await assert.rejects(ReportFile.openFile('junit', folder), {
			name: 'CliFault',
			message: `--junit ${folder}: couldn't write the file: it's a folder.`,
		});
		const below = path.join(folder, 'file', 'out.xml');
		await assert.rejects(ReportFile.openFile('junit', below), /a file stands where its folder should be|EEXIST/);
		await (await ReportFile.openFile('junit', path.join(folder, 'new', 'deep', 'out.xml'))).close();
	});
});
