/** Anything that can be disposed: VS Code's disposables and ours. */
export interface Disposable {
	dispose(): unknown;
}

/** Calls a listener on each change until the returned object is disposed. Compatible with `vscode.Event`. */
export type Listen<T> = (listener: (value: T) => unknown) => Disposable;

/**
 * Base class for owners of disposables. Anything added after disposal is disposed immediately, so that asynchronous set-up that finishes
 * late doesn't leak anything.
 */
export abstract class DisposableBase implements Disposable {
	#held: Disposable[] = [];
	#disposed = false;

	/** True after disposal. Must be checked after every `await`. */
	protected get disposed(): boolean {
		return this.#disposed;
	}

	/** Disposes a disposable together with this object, and returns the disposable. */
	protected register<T extends Disposable>(disposable: T): T {
		if (this.#disposed) {
			disposable.dispose();
		} else {
			this.#held.push(disposable);
		}
		return disposable;
	}

	/**
	 * Disposes everything, last added first, even if some of it fails: an error must not keep the rest from saving. Throws the first error
	 * at the end. Further calls do nothing.
	 */
	dispose(): void {
		this.#disposed = true;
		const held = this.#held;
		this.#held = [];
		const errors: unknown[] = [];
		for (const disposable of held.reverse()) {
			try {
				disposable.dispose();
			} catch (error) {
				errors.push(error);
			}
		}
		if (errors.length > 0) {
			throw errors[0];
		}
	}
}

/** A collection of disposables that callers add to. */
export class Disposables extends DisposableBase {
	override register<T extends Disposable>(disposable: T): T {
		return super.register(disposable);
	}
}
