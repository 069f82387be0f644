import assert from 'node:assert/strict';
import { formatClosingLines } from '../../../scripts/test/closing.ts';
import { parseTestReport } from '../../../scripts/test/testReport.ts';

const createSuite = (name: string, passed: number, failed: number, output = '') => ({
	name,
	passed,
	failed,
	seconds: 1,
	output,
	...parseTestReport(output),
});

describe('the last lines of npm test', () => {
	it('list the slowest tests, tests that passed on retry, failures with their errors, and the total', () => {
		const results = [
			createSuite('unit', 9, 0, 'slow 700 a rule\n'),
			createSuite(
				'contract',
				3,
				1,
				'slow 800 a run\nsecond try {"title":"a run","error":"late"}\nfailed {"title":"a stop","error":"two\\nlines"}\n',
			),
		];
		assert.deepEqual(formatClosingLines(results, 'all suites in 7 s'), [
			'slowest tests:',
			'    0.8 s  contract: a run',
			'    0.7 s  unit: a rule',
			'',
			'1 passed only on retry',
			'  contract: a run',
			'    late',
			'',
			'failed:',
			'  contract: a stop',
			'    two',
			'    lines',
			'',
			'all suites in 7 s; failed: contract',
			'12 passed, 1 failed',
		]);
	});

	it('repeat the end of the output of a failed suite without a report', () => {
		const output = Array.from({ length: 40 }, (_, at) => `line ${at}`).join('\n');
		const lines = formatClosingLines([createSuite('lint', 0, 1, output)], 'all');
		assert.deepEqual(lines.slice(lines.indexOf('failed:') + 1).slice(0, 2), ['  lint: its last lines', '    line 10']);
		assert.ok(lines.includes('    line 39'));
	});
});
