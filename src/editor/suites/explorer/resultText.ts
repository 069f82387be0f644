import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import { formatValuesOnOneLine } from '#runs/following/readableValue.ts';
import type { CaseResult, SuiteSummary } from '#suites/results/caseResult.ts';
import { formatList, formatNumber } from '../../platform/format.ts';
import { formatBriefDuration, formatTokens, toPlainLines } from '../../platform/wording.ts';
import { formatReport } from '../../runs/recordings/recordingMessages.ts';
import type { WindowBatch } from '../batches/batch.ts';

/** Maximum length of a value in the output of a test. */
const longestValue = 4000;

/** Formats a result as the output of its test: status, inputs, outputs and checks. */
export function formatTestOutput({ name, outcome, run, fault, inputs, outputs, checks }: CaseResult): string {
	const facts = run ? [run.status, formatBriefDuration(run.seconds * 1000), formatTokens(run.tokens)] : [fault ?? vscode.l10n.t('not run')];
	// values matter most if a check failed
	const formatFields = (label: string, value: Readonly<Record<string, unknown>>) =>
		Object.keys(value).length === 0
			? []
			: [`  ${label}: ${outcome === 'passed' ? formatValuesOnOneLine(value) : cutText(JSON.stringify(value), longestValue)}`];
	return toTerminalLines([
		`${name}: ${facts.join(' · ')}`,
		...(run?.error ? [`  ${run.error}`] : []),
		...formatFields(vscode.l10n.t('inputs'), inputs),
		...formatFields(vscode.l10n.t('outputs'), outputs),
		...checks.map(check => `  ${check.passed ? '✔' : '✖'} ${check.name}${check.message ? `: ${check.message}` : ''}`),
	]);
}

/** Describes how a batch ended. */
export function formatBatchEnd({ suite, summary, cancelled, error }: WindowBatch): string {
	const lines = [summary ? formatSummary(summary) : error instanceof Error ? error.message : String(error ?? '')];
	if (cancelled) {
		lines.push(formatCancellation(cancelled));
	}
	return toTerminalLines(lines.map(line => `${suite.name}: ${line}`));
}

function formatSummary(summary: SuiteSummary): string {
	const { passed, failed, notRun, unreadable } = formatCounts(summary);
	return [
		passed,
		failed,
		...(summary.notRun > 0 ? [notRun] : []),
		...(summary.faults > 0 ? [unreadable] : []),
		formatBatchUsage(summary),
	].join(' · ');
}

function formatCounts({ passed, failed, notRun, faults }: SuiteSummary) {
	return {
		passed: vscode.l10n.t({ message: '{0} passed', args: [formatNumber(passed)], comment: ['{0} is a number of test cases'] }),
		failed: vscode.l10n.t({ message: '{0} failed', args: [formatNumber(failed)], comment: ['{0} is a number of test cases'] }),
		notRun: vscode.l10n.t({ message: '{0} not run', args: [formatNumber(notRun)], comment: ['{0} is a number of test cases'] }),
		unreadable: vscode.l10n.t({ message: '{0} unreadable', args: [formatNumber(faults)], comment: ['{0} is a number of rows'] }),
	};
}

/** Formats what a batch's recording replayed and recorded, and what it lacks. */
export function formatRecorded({ file, ...report }: NonNullable<WindowBatch['recorded']>): string {
	const misses = report.misses.map(({ case: name, row, node, message }) =>
		[name, row, node]
			.filter(each => each !== undefined)
			.join(' › ')
			.concat(': ', message),
	);
	return toTerminalLines([formatReport(file, report), ...misses]);
}

/**
 * Formats the result of a batch in a few words: `200 passed · 2.1 s` or `3 failed, 197 passed · 2.1 s`, and that it was canceled, because
 * the other cases have no result.
 */
export function formatBatchResult(summary: SuiteSummary, isCanceled: boolean): string {
	const { passed, failed, notRun, unreadable } = formatCounts(summary);
	const { failed: failures, notRun: missing, passed: successes, faults, seconds } = summary;
	const counts = [
		...(failures > 0 ? [failed] : []),
		...(missing > 0 ? [notRun] : []),
		...(faults > 0 ? [unreadable] : []),
		...(successes > 0 || failures + missing + faults === 0 ? [passed] : []),
	];
	const canceled = vscode.l10n.t({ message: 'canceled', comment: ['a run of a suite that the user canceled'] });
	return [formatList(counts), formatBriefDuration(seconds * 1000), ...(isCanceled ? [canceled] : [])].join(' · ');
}

/** Formats a batch's duration, tokens and cost. */
export function formatBatchUsage({ seconds, tokens, judgeTokens, userTokens = 0, cost, currency = '' }: SuiteSummary): string {
	return [
		formatBriefDuration(seconds * 1000),
		formatTokens(tokens),
		...(judgeTokens > 0
			? [
					vscode.l10n.t({
						message: 'judges: {0}',
						args: [formatTokens(judgeTokens)],
						comment: ['{0} is the number of tokens that judge models used'],
					}),
				]
			: []),
		...(userTokens > 0
			? [
					vscode.l10n.t({
						message: 'simulated users: {0}',
						args: [formatTokens(userTokens)],
						comment: ['{0} is the number of tokens that models used to play users'],
					}),
				]
			: []),
		...(cost > 0 ? [`${Number(cost.toPrecision(4))} ${currency}`.trim()] : []),
	].join(' · ');
}

/** Describes the stopped runs of a canceled batch. */
export function formatCancellation({ stopped, notStopped }: NonNullable<WindowBatch['cancelled']>): string {
	return notStopped > 0
		? vscode.l10n.t('Canceled. Runs stopped on the service: {0}. Unconfirmed stops: {1}.', stopped, notStopped)
		: vscode.l10n.t('Canceled. Runs stopped on the service: {0}.', stopped);
}

/** Formats lines for the editor's terminal, which would obey control sequences in them. */
export function toTerminalLines(lines: readonly string[]): string {
	return lines.map(line => `${toPlainLines(line.replaceAll('\r\n', '\n')).replaceAll('\n', '\r\n  ')}\r\n`).join('');
}
