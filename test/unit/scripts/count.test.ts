import assert from 'node:assert/strict';
import { countTests } from '../../../scripts/test/count.ts';

describe('what a suite says of its tests', () => {
	it('is the end of a report by mocha', () => {
		assert.deepEqual(countTests('\n  ✔ a\n\n  12 passing (3s)\n  1 pending\n  2 failing\n\n  1) b\n', false), { passed: 12, failed: 2 });
		assert.deepEqual(countTests('  1 passing (5ms)\n', true), { passed: 1, failed: 0 });
	});

	it('is the line that a runner closes with', () => {
		assert.deepEqual(countTests('case 1: passed\n31 passed, 0 failed\n', true), { passed: 31, failed: 0 });
	});

	it('is summed over several reports', () => {
		assert.deepEqual(countTests('  8 passing (16ms)\n\nVS Code 1.139.1\n\n  5 passing (108ms)\n  1 failing\n', false), {
			passed: 13,
			failed: 1,
		});
	});

	it('is a failure when a suite ends badly and names none', () => {
		assert.deepEqual(countTests('  8 passing (16ms)\nError: the extension host ended without a result\n', false), { passed: 8, failed: 1 });
	});

	it('is a failure when a suite ends well and has tested nothing', () => {
		assert.deepEqual(countTests('', true), { passed: 0, failed: 1 });
		assert.deepEqual(countTests('  0 passing (1ms)\n', true), { passed: 0, failed: 1 });
	});

	it('is not the title of a test', () => {
		assert.deepEqual(countTests('    ✔ says 3 passing (or so)\n  1 passing (1ms)\n', true), { passed: 1, failed: 0 });
	});
});
