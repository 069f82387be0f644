import * as vscode from 'vscode';
import type { DifyDeployment, DifySession } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { runInBackground } from '../../platform/background.ts';
import { translateError } from '../../platform/translateError.ts';
import { escapeLinks } from '../../platform/wording.ts';
import type { DifyClient } from '../difyClient.ts';
import { formatTurnId, getSessionOwner } from './sessionOwner.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SharedTurns } from './sharedTurns.ts';

/** Dependencies of {@link signOut}. */
export interface SignOutParts {
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly turns: SharedTurns;
	/** Detects the deployment of an entry. */
	readonly deployment: (entry: ConnectionEntry) => Promise<DifyDeployment>;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Removes a connection's sign-in from this machine, and revokes it on its deployment in the background. Resolves once it is removed here.
 * If it couldn't be revoked, shows a warning later.
 */
export async function signOut(parts: SignOutParts, entry: ConnectionEntry): Promise<void> {
	const { sessions, turns, log } = parts;
	const owner = getSessionOwner(entry);
	const forgotten = Promise.withResolvers<void>();
	// wait for another window that is refreshing the session, because it would save the new tokens afterwards
	const signedOut = turns.runInTurn(formatTurnId(owner), async () => {
		const { session } = (await sessions.get(owner)) ?? {};
		await sessions.deleteSignIns(entry.id);
		forgotten.resolve();
		if (session) {
			await revokeSession(parts, entry, session);
		}
	});
	signedOut.catch(forgotten.reject);
	runInBackground(signedOut, log, 'Sign-out');
	await forgotten.promise;
}

async function revokeSession({ client, deployment }: SignOutParts, entry: ConnectionEntry, session: DifySession): Promise<void> {
	try {
		await client.signOut(await deployment(entry), session);
	} catch (error) {
		void vscode.window.showWarningMessage(
			escapeLinks(
				vscode.l10n.t(
					"Signed out of '{0}' on this machine, but couldn't notify the server. The sign-in stays valid there until it expires. {1}",
					entry.name,
					translateError(error),
				),
			),
		);
	}
}
