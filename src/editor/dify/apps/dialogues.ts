import * as vscode from 'vscode';
import type { Remedy } from '#base/problems.ts';
import type { AppDifference } from '#dify/content/differenceTypes.ts';
import { formatDifferenceLines, formatDifferenceSummary } from '#dify/content/formatDifference.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';

/** Maximum number of changes that a dialog shows. */
const mostLines = 12;

/** An option in a list. */
interface Way<T extends string> {
	readonly label: string;
	readonly detail?: string;
	readonly icon: string;
	readonly way: T;
}

/** Shortens a name from a deployment to one line of 60 characters, for a message. */
export function shortenName(name: string): string {
	return toOneLine(name, 60);
}

/** Summarizes how two apps differ. */
export function summarizeDifference(difference: AppDifference): string {
	return toOneLine(formatDifferenceSummary(difference, vscode.l10n.t), 300);
}

/** Lists how two apps differ, one change per line, limited to what a dialog can show. */
export function listDifferences(difference: AppDifference): string[] {
	const lines = formatDifferenceLines(difference, vscode.l10n.t).map(line => toOneLine(line, 120));
	const rest = lines.length - mostLines;
	return rest > 1
		? [
				...lines.slice(0, mostLines),
				vscode.l10n.t({ message: '… and {0} more', args: [rest], comment: ['{0} is a number; the last line of a list that was cut off'] }),
			]
		: lines;
}

/**
 * Asks how to continue in a quick pick, which lets the user look at an open comparison. Resolves to `undefined` if the user cancels.
 * @param placeHolder says what happened and what to decide
 */
export async function chooseOption<T extends string>(title: string, placeHolder: string, ways: readonly Way<T>[]): Promise<T | undefined> {
	const items = ways.map(({ label, detail, icon, way }) => ({
		label,
		...(detail !== undefined && { detail }),
		iconPath: new vscode.ThemeIcon(icon),
		way,
	}));
	return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.way;
}

/** Returns the option to merge two changed texts. */
export function createMergeOption(): Way<'merge'> {
	return {
		way: 'merge',
		icon: 'git-merge',
		label: vscode.l10n.t('Merge…'),
		detail: vscode.l10n.t('Combine both in the merge editor. A backup of the file will be saved.'),
	};
}

/** Asks for confirmation in a modal dialog that lists the changes. Resolves to true if the user confirms. */
export async function askToConfirm(question: string, lines: readonly string[], action: string): Promise<boolean> {
	return (await vscode.window.showWarningMessage(escapeLinks(question), { modal: true, detail: lines.join('\n') }, action)) === action;
}

/** Shows a message with buttons for next steps, without waiting for the user. */
export function showMessage(message: string, next: readonly Remedy[] = [], severity: 'info' | 'warning' = 'info'): void {
	const titles = next.map(({ title }) => title);
	const shown =
		severity === 'info'
			? vscode.window.showInformationMessage(escapeLinks(message), ...titles)
			: vscode.window.showWarningMessage(escapeLinks(message), ...titles);
	void shown.then(choice => {
		const chosen = next.find(({ title }) => title === choice);
		return chosen && vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
	});
}
