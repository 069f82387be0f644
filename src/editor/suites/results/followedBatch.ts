import { DisposableBase } from '#base/disposables.ts';
import type { WindowBatch } from '../batches/batch.ts';

/** The batch of this window that writes the results on a page, if any. */
export class FollowedBatch extends DisposableBase {
	readonly #onChange: () => void;
	#batch: WindowBatch | undefined;
	#following: { dispose(): void } | undefined;

	/** @param onChange called on progress of the followed batch, and when it has ended */
	constructor(onChange: () => void) {
		super();
		this.#onChange = onChange;
		this.register({ dispose: () => this.#following?.dispose() });
	}

	get batch(): WindowBatch | undefined {
		return this.#batch;
	}

	/** Follows another batch, or none. */
	followBatch(batch: WindowBatch | undefined): void {
		if (batch !== this.#batch) {
			this.#following?.dispose();
			this.#batch = batch;
			this.#following = batch?.onDidChange(() => this.#onChange());
		}
	}
}
