import assert from 'node:assert/strict';
import { countTests } from '../../../scripts/test/count.ts';

describe('the test count of a suite', () => {
	it('is read from the end of a mocha report', () => {
		assert.deepEqual(countTests('\n  ✔ a\n\n  12 passing (3s)\n  1 pending\n  2 failing\n\n  1) b\n', false), { passed: 12, failed: 2 });
		assert.deepEqual(countTests('  1 passing (5ms)\n', true), { passed: 1, failed: 0 });
	});

	it('is read from the last line of another runner', () => {
		assert.deepEqual(countTests('case 1: passed\n31 passed, 0 failed\n', true), { passed: 31, failed: 0 });
	});

	it('is summed over several reports', () => {
		assert.deepEqual(countTests('  8 passing (16ms)\n\nVS Code 1.139.1\n\n  5 passing (108ms)\n  1 failing\n', false), {
			passed: 13,
			failed: 1,
		});
	});

	it('includes a failure if a suite exits with an error but reports none', () => {
		assert.deepEqual(countTests('  8 passing (16ms)\nError: the extension host ended without a result\n', false), { passed: 8, failed: 1 });
	});

	it('includes a failure if a suite passes without any tests', () => {
		assert.deepEqual(countTests('', true), { passed: 0, failed: 1 });
		assert.deepEqual(countTests('  0 passing (1ms)\n', true), { passed: 0, failed: 1 });
	});

	it('ignores the titles of tests', () => {
		assert.deepEqual(countTests('    ✔ says 3 passing (or so)\n  1 passing (1ms)\n', true), { passed: 1, failed: 0 });
	});
});
