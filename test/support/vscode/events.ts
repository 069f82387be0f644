import type * as vscode from 'vscode';

export class Disposable {
	readonly dispose: () => unknown;

	constructor(dispose: () => unknown) {
		this.dispose = dispose;
	}
}

/** As in the editor, a listener that throws doesn't stop others. */
export class EventEmitter<T> {
	readonly #listeners = new Set<(event: T) => unknown>();

	readonly event: vscode.Event<T> = (listener, self, disposables) => {
		const callListener = (event: T) => listener.call(self, event);
		this.#listeners.add(callListener);
		const disposable = new Disposable(() => this.#listeners.delete(callListener));
		disposables?.push(disposable);
		return disposable;
	};

	fire(event: T): void {
		for (const listener of [...this.#listeners]) {
			try {
				listener(event);
			} catch (error) {
				queueMicrotask(() => {
					throw error;
				});
			}
		}
	}

	dispose(): void {
		this.#listeners.clear();
	}
}

/** An event that never fires. */
export const ignoreEvents: vscode.Event<never> = () => new Disposable(() => {});

export class CancellationError extends Error {
	override readonly name = 'Canceled';
}

/** As in the editor, a listener added after cancellation is called immediately. */
export class CancellationTokenSource {
	readonly #cancelled = new EventEmitter<void>();
	#isCancelled = false;

	get token(): vscode.CancellationToken {
		const isCancelled = () => this.#isCancelled;
		return {
			get isCancellationRequested() {
				return isCancelled();
			},
			onCancellationRequested: listener => {
				if (isCancelled()) {
					queueMicrotask(() => listener(undefined));
				}
				return this.#cancelled.event(() => listener(undefined));
			},
		};
	}

	cancel(): void {
		if (!this.#isCancelled) {
			this.#isCancelled = true;
			this.#cancelled.fire();
		}
	}

	dispose(): void {
		this.#cancelled.dispose();
	}
}
