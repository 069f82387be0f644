import type { CancellationToken } from 'vscode';

/** Creates a signal that aborts when a token is canceled. */
export function createAbortSignal(token: CancellationToken): AbortSignal {
	const controller = new AbortController();
	token.onCancellationRequested(() => controller.abort());
	return controller.signal;
}
