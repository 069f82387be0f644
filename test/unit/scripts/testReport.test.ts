import assert from 'node:assert/strict';
import path from 'node:path';
import Mocha from 'mocha';
import { root } from '../../../scripts/lib/paths.ts';
// @ts-expect-error plain JavaScript, which mocha also loads
import { printTestReport } from '../../../scripts/test/printTestReport.cjs';
import { listSuites } from '../../../scripts/test/suites.ts';
import { parseTestReport } from '../../../scripts/test/testReport.ts';

describe('the report of tests', () => {
	it('lists slow tests, tests that passed on retry, and failed tests, and removes their lines from the output', async () => {
		const lines = await getLines(suite => {
			let tries = 0;
			suite.addTest(
				new Mocha.Test('expands', () => {
					tries++;
					assert.equal(tries, 2, 'not yet');
				}),
			);
			suite.addTest(
				new Mocha.Test('closes', () => {
					throw new Error('two\nlines');
				}),
			);
		});
		const { slow, secondTries, failures, rest } = parseTestReport(
			`  ✔ a\n\n  2 passing (3s)\n\nslow 2100 the tree expands\n${lines.join('\n')}\n`,
		);
		assert.deepEqual(slow, [{ ms: 2100, title: 'the tree expands' }]);
		assert.deepEqual(
			[secondTries, failures].map(tests => tests.map(({ title }) => title)),
			[['the tree expands'], ['the tree closes']],
		);
		assert.match(secondTries[0]?.error ?? '', /not yet/);
		assert.match(failures[0]?.error ?? '', /^Error: two\nlines\n {4}at /);
		assert.equal(rest, '  ✔ a\n\n  2 passing (3s)\n\n');
	});

	it('marks failed tests of files with random inputs', async () => {
		const addTestOfFile = (suite: Mocha.Suite, file: string) => {
			const test = new Mocha.Test(file, () => assert.fail());
			test.file = path.join(root, file);
			suite.addTest(test);
		};
		const lines = await getLines(suite => {
			addTestOfFile(suite, 'test/fuzz/sse.test.ts');
			addTestOfFile(suite, 'test/unit/scripts/count.test.ts');
		});
		assert.deepEqual(
			parseTestReport(lines.join('\n')).failures.map(({ random }) => random),
			[true, undefined],
		);
	});
});

/** Returns the report of the suite 'the tree' with two tries for each test. */
async function getLines(add: (suite: Mocha.Suite) => void): Promise<string[]> {
	const mocha = new Mocha({ reporter: class {} as unknown as Mocha.ReporterConstructor, retries: 1 });
	add(Mocha.Suite.create(mocha.suite, 'the tree'));
	const lines: string[] = [];
	await new Promise<void>(resolve =>
		printTestReport(
			mocha.run(() => resolve()),
			(line: string) => lines.push(line),
		),
	);
	return lines;
}

describe('the suites of npm test', () => {
	it('need only suites that exist', () => {
		const names = listSuites().map(suite => suite.name);
		assert.equal(new Set(names).size, names.length);
		assert.deepEqual(
			listSuites()
				.flatMap(suite => suite.needs ?? [])
				.filter(name => !names.includes(name)),
			[],
		);
	});
});
