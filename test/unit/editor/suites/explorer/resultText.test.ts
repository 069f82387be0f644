import assert from 'node:assert/strict';
import { formatTestOutput, toTerminalLines } from '#editor/suites/explorer/resultText.ts';
import type { CaseResult } from '#suites/results/caseResult.ts';

describe('the output of a test case', () => {
	// the editor shows the output in a terminal, which would erase lines, show others or open addresses
	it('has no control sequences of a reply', () => {
		const hostile = 'a\u001b[2J\u001b]8;;https://x\u0007b\u009b1A\r\u202e';
		const result = {
			name: hostile,
			outcome: 'failed',
			run: { status: hostile, error: hostile, seconds: 1, tokens: 1, steps: 1 },
			inputs: { [hostile]: hostile },
			outputs: { [hostile]: hostile },
			checks: [{ name: hostile, message: hostile, passed: false }],
		} as unknown as CaseResult;
		for (const outcome of ['failed', 'passed'] as const) {
			assert.doesNotMatch(formatTestOutput({ ...result, outcome }).replaceAll('\r\n', ''), /[\p{Cc}\u202e]/u);
		}
	});

	it('keeps its lines, each on its own', () => {
		assert.equal(toTerminalLines(['a\r\nb\nc', 'd']), 'a\r\n  b\r\n  c\r\nd\r\n');
	});
});
