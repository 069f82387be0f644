import { formatRelativePath } from '#base/files/relativePath.ts';
import { cutText } from '#base/text/cutText.ts';
import { formatQuantity } from '#base/text/quantity.ts';
import type { CaseResult, CheckResult } from '#suites/results/caseResult.ts';
import { toPlainLine } from '../output.ts';

/** Maximum number of characters for a value. Enough to see the problem without burying it. */
const longestValue = 2_000;
/** Values up to this length are part of the message. */
const longestInSentence = 80;
/** Maximum number of checks shown per case. */
const mostChecks = 20;

/** Returns the name of a case, with the variant that ran. */
export function getCaseTitle({ name, variant }: CaseResult): string {
	return variant === undefined ? name : `${name} [${variant}]`;
}

/** Returns the failed checks of a case. */
export function getFailedChecks({ checks }: CaseResult): readonly CheckResult[] {
	return checks.filter(({ passed }) => !passed);
}

/** Describes in one line why a case didn't pass. */
export function formatFailureTitle(result: CaseResult): string {
	const [first, ...others] = getFailedChecks(result);
	const why = result.fault ?? (first ? formatCheckTitle(first) : (result.run?.error ?? 'did not pass'));
	return others.length > 0 && result.fault === undefined ? `${why} (and ${others.length} more)` : why;
}

/** Describes why a check failed, after its name in the suite. */
function formatCheckTitle({ name, named, message }: CheckResult): string {
	return message === undefined ? name : named ? `${name}: ${message}` : message;
}

/** Describes why a case didn't pass: each failed check with its position, and the expected and actual values. */
export function formatFailure(result: CaseResult): string {
	const { fault, run, repeated } = result;
	const checks = getFailedChecks(result);
	return [
		...(fault === undefined ? [] : [fault]),
		...checks
			.slice(0, mostChecks)
			.flatMap(check => [`${formatPosition(check.place)}: ${formatCheckTitle(check)}`, ...formatValueLines(check)]),
		...(checks.length > mostChecks ? [`… and ${formatQuantity(checks.length - mostChecks, 'more check')}`] : []),
		...(repeated ? [`passed ${repeated.passed} of ${repeated.runs} times`] : []),
		...(run?.error === undefined || checks.some(({ message }) => message?.includes(run.error!))
			? []
			: [`The run ${run.status}: ${cutText(run.error, longestValue)}`]),
	].join('\n');
}

/** Returns the expected and actual values of a check, if they are too long for its message. */
function formatValueLines(check: CheckResult): string[] {
	if (!('expected' in check && 'actual' in check)) {
		return [];
	}
	const [expected, actual] = [formatValue(check.expected), formatValue(check.actual)];
	return Math.max(expected.length, actual.length) > longestInSentence ? [`  expected: ${expected}`, `  actual:   ${actual}`] : [];
}

/** Formats a position as a link that editors and terminals recognize, relative to the working folder. */
export function formatPosition({ file, line }: CheckResult['place']): string {
	return `${toPlainLine(formatRelativePath(file))}:${line}`;
}

function formatValue(value: unknown): string {
	const text = typeof value === 'string' && value.length > longestValue ? value.slice(0, longestValue) : value;
	return cutText(text === undefined ? 'nothing' : (JSON.stringify(text) ?? String(text)), longestValue);
}
