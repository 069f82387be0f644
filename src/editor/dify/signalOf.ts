import type { CancellationToken } from 'vscode';

/** A signal that aborts when a token is cancelled. */
export function signalOf(token: CancellationToken): AbortSignal {
	const controller = new AbortController();
	token.onCancellationRequested(() => controller.abort());
	return controller.signal;
}
