import { listFailures } from './failures.ts';
import type { SuiteResult } from './runSuite.ts';
import type { ReportedFailure, TestReport } from './testReport.ts';

/** Number of slowest tests to list. */
const slowest = 20;

/**
 * Returns the last lines of `npm test`: the slowest tests, the tests that needed a retry, the failed tests with their errors, and the sum
 * `N passed, N failed`. A log whose start is cut off still has them.
 */
export function formatClosingLines(results: readonly (SuiteResult & TestReport)[], summary: string): string[] {
	const slow = results.flatMap(({ name, slow: tests }) => tests.map(test => ({ ...test, suite: name }))).sort((a, b) => b.ms - a.ms);
	const sumCounts = (of: 'passed' | 'failed'): number => results.reduce((total, result) => total + result[of], 0);
	const secondTries = results.flatMap(({ name, secondTries: tests }) => tests.map(test => formatFailedTest(name, test)));
	const failed = results.filter(result => result.failed > 0);
	return [
		'slowest tests:',
		...slow.slice(0, slowest).map(({ ms, suite, title }) => `  ${(ms / 1000).toFixed(1).padStart(5)} s  ${suite}: ${title}`),
		'',
		`${secondTries.length} passed only on retry`,
		...secondTries.flat(),
		...(failed.length > 0
			? ['', 'failed:', ...failed.flatMap(result => listFailures(result).flatMap(failure => formatFailedTest(result.name, failure)))]
			: []),
		'',
		`${summary}${failed.length > 0 ? `; failed: ${failed.map(({ name }) => name).join(', ')}` : ''}`,
		`${sumCounts('passed')} passed, ${sumCounts('failed')} failed`,
	];
}

const formatFailedTest = (suite: string, { title, error }: ReportedFailure): string[] => [
	`  ${suite}: ${title}`,
	...error.split('\n').map(line => `    ${line}`),
];
