import type { Disposable } from '../disposables.ts';

/**
 * Does in a turn of its own what a window can be drawn without, such as reading settings: the editor waits for an extension's activation,
 * and for all that stand behind it. Disposed of before its turn, it does nothing.
 */
export function afterActivation(act: () => unknown): Disposable {
	const timer = setTimeout(act, 0);
	return { dispose: () => clearTimeout(timer) };
}
