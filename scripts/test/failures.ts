import type { SuiteResult } from './runSuite.ts';
import type { Told, ToldFailure } from './told.ts';

/** Lines that are repeated of a suite which failed and named no test, or fewer than failed: it is a check, or it ended before its report. */
const lastLines = 30;

/** What failed in a suite: the tests it named, and its last lines where it named fewer than failed. */
export function failuresOf({ failed, failures, rest }: SuiteResult & Told): ToldFailure[] {
	return failures.length >= failed ? failures : [...failures, { title: 'its last lines', error: tailOf(rest) }];
}

const tailOf = (text: string): string => text.trimEnd().split('\n').slice(-lastLines).join('\n');
