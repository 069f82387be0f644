import * as vscode from 'vscode';
import { cutText } from '#base/text/cutText.ts';
import type { CaseResult, CheckResult } from '#suites/results/caseResult.ts';
import type { SuitePlace } from '#suites/suite.ts';

/** Maximum length of a value in a message. The results and the run show the complete value. */
const longestValue = 20_000;

/**
 * Returns messages that say why a case failed or couldn't run: one message for each failed check, at its line, with expected and actual
 * values.
 */
export function createFailureMessages(result: CaseResult): vscode.TestMessage[] {
	if (result.fault !== undefined) {
		return [setMessageLocation(new vscode.TestMessage(result.fault), result.place)];
	}
	return result.checks.filter(({ passed, weight }) => !passed && weight !== 0).map(createCheckMessage);
}

function createCheckMessage(check: CheckResult): vscode.TestMessage {
	const sentence = check.message ?? check.name;
	const hasBoth = 'expected' in check && 'actual' in check;
	const message = hasBoth
		? vscode.TestMessage.diff(sentence, formatTestValue(check.expected), formatTestValue(check.actual))
		: new vscode.TestMessage(sentence);
	return setMessageLocation(message, check.place);
}

function setMessageLocation(message: vscode.TestMessage, { file, line, column }: SuitePlace): vscode.TestMessage {
	message.location = new vscode.Location(vscode.Uri.file(file), new vscode.Position(line - 1, column - 1));
	return message;
}

/** Formats a value for reading. Strings are shown as they are, any other value as JSON. */
export function formatTestValue(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value, undefined, 2) ?? '');
	return cutText(text, longestValue);
}
