import type { LogOutputChannel } from 'vscode';
import { isCancellation, messageOf } from '#base/problems.ts';

/**
 * The one way to start work that nobody waits for: what becomes of it is nobody's return value, so a failure is logged, with what it was about, and
 * never an unhandled rejection of the extension host. What a user has asked for is a command instead, whose failure is shown.
 */
export function background(work: PromiseLike<unknown>, log: Pick<LogOutputChannel, 'debug' | 'warn'>, what: string): void {
	work.then(undefined, (error: unknown) => log[isCancellation(error) ? 'debug' : 'warn'](`${what}: ${messageOf(error)}`));
}
