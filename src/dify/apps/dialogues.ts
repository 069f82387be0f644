import * as vscode from 'vscode';
import { oneLine, withoutLinks } from '../../common/wording.ts';

/** One way to go on, as a list offers it. */
export interface Way<T extends string> {
	readonly label: string;
	readonly detail?: string;
	readonly icon: string;
	readonly way: T;
}

/** A name from a deployment in the middle of a sentence: in quotes, on one line, no link. */
export function quoted(name: string): string {
	return `“${withoutLinks(oneLine(name, 60))}”`;
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

/** Asks before something is overwritten: all of the question and what it changes are read before anything else is done. Resolves to whether to go on. */
export async function confirmed(question: string, lines: readonly string[], action: string): Promise<boolean> {
	return (await vscode.window.showWarningMessage(withoutLinks(question), { modal: true, detail: lines.join('\n') }, action)) === action;
}

/** Shows that something goes on, which the user can call off; the work ends with its signal. */
export function working<T>(
	title: string,
	work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
	const progress = { location: vscode.ProgressLocation.Notification, title: withoutLinks(title), cancellable: true };
	return Promise.resolve(
		vscode.window.withProgress(progress, async (shown, token) => {
			const ending = new AbortController();
			const listener = token.onCancellationRequested(() => ending.abort());
			try {
				return await work(ending.signal, message => shown.report({ message: withoutLinks(message) }));
			} finally {
				listener?.dispose();
			}
		}),
	);
}

/** Says what happened, with what may be done next; resolves once it was said. What is pressed is carried out later. */
export function tell(sentence: string, next: Readonly<Record<string, () => unknown>> = {}, severity: 'info' | 'warning' = 'info'): void {
	const show = severity === 'info' ? vscode.window.showInformationMessage : vscode.window.showWarningMessage;
	void show(withoutLinks(sentence), ...Object.keys(next)).then(choice => (choice === undefined ? undefined : next[choice]?.()));
}
