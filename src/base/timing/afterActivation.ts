import type { Disposable } from '../disposables.ts';

/**
 * Defers work that isn't needed to show a window, such as reading settings, until after activation, because VS Code waits for activation.
 * Disposing the result before then cancels the work.
 */
export function runAfterActivation(act: () => unknown): Disposable {
	const timer = setTimeout(act, 0);
	return { dispose: () => clearTimeout(timer) };
}
