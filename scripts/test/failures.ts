import type { SuiteResult } from './runSuite.ts';
import type { ReportedFailure, TestReport } from './testReport.ts';

/**
 * Number of output lines to repeat for a failed suite that named fewer tests than failed, because it is a check or crashed before its
 * report.
 */
const lastLines = 30;

/** Returns the failures of a suite: the tests that it named, and its last lines if it named fewer tests than failed. */
export function listFailures({ failed, failures, rest }: SuiteResult & TestReport): ReportedFailure[] {
	return failures.length >= failed ? failures : [...failures, { title: 'its last lines', error: getLastLines(rest) }];
}

const getLastLines = (text: string): string => text.trimEnd().split('\n').slice(-lastLines).join('\n');
