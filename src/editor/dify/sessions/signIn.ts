import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { DifyDeployment } from '#client/dify/management.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { formatDate } from '../../platform/format.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';
import type { Deployments } from '../deployments.ts';
import type { DifyClient } from '../difyClient.ts';
import { signalOf } from '../signalOf.ts';
import { signInByCode } from './codeSignIn.ts';
import { deploymentName, deploymentOffers } from './deploymentWords.ts';
import { signInByPassword } from './passwordSignIn.ts';
import type { SessionStore } from './sessionStore.ts';
import { chooseWorkspace } from './workspaces.ts';

/** What signing in works with. */
interface SignInParts {
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly deployments: Pick<Deployments, 'detect' | 'management' | 'isAt'>;
}

/**
 * Signs in to manage the apps of a connection's deployment: says what stands there, by which way one signs in and what is kept. Resolves to whether
 * somebody is signed in now; rejects where the deployment refuses.
 */
export async function signIn({ client, sessions, deployments }: SignInParts, entry: ConnectionEntry, origin: string): Promise<boolean> {
	const title = vscode.l10n.t('Sign in to “{0}”', entry.name);
	const progress = {
		location: vscode.ProgressLocation.Notification,
		title: vscode.l10n.t('Asking {0} how to sign in', origin),
		cancellable: true,
	};
	const deployment = await vscode.window.withProgress(progress, (_, cancelled) => deployments.detect(origin, signalOf(cancelled)));
	const way = await chooseWay(deployment, title, entry);
	const signedIn =
		way === 'device'
			? await signInByCode(client, deployment, entry)
			: way === 'password'
				? await signInByPassword(client, deployment, title)
				: undefined;
	if (!signedIn) {
		return false;
	}
	const workspace = await chooseWorkspace(signedIn.workspaces, signedIn.defaultWorkspaceId);
	if (!deployments.isAt(entry.id, origin)) {
		// nobody could use it, and nobody would sign it out; what cannot be told now ends by itself
		await client.signOut(deployment, signedIn.session).catch(() => {});
		throw new Problem(
			'connection-changed',
			vscode.l10n.t('“{0}” was removed or changed meanwhile, so nobody is signed in to it.', entry.name),
		);
	}
	const failed = await sessions.set(
		{ id: entry.id, origin },
		{
			id: randomUUID(),
			session: signedIn.session,
			account: signedIn.account?.email,
			workspaceId: workspace?.id,
			workspace: workspace?.name,
		},
	);
	tellKept(entry, signedIn, failed);
	if (signedIn.session.kind === 'console' && workspace && workspace.id !== signedIn.defaultWorkspaceId) {
		// a console works in the account's current workspace alone
		await (await deployments.management(entry.id, { ask: false })).switchWorkspace(workspace.id);
	}
	return true;
}

async function chooseWay(deployment: DifyDeployment, title: string, { id }: ConnectionEntry): Promise<'device' | 'password' | undefined> {
	const { signIns, origin, closedBecause } = deployment;
	if (signIns.length === 0) {
		throw new Problem(
			'no-sign-in',
			vscode.l10n.t(
				'{0} at {1} takes no sign-in: {2}',
				deploymentName(deployment),
				origin,
				closedBecause ?? vscode.l10n.t('it offers none.'),
			),
			{ title: vscode.l10n.t('Try again'), command: 'agentWorkbench.dify.signIn', arguments: [id] },
		);
	}
	const ways = {
		device: {
			label: `$(globe) ${vscode.l10n.t('In the browser')}`,
			detail: vscode.l10n.t('You confirm a code there; the token is kept, in the system’s keyring alone.'),
			way: 'device' as const,
		},
		password: {
			label: `$(lock) ${vscode.l10n.t('With mail address and password')}`,
			detail: vscode.l10n.t('The password is sent once and never kept; the token is kept, in the system’s keyring alone.'),
			way: 'password' as const,
		},
	};
	const choice = await vscode.window.showQuickPick(
		signIns.map(each => ways[each]),
		{ title: oneLine(`${title} · ${deploymentName(deployment)}`, 120), placeHolder: deploymentOffers(deployment), ignoreFocusOut: true },
	);
	return choice?.way;
}

function tellKept({ name }: ConnectionEntry, { session }: DifySignIn, failed: string | undefined): void {
	if (failed !== undefined) {
		void vscode.window.showWarningMessage(
			withoutLinks(
				vscode.l10n.t('The system’s keyring did not take the sign-in to “{0}” ({1}). It is kept until this window closes.', name, failed),
			),
		);
		return;
	}
	const until = session.kind === 'device' && session.expiresAt !== undefined ? formatDate(session.expiresAt * 1000) : undefined;
	void vscode.window.showInformationMessage(
		withoutLinks(
			until === undefined ? vscode.l10n.t('Signed in to “{0}”.', name) : vscode.l10n.t('Signed in to “{0}” until {1}.', name, until),
		),
	);
}
