import * as vscode from 'vscode';
import { escapeLinks } from './wording.ts';

/**
 * Shows a progress notification once `work` has run for half a second or reports something. Its signal aborts when the user cancels.
 * Short work shows none: VS Code drops the fourth notification within 0.8 s, which would be the one that says what was done.
 */
export async function runWithProgress<T>(
	title: string,
	work: (signal: AbortSignal, report: (message: string) => void) => Promise<T>,
): Promise<T> {
	const ending = new AbortController();
	const due = Promise.withResolvers<void>();
	const timer = setTimeout(due.resolve, 500);
	let progress: vscode.Progress<{ message: string }> | undefined;
	let message: string | undefined;
	const result = work(ending.signal, news => {
		message = escapeLinks(news);
		progress?.report({ message });
		due.resolve();
	});
	try {
		const isDone = await Promise.race([result.then(() => true), due.promise.then(() => false)]);
		if (!isDone) {
			const options = { location: vscode.ProgressLocation.Notification, title: escapeLinks(title), cancellable: true };
			await vscode.window.withProgress(options, async (shown, token) => {
				progress = shown;
				if (message !== undefined) {
					shown.report({ message });
				}
				token.onCancellationRequested(() => ending.abort());
				await result;
			});
		}
	} finally {
		clearTimeout(timer);
	}
	return result;
}
