import type { LogOutputChannel } from 'vscode';
import { getErrorMessage, isCancellation } from '#base/problems.ts';

/**
 * Starts work that no caller awaits. A failure is logged with `what` as its label, so it never becomes an unhandled rejection of the extension host.
 * Use a command instead for work that the user asked for: its failures are shown.
 */
export function runInBackground(work: PromiseLike<unknown>, log: Pick<LogOutputChannel, 'debug' | 'warn'>, what: string): void {
	work.then(undefined, (error: unknown) => log[isCancellation(error) ? 'debug' : 'warn'](`${what}: ${getErrorMessage(error)}`));
}
