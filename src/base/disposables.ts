/** Anything with an end: the editor's disposables and ours. */
export interface Disposable {
	dispose(): unknown;
}

/** Calls a listener at each change, until what it returns is disposed of; `vscode.Event` is one. */
export type Listen<T> = (listener: (value: T) => unknown) => Disposable;

/**
 * Base of whatever holds disposables. What is added after the end is disposed of at once, so that an object that finishes its set-up
 * late (a process that came up after the window closed, say) leaves nothing behind.
 */
export abstract class DisposableBase implements Disposable {
	#held: Disposable[] = [];
	#disposed = false;

	/** Whether the end has come; work that was awaited looks here before it goes on. */
	protected get disposed(): boolean {
		return this.#disposed;
	}

	/** Keeps a disposable until the end of this object; returns it. */
	protected own<T extends Disposable>(disposable: T): T {
		if (this.#disposed) {
			disposable.dispose();
		} else {
			this.#held.push(disposable);
		}
		return disposable;
	}

	/** Disposes of everything held, last added first. Calling it again does nothing. */
	dispose(): void {
		this.#disposed = true;
		const held = this.#held;
		this.#held = [];
		for (const disposable of held.reverse()) {
			disposable.dispose();
		}
	}
}

/** A collection of disposables that others add to. */
export class Disposables extends DisposableBase {
	override own<T extends Disposable>(disposable: T): T {
		return super.own(disposable);
	}
}
