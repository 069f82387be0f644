import * as vscode from 'vscode';
import type { Remedy } from '#base/problems.ts';
import type { AppDifference } from '#dify/content/differenceTypes.ts';
import { differenceLines, differenceSummary } from '#dify/content/differenceWords.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';

/** Lines of what changes that a dialog shows. */
const mostLines = 12;

/** One way to go on, as a list offers it. */
interface Way<T extends string> {
	readonly label: string;
	readonly detail?: string;
	readonly icon: string;
	readonly way: T;
}

/** A name from a deployment in the middle of a sentence: in quotes and on one line. */
export function quoted(name: string): string {
	return `“${oneLine(name, 60)}”`;
}

/** How two apps differ, in a few words. */
export function differenceText(difference: AppDifference): string {
	return oneLine(differenceSummary(difference, vscode.l10n.t), 300);
}

/** How two apps differ, one thing a line, as many as a dialog can show. */
export function differenceDetail(difference: AppDifference): string[] {
	const lines = differenceLines(difference, vscode.l10n.t).map(line => oneLine(line, 120));
	const rest = lines.length - mostLines;
	return rest > 1 ? [...lines.slice(0, mostLines), vscode.l10n.t('… and {0} more', rest)] : lines;
}

/**
 * Asks how to go on, above the editors: what is compared there can be looked at before the answer. `undefined`: not at all.
 * @param placeHolder what happened, and what is asked
 */
export async function chooseWay<T extends string>(title: string, placeHolder: string, ways: readonly Way<T>[]): Promise<T | undefined> {
	const items = ways.map(({ label, detail, icon, way }) => ({
		label,
		...(detail !== undefined && { detail }),
		iconPath: new vscode.ThemeIcon(icon),
		way,
	}));
	return (await vscode.window.showQuickPick(items, { title, placeHolder, ignoreFocusOut: true }))?.way;
}

/** Asks before something is overwritten, with what it changes; nothing else can be done until it is answered. Resolves to whether to go on. */
export async function confirmed(question: string, lines: readonly string[], action: string): Promise<boolean> {
	return (await vscode.window.showWarningMessage(withoutLinks(question), { modal: true, detail: lines.join('\n') }, action)) === action;
}

/** Shows that something goes on, which the user can call off: the signal ends the work. */
export async function working<T>(title: string, work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>): Promise<T> {
	const progress = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
	return vscode.window.withProgress(progress, async (shown, token) => {
		const ending = new AbortController();
		token.onCancellationRequested(() => ending.abort());
		return work(ending.signal, message => shown.report({ message: withoutLinks(message) }));
	});
}

/** Says what happened, and what may be done next; nobody waits for the answer. */
export function tell(sentence: string, next: readonly Remedy[] = [], severity: 'info' | 'warning' = 'info'): void {
	const titles = next.map(({ title }) => title);
	const text = withoutLinks(sentence);
	const shown =
		severity === 'info' ? vscode.window.showInformationMessage(text, ...titles) : vscode.window.showWarningMessage(text, ...titles);
	void shown.then(choice => {
		const chosen = next.find(({ title }) => title === choice);
		return chosen && vscode.commands.executeCommand(chosen.command, ...(chosen.arguments ?? []));
	});
}
