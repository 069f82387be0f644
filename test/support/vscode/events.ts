import type * as vscode from 'vscode';

export class Disposable {
	readonly dispose: () => unknown;

	constructor(dispose: () => unknown) {
		this.dispose = dispose;
	}
}

/** As the editor's: a listener that throws stops no other. */
export class EventEmitter<T> {
	readonly #listeners = new Set<(event: T) => unknown>();

	readonly event: vscode.Event<T> = (listener, self, disposables) => {
		const bound = (event: T) => listener.call(self, event);
		this.#listeners.add(bound);
		const disposable = new Disposable(() => this.#listeners.delete(bound));
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

/** An event of what a stand-in never has. */
export const never: vscode.Event<never> = () => new Disposable(() => {});

export class CancellationError extends Error {
	override readonly name = 'Canceled';
}

/** As the editor's: who listens after it was cancelled is told at once. */
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
