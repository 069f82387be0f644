import path from 'node:path';
import { DisposableBase } from '#base/disposables.ts';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';

const waitMs = 50;

/**
 * What one window at a time may do, of all windows of this machine that share a user's secrets: a refresh token serves once, and who comes second must
 * begin with the one that came of it.
 */
export class SharedTurns extends DisposableBase {
	readonly #claims: WindowClaims;
	readonly #queues = new Map<string, Promise<unknown>>();

	/** `folder`: one that all windows share, whatever they have open. */
	constructor(folder: string) {
		super();
		this.#claims = new WindowClaims(path.join(folder, 'turns'), this.own(new WindowPresence(folder)));
	}

	/** Does something once nobody else does anything under this ID. Rejects as `act` does, or where the folder cannot be written. */
	take<T>(id: string, act: () => Promise<T>): Promise<T> {
		const turn = (this.#queues.get(id) ?? Promise.resolve()).then(() => this.#claimed(encodeURIComponent(id), act));
		const settled = turn.catch(() => {});
		this.#queues.set(id, settled);
		return turn;
	}

	async #claimed<T>(id: string, act: () => Promise<T>): Promise<T> {
		while (!(await this.#claims.claim(id))) {
			// a window that is gone loses its claims by itself (WindowClaims)
			await new Promise(resolve => setTimeout(resolve, waitMs));
		}
		try {
			return await act();
		} finally {
			this.#claims.release(id);
		}
	}
}
