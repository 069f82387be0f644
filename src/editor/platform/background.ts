import type { LogOutputChannel } from 'vscode';
import { getErrorMessage, isCancellation } from '#base/problems.ts';

/**
 * Starts work that no caller awaits. Logs a failure with `what` as its label, so that it doesn't become an unhandled rejection of the
 * extension host. For work that the user asked for, use a command instead, which shows failures.
 */
export function runInBackground(work: PromiseLike<unknown>, log: Pick<LogOutputChannel, 'debug' | 'warn'>, what: string): void {
	work.then(undefined, (error: unknown) => log[isCancellation(error) ? 'debug' : 'warn'](`${what}: ${getErrorMessage(error)}`));
}
