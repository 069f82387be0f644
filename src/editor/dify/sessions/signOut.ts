import * as vscode from 'vscode';
import type { DifyDeployment, DifySession } from '#client/dify/management.ts';
import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { background } from '../../platform/background.ts';
import { translateError } from '../../platform/translateError.ts';
import { withoutLinks } from '../../platform/wording.ts';
import type { DifyClient } from '../difyClient.ts';
import { ownerOf, turnOf } from './sessionOwner.ts';
import type { SessionStore } from './sessionStore.ts';
import type { SharedTurns } from './sharedTurns.ts';

/** What signing out works with. */
export interface SignOutParts {
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly turns: SharedTurns;
	/** What stands at an origin. */
	readonly deployment: (entry: ConnectionEntry) => Promise<DifyDeployment>;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Forgets a connection's sign-in, and has its deployment forget it: resolves once nothing of it is here any more. Where the deployment could not be told, that
 * is said when it turns out.
 */
export async function signOut(parts: SignOutParts, entry: ConnectionEntry): Promise<void> {
	const { sessions, turns, log } = parts;
	const owner = ownerOf(entry);
	const forgotten = Promise.withResolvers<void>();
	// not while another window prolongs it: what came of that would be kept after this
	const told = turns.take(turnOf(owner), async () => {
		const { session } = (await sessions.get(owner)) ?? {};
		await sessions.forget(entry.id);
		forgotten.resolve();
		if (session) {
			await revoke(parts, entry, session);
		}
	});
	told.catch(forgotten.reject);
	background(told, log, 'Sign-out');
	await forgotten.promise;
}

async function revoke({ client, deployment }: SignOutParts, entry: ConnectionEntry, session: DifySession): Promise<void> {
	try {
		await client.signOut(await deployment(entry), session);
	} catch (error) {
		void vscode.window.showWarningMessage(
			withoutLinks(
				vscode.l10n.t(
					'Signed out of “{0}” here. The deployment could not be told, where the sign-in counts until it ends: {1}',
					entry.name,
					translateError(error),
				),
			),
		);
	}
}
