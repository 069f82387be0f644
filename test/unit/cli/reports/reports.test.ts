import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { toJsonLine, toPlainLine } from '#cli/output.ts';
import { ClosingReport } from '#cli/reports/closingReport.ts';
import { formatPosition } from '#cli/reports/failureText.ts';
import { formatGithubLine } from '#cli/reports/githubLines.ts';
import { JsonReport } from '#cli/reports/jsonReport.ts';
import { MarkdownReport } from '#cli/reports/markdownReport.ts';
import { ReportFile } from '#cli/reports/reportFile.ts';
import { toResultLine } from '#suites/results/resultFile.ts';
import { createFailedCheck, createResult, createSuiteNamed, createSummary, hostileTexts, place } from './results.ts';

describe('GitHub annotations', () => {
	it('are workflow commands with file, line, title and message', () => {
		assert.equal(
			formatGithubLine(
				{ level: 'error', file: '/w/a b/s.suite.json', line: 3, column: 5, title: 'tickets › one', message: '50% is: a, b' },
				'/w',
			),
			'::error file=a b/s.suite.json,line=3,col=5,title=tickets › one::50%25 is: a, b\n',
		);
		assert.equal(
			formatGithubLine({ level: 'warning', file: '/w/x.yml', line: 0, title: 'T', message: 'm' }, '/w'),
			'::warning file=x.yml,title=T::m\n',
		);
	});

	for (const [what, hostile] of Object.entries(hostileTexts)) {
		it(`are a single line and a single command, even with ${what}`, () => {
			const line = formatGithubLine({ level: 'error', file: `/w/${hostile}`, line: 1, title: hostile, message: hostile }, '/w');
			assert.equal(line.split(/[\r\n]/).length, 2);
			assert.doesNotMatch(line.slice(0, line.indexOf('title=')), /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e]/);
			const [, properties = '', message = ''] = /^::error (.*?)::(.*)\n$/s.exec(line)!;
			assert.deepEqual(
				properties.split(',').map(property => property.split('=')[0]),
				['file', 'line', 'title'],
			);
			const decodeText = (text: string) =>
				text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%3A', ':').replaceAll('%2C', ',').replaceAll('%25', '%');
			assert.equal(decodeText(message), hostile);
		});
	}
});

describe('untrusted text on the console', () => {
	it('includes names of files', () => {
		for (const hostile of Object.values(hostileTexts)) {
			const shown = formatPosition({ file: path.resolve(`${hostile}.suite.json`), line: 1, column: 1, offset: 0, length: 0 });
			assert.equal(shown, toPlainLine(shown));
		}
	});

	for (const [what, hostile] of Object.entries(hostileTexts)) {
		it(`is put on one line without cursor movements: ${what}`, () => {
			assert.doesNotMatch(toPlainLine(hostile), /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|##\[/);
		});
	}

	for (const [text, expected] of [
		['::error file=a::b', ': :error file=a::b'],
		['  ::stop-commands::x', '  : :stop-commands::x'],
		['a::b', 'a::b'],
	] as const) {
		it(`doesn't start with a workflow command: ${text}`, () => assert.equal(toPlainLine(text), expected));
	}
});

describe('a line of JSON', () => {
	it('contains no workflow command, and parses to the same value', () => {
		const value = { answer: '##vso[task.setvariable]x ####[group]', '##[x]': 1 };
		const line = toJsonLine(value);
		assert.doesNotMatch(line, /##/);
		assert.deepEqual(JSON.parse(line), value);
	});

	it('contains no characters that a terminal obeys, also with an indent', () => {
		const value = { '##vso[x]': Object.values(hostileTexts), '\u009b2J': '\u009b31m \u202e \u2066 \u2028 \u007f' };
		for (const indent of [undefined, 2]) {
			const text = toJsonLine(value, indent);
			assert.doesNotMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]|##/);
			assert.deepEqual(JSON.parse(text), value);
		}
	});
});

describe('the job summary', () => {
	let folder: string;

	beforeEach(() => {
		folder = fs.mkdtempSync(path.join(os.tmpdir(), 'markdown-'));
	});

	afterEach(() => fs.rmSync(folder, { recursive: true }));

	const writeReport = async (fill: (report: MarkdownReport) => Promise<void>, append = false): Promise<string> => {
		const file = path.join(folder, 'summary.md');
		const report = new MarkdownReport(await ReportFile.openFile('markdown', file, { append }));
		await fill(report);
		await report.close();
		return fs.readFileSync(file, 'utf8');
	};

	it('contains a table of suites, and a table of failures with their positions', async () => {
		const text = await writeReport(async report => {
			await report.startSuite(createSuiteNamed('tickets'), createSummary({ passed: 4, failed: 1, tokens: 1200 }));
			await report.onResult(createResult({ name: 'fine' }));
			await report.onResult(createResult({ name: 'bad', outcome: 'failed', checks: [createFailedCheck()] }));
			await report.endSuite();
		});
		assert.match(text, /^\| ❌ tickets \| 4 \| 1 \| 0 \| 1\.5 s \| 1200 \|$/m);
		assert.match(text, /^\| tickets \| bad \| output a equals.* \| suites\/s\.suite\.json.*7 \|$/m);
		assert.doesNotMatch(text, /fine/);
	});

	it("marks suites by their verdict, and says what couldn't be read", async () => {
		const text = await writeReport(async report => {
			await report.onFaults([{ ...place, code: 'wrong-type', path: [], severity: 'error', message: 'Expected a list.' }]);
			await report.startSuite(createSuiteNamed('rows'), createSummary({ faults: 5 }));
			await report.onVerdict({ passed: false, reasons: [] });
			await report.startSuite(createSuiteNamed('gate'), createSummary());
			await report.onVerdict({ passed: false, reasons: ['cost: too much.'] });
		});
		assert.match(text, /^\| ❌ rows \| 1 \| 0 \| 0 /m);
		assert.match(text, /^\| ❌ gate \| 1 \| 0 \| 0 /m);
		const reasons = [
			'suites/s.suite.json&#58;7&#58; Expected a list.',
			"rows&#58; 5 rows couldn't be read.",
			'gate&#58; cost&#58; too much.',
		];
		for (const reason of reasons) {
			assert.ok(text.includes(`\n- ❌ ${reason}\n`), reason);
		}
	});

	it("doesn't turn a host name into a link", async () => {
		const text = await writeReport(async report =>
			report.startSuite(createSuiteNamed('see www.example.com or WWW.example.com, v1.2'), createSummary()),
		);
		assert.match(text, /see www&#46;example\.com or WWW&#46;example\.com, v1\.2/);
	});

	it('is appended to that of an earlier step', async () => {
		await writeReport(async () => {});
		const text = await writeReport(async () => {}, true);
		assert.equal(text.match(/## Agent tests/g)?.length, 2);
	});

	it('lists a hundred failures and only counts the others', async () => {
		const text = await writeReport(async report => {
			await report.startSuite(createSuiteNamed('many'), createSummary());
			for (let i = 0; i < 1000; i++) {
				await report.onResult(
					createResult({ name: `row ${i}`, outcome: 'failed', checks: [createFailedCheck({ message: 'x'.repeat(5000) })] }),
				);
			}
			await report.endSuite();
		});
		assert.match(text, /… and 900 more\./);
		assert.ok(text.length < 1_000_000, `it has ${text.length} characters`);
	});

	for (const [what, hostile] of Object.entries(hostileTexts)) {
		it(`shows ${what} as plain text`, async () => {
			const text = await writeReport(async report => {
				await report.startSuite(createSuiteNamed(hostile), createSummary());
				await report.onResult(createResult({ name: hostile, outcome: 'failed', checks: [createFailedCheck({ message: hostile })] }));
				await report.endSuite();
			});
			const rows = text.split('\n').filter(line => line.startsWith('| '));
			assert.deepEqual(
				rows.map(row => row.split('|').length - 2),
				[6, 6, 4, 4],
			);
			assert.doesNotMatch(text, /<script|\]\(|@team|`c`/);
		});
	}
});

describe('the end of the console report', () => {
	const writeReport = async (suites: number, cases: number): Promise<string> => {
		const report = new ClosingReport();
		let text = '';
		const { write } = process.stdout;
		process.stdout.write = ((chunk: string) => {
			text += chunk;
			return true;
		}) as typeof write;
		try {
			for (let suite = 0; suite < suites; suite++) {
				await report.startSuite(createSuiteNamed(`s${suite}`), createSummary({ passed: cases - 1, failed: 1 }));
				await report.onResult(createResult({ name: 'bad', outcome: 'failed', checks: [createFailedCheck({ message: 'x'.repeat(500) })] }));
				await report.endSuite();
			}
			await report.close();
		} finally {
			process.stdout.write = write;
		}
		return text;
	};

	it('shows a total only for several suites', async () => {
		assert.match(await writeReport(2, 3), /^\n4 passed, 2 failed in [\d.]+ m?s\n$/);
		assert.equal(await writeReport(1, 3), '');
	});

	it('repeats the failures after many cases, in shortened lines', async () => {
		const text = await writeReport(2, 120);
		assert.match(text, /^Failed:\n {2}✖ s0 › bad {2}suites\/s\.suite\.json:7\n {4}│ output a equals: x+…\n {2}✖ s1 › bad/m);
		assert.match(text, /\n238 passed, 2 failed in [\d.]+ m?s\n$/);
		assert.ok(text.split('\n').every(line => line.length < 180));
	});
});

describe('results as JSON', () => {
	for (const isWhole of [true, false]) {
		it(`are ${isWhole ? 'complete' : 'a part'} if a filter selects ${isWhole ? 'all' : 'some'} cases`, async () => {
			const { write } = process.stdout;
			let written = '';
			process.stdout.write = ((chunk: string) => {
				written += chunk;
				return true;
			}) as typeof write;
			try {
				const report = new JsonReport(createSuiteNamed('a'), { connection: 'local', isWhole });
				await report.onEvent({ type: 'finished', summary: createSummary() });
			} finally {
				process.stdout.write = write;
			}
			assert.equal(toResultLine(JSON.parse(written)) !== undefined, isWhole);
		});
	}
});
