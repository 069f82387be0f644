import path from 'node:path';
import { DisposableBase } from '#base/disposables.ts';
import { WindowClaims } from '#base/files/windowClaims.ts';
import { WindowPresence } from '#base/files/windowPresence.ts';

const waitMs = 50;

/**
 * Makes windows that share a user's secrets take turns. A refresh token can be used only once, so the next window has to use the new token.
 */
export class SharedTurns extends DisposableBase {
	readonly #claims: WindowClaims;
	readonly #queues = new Map<string, Promise<unknown>>();

	/** @param folder a folder that all windows share, whichever workspace they have open */
	constructor(folder: string) {
		super();
		this.#claims = new WindowClaims(path.join(folder, 'turns'), this.register(new WindowPresence(folder)));
	}

	/**
	 * Runs `act` once no other window or caller is running anything under this ID. Rejects if `act` does, or if the folder isn't writable.
	 */
	runInTurn<T>(id: string, act: () => Promise<T>): Promise<T> {
		const turn = (this.#queues.get(id) ?? Promise.resolve()).then(() => this.#runWithClaim(encodeURIComponent(id), act));
		const settled = turn.catch(() => {});
		this.#queues.set(id, settled);
		return turn;
	}

	async #runWithClaim<T>(id: string, act: () => Promise<T>): Promise<T> {
		while (!(await this.#claims.claimItem(id))) {
			// claims of closed windows expire (WindowClaims)
			await new Promise(resolve => setTimeout(resolve, waitMs));
		}
		try {
			return await act();
		} finally {
			this.#claims.releaseItem(id);
		}
	}
}
