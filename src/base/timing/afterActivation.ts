import type { Disposable } from '../disposables.ts';

/**
 * Runs work that isn't needed to show a window, such as reading settings, after activation: VS Code waits for an extension's activation.
 * Disposing it first cancels it.
 */
export function runAfterActivation(act: () => unknown): Disposable {
	const timer = setTimeout(act, 0);
	return { dispose: () => clearTimeout(timer) };
}
