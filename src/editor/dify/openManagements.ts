import { DisposableBase } from '#base/disposables.ts';
import type { DifyDeployment, DifyManagement } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { DifyClient } from './difyClient.ts';
import { createSignInExpiredProblem } from './difyProblem.ts';
import { addRemedies } from './remedies.ts';
import { formatTurnId, getSessionOwner } from './sessions/sessionOwner.ts';
import type { SessionStore, SignIn } from './sessions/sessionStore.ts';
import type { SharedTurns } from './sessions/sharedTurns.ts';

interface Parts {
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly turns: SharedTurns;
	/** Called for each failed request. */
	readonly onFault: (entry: ConnectionEntry, error: unknown) => void;
}

/** Caches one management per sign-in. Saves new tokens before sending the next request. */
export class OpenManagements extends DisposableBase {
	readonly #parts: Parts;
	readonly #open = new Map<string, { readonly of: string; readonly management: Promise<DifyManagement> }>();

	constructor(parts: Parts) {
		super();
		this.#parts = parts;
	}

	get(entry: ConnectionEntry, signIn: SignIn, deployment: DifyDeployment): Promise<DifyManagement> {
		const of = JSON.stringify([entry, signIn.id, signIn.workspaceId, deployment]);
		const known = this.#open.get(entry.id);
		if (known?.of === of) {
			return known.management;
		}
		const management = this.#createManagement(entry, signIn, deployment);
		this.#open.set(entry.id, { of, management });
		management.catch(() => this.#open.get(entry.id)?.management === management && this.#open.delete(entry.id));
		return management;
	}

	async #createManagement(entry: ConnectionEntry, signIn: SignIn, deployment: DifyDeployment): Promise<DifyManagement> {
		const { client, sessions, turns, onFault } = this.#parts;
		const owner = getSessionOwner(entry);
		const management = await client.openManagement({
			deployment,
			session: signIn.session!,
			workspaceId: signIn.workspaceId,
			// windows that share a session take turns to refresh it, each with the tokens that the previous window saved
			alone: prolong =>
				turns.runInTurn(formatTurnId(owner), async () => {
					const now = await sessions.get(owner);
					if (now?.id !== signIn.id || !now.session) {
						throw createSignInExpiredProblem(entry);
					}
					return prolong(now.session);
				}),
			onSession: async session => {
				const now = await sessions.get(owner);
				// don't overwrite a newer sign-in, and don't restore one that was signed out
				if (now?.id === signIn.id) {
					await sessions.set(owner, { ...now, session });
				}
			},
		});
		return addRemedies(management, entry, error => onFault(entry, error));
	}
}
