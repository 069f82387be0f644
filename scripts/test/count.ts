/** Numbers of passed and failed tests. */
export interface Count {
	passed: number;
	failed: number;
}

/**
 * Counts the tests in a suite's output, summed over all reports. A report is the end of mocha's output (" 3 passing (1s)", " 1 failing") or
 * the line "3 passed, 1 failed". A suite that failed without naming a failed test, or passed without naming a passed one, counts as one
 * failure.
 */
export function countTests(output: string, ok: boolean): Count {
	const sumMatches = (pattern: RegExp): number => [...output.matchAll(pattern)].reduce((total, match) => total + Number(match[1]), 0);
	const passed = sumMatches(/^ {2}(\d+) passing \(/gm) + sumMatches(/^(\d+) passed, \d+ failed$/gm);
	const failed = sumMatches(/^ {2}(\d+) failing$/gm) + sumMatches(/^\d+ passed, (\d+) failed$/gm);
	const saysNothing = ok ? passed === 0 && failed === 0 : failed === 0;
	return { passed, failed: saysNothing ? 1 : failed };
}
