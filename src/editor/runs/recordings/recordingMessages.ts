import path from 'node:path';
import * as vscode from 'vscode';
import { getErrorMessage, getErrorReason, Problem, type Remedy } from '#base/problems.ts';
import type { RecordingReport } from '#runs/recordings/fileRecording.ts';
import { isSuitePath } from '../../platform/names.ts';
import { escapeLinks } from '../../platform/wording.ts';

/** Shows which replies a recording lacks, and offers to record them. */
export async function offerToRecord(uri: vscode.Uri, misses: RecordingReport['misses']): Promise<void> {
	const [first] = misses;
	if (first) {
		const { title, command, arguments: args = [] } = createRecordRemedy(uri);
		const name = path.posix.basename(uri.path);
		const message =
			misses.length === 1
				? vscode.l10n.t("The recording of '{0}' lacks 1 reply. {1}", name, first.message)
				: vscode.l10n.t("The recording of '{0}' lacks {1} replies. {2}", name, misses.length, first.message);
		if ((await vscode.window.showErrorMessage(escapeLinks(message), title)) === title) {
			await vscode.commands.executeCommand(command, ...args);
		}
	}
}

/** Shows how recorded replies differ from live ones. */
export async function showDrift(uri: vscode.Uri, file: string, { drift }: RecordingReport): Promise<void> {
	const name = path.basename(file);
	const changed = drift.filter(({ outcome }) => outcome !== 'same');
	const [first] = changed;
	if (!first) {
		void vscode.window.showInformationMessage(escapeLinks(vscode.l10n.t("No drift in '{0}'. Replies compared: {1}.", name, drift.length)));
		return;
	}
	const show = vscode.l10n.t('Open recording');
	const record = vscode.l10n.t('Record everything again');
	const message = vscode.l10n.t(
		"Replies in '{0}' that differ from live ones: {1} of {2}. The first is that to node '{3}'. {4}",
		name,
		changed.length,
		drift.length,
		first.node,
		first.message,
	);
	const choice = await vscode.window.showWarningMessage(escapeLinks(message), show, record);
	if (choice === record) {
		const { command } = createRecordRemedy(uri);
		await vscode.commands.executeCommand(command, uri, 'all');
	} else if (choice === show) {
		const selection = new vscode.Range(first.line - 1, 0, first.line - 1, 0);
		await vscode.window.showTextDocument(vscode.Uri.file(file), { selection });
	}
}

/** Creates the error for a file without a recording. Its remedy records one. */
export function createMissingProblem(uri: vscode.Uri): Problem {
	return new Problem('no-recording', vscode.l10n.t("'{0}' has no recording yet.", path.posix.basename(uri.path)), createRecordRemedy(uri));
}

/** Returns the action that records what the recording of a file lacks. */
export function createRecordRemedy(uri: vscode.Uri): Remedy {
	return {
		title: vscode.l10n.t({ message: 'Record', comment: ['verb: records the replies of models and services'] }),
		command: isSuitePath(uri.path) ? 'agentWorkbench.suite.record' : 'agentWorkbench.runFile.record',
		arguments: [uri, 'new'],
	};
}

/** Formats the counts of a report, like the command line. */
export function formatReport(file: string, { replayed, added, replaced, removed }: RecordingReport): string {
	return vscode.l10n.t({
		message: '{0}: {1} replayed, {2} added, {3} replaced, {4} removed',
		args: [path.basename(file), replayed, added, replaced, removed],
		comment: ['{0} is the name of a recording, the others are numbers of recorded replies'],
	});
}

/** Converts an error about a recording to one that offers to open it. */
export function toRecordingProblem(error: unknown, file: string): unknown {
	const { name } = error as { readonly name?: string };
	const isFault =
		name === 'RecordingFormatError' ||
		name === 'FileWriteError' ||
		getErrorReason(error) === 'invalid-request' ||
		(error instanceof Error && 'syscall' in error);
	return isFault
		? new Problem('recording', `${path.basename(file)}: ${getErrorMessage(error)}`, {
				title: vscode.l10n.t('Open recording'),
				command: 'vscode.open',
				arguments: [vscode.Uri.file(file)],
			})
		: error;
}
