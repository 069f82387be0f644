import { DisposableBase } from '#base/disposables.ts';
import type { DifyDeployment, DifyManagement } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { DifyClient } from './difyClient.ts';
import { signInEnded } from './difyProblem.ts';
import { withRemedies } from './remedies.ts';
import { ownerOf, turnOf } from './sessions/sessionOwner.ts';
import type { SessionStore, SignIn } from './sessions/sessionStore.ts';
import type { SharedTurns } from './sessions/sharedTurns.ts';

interface Parts {
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly turns: SharedTurns;
	/** Hears of everything that a deployment refused. */
	readonly onFault: (entry: ConnectionEntry, error: unknown) => void;
}

/** One management a sign-in, kept as long as that lasts; what its token becomes is kept before anything else is sent. */
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
		const management = this.#make(entry, signIn, deployment);
		this.#open.set(entry.id, { of, management });
		management.catch(() => this.#open.get(entry.id)?.management === management && this.#open.delete(entry.id));
		return management;
	}

	async #make(entry: ConnectionEntry, signIn: SignIn, deployment: DifyDeployment): Promise<DifyManagement> {
		const { client, sessions, turns, onFault } = this.#parts;
		const owner = ownerOf(entry);
		const management = await client.open({
			deployment,
			session: signIn.session!,
			workspaceId: signIn.workspaceId,
			// of several windows that have the same session, one at a time prolongs it, and begins with what the one before has left
			alone: prolong =>
				turns.take(turnOf(owner), async () => {
					const now = await sessions.get(owner);
					if (now?.id !== signIn.id || !now.session) {
						throw signInEnded(entry);
					}
					return prolong(now.session);
				}),
			onSession: async session => {
				const now = await sessions.get(owner);
				// who has signed out or in anew meanwhile is not overruled
				if (now?.id === signIn.id) {
					await sessions.set(owner, { ...now, session });
				}
			},
		});
		return withRemedies(management, entry, error => onFault(entry, error));
	}
}
