import path from 'node:path';
import { cutText } from '#base/text/cutText.ts';
import type { CaseResult, CheckResult } from '#suites/results/caseResult.ts';

/** Characters of a value that is shown: enough to see what is wrong, too little to bury it. */
const longestValue = 2_000;
/** A value up to so many characters stands in the sentence whole. */
const longestInSentence = 80;
/** Checks that are shown of one case. */
const mostChecks = 20;

/** The checks of a case for which it did not pass. */
export function failedChecks({ checks }: CaseResult): readonly CheckResult[] {
	return checks.filter(({ passed }) => !passed);
}

/** Why a case did not pass, on one line. */
export function failureTitle(result: CaseResult): string {
	const [first, ...others] = failedChecks(result);
	const why = result.fault ?? (first ? checkTitle(first) : (result.run?.error ?? 'did not pass'));
	return others.length > 0 && result.fault === undefined ? `${why} (and ${others.length} more)` : why;
}

/** Why a check failed, behind the name that the suite gives it. */
function checkTitle({ name, named, message }: CheckResult): string {
	return message === undefined ? name : named ? `${name}: ${message}` : message;
}

/** Why a case did not pass, whole: each check that failed with its place, and what was expected beside what there was. */
export function failureText(result: CaseResult): string {
	const { fault, run, repeated } = result;
	const checks = failedChecks(result);
	return [
		...(fault === undefined ? [] : [fault]),
		...checks.slice(0, mostChecks).flatMap(check => [`${placeText(check.place)}: ${checkTitle(check)}`, ...valueLines(check)]),
		...(checks.length > mostChecks ? [`… and ${checks.length - mostChecks} more checks`] : []),
		...(repeated ? [`passed ${repeated.passed} of ${repeated.runs} times`] : []),
		...(run?.error === undefined || checks.some(({ message }) => message?.includes(run.error!))
			? []
			: [`The run ${run.status}: ${cutText(run.error, longestValue)}`]),
	].join('\n');
}

/** Expected and actual value of a check that has both, where the sentence has no room for them. */
function valueLines(check: CheckResult): string[] {
	if (!('expected' in check && 'actual' in check)) {
		return [];
	}
	const [expected, actual] = [valueText(check.expected), valueText(check.actual)];
	return Math.max(expected.length, actual.length) > longestInSentence ? [`  expected: ${expected}`, `  actual:   ${actual}`] : [];
}

/** A place as editors and terminals link it, relative to the working folder. */
export function placeText({ file, line }: CheckResult['place']): string {
	return `${path.relative('', file).replaceAll(path.sep, '/')}:${line}`;
}

function valueText(value: unknown): string {
	const text = typeof value === 'string' && value.length > longestValue ? value.slice(0, longestValue) : value;
	return cutText(text === undefined ? 'nothing' : (JSON.stringify(text) ?? String(text)), longestValue);
}
