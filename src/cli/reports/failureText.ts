import path from 'node:path';
import { cutText } from '#base/text/cutText.ts';
import type { CaseResult, CheckResult } from '#suites/results/caseResult.ts';

/** Limit of characters for a value: enough to see the problem without burying it. */
const longestValue = 2_000;
/** Values up to this length are shown in the message itself. */
const longestInSentence = 80;
/** Limit of checks shown per case. */
const mostChecks = 20;

/** Returns the failed checks of a case. */
export function failedChecks({ checks }: CaseResult): readonly CheckResult[] {
	return checks.filter(({ passed }) => !passed);
}

/** Describes why a case didn't pass, in one line. */
export function failureTitle(result: CaseResult): string {
	const [first, ...others] = failedChecks(result);
	const why = result.fault ?? (first ? checkTitle(first) : (result.run?.error ?? 'did not pass'));
	return others.length > 0 && result.fault === undefined ? `${why} (and ${others.length} more)` : why;
}

/** Describes why a check failed, prefixed with its name in the suite. */
function checkTitle({ name, named, message }: CheckResult): string {
	return message === undefined ? name : named ? `${name}: ${message}` : message;
}

/** Describes why a case didn't pass: each failed check with its position, and the expected and actual values. */
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

/** Expected and actual values of a check, if they are too long for its message. */
function valueLines(check: CheckResult): string[] {
	if (!('expected' in check && 'actual' in check)) {
		return [];
	}
	const [expected, actual] = [valueText(check.expected), valueText(check.actual)];
	return Math.max(expected.length, actual.length) > longestInSentence ? [`  expected: ${expected}`, `  actual:   ${actual}`] : [];
}

/** Position in the format that editors and terminals link, relative to the working folder. */
export function placeText({ file, line }: CheckResult['place']): string {
	return `${path.relative('', file).replaceAll(path.sep, '/')}:${line}`;
}

function valueText(value: unknown): string {
	const text = typeof value === 'string' && value.length > longestValue ? value.slice(0, longestValue) : value;
	return cutText(text === undefined ? 'nothing' : (JSON.stringify(text) ?? String(text)), longestValue);
}
