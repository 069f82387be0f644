import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import { translateMessage } from '#base/text/localizableMessage.ts';
import type { DifyDeployment } from '#client/dify/management.ts';
import type { DifySignIn } from '#client/dify/signIn.ts';
import type { ConnectionEntry } from '../../connections/connectionEntries.ts';
import { formatDate } from '../../platform/format.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { Deployments } from '../deployments.ts';
import type { DifyClient } from '../difyClient.ts';
import { createAbortSignal } from '../signalOf.ts';
import { signInWithCode } from './codeSignIn.ts';
import { describeOperations, formatDeploymentName } from './deploymentNames.ts';
import { signInWithPassword } from './passwordSignIn.ts';
import type { SessionStore } from './sessionStore.ts';
import { chooseWorkspace } from './workspaces.ts';

interface SignInParts {
	readonly client: DifyClient;
	readonly sessions: SessionStore;
	readonly deployments: Pick<Deployments, 'detectDeployment' | 'getManagement' | 'isManagedAt'>;
}

/**
 * Signs in to manage the apps of a connection's deployment. Shows which deployment was detected, and what is saved. Resolves to false if
 * the user cancels. Rejects if the deployment refuses the sign-in.
 */
export async function signInToDeployment(
	{ client, sessions, deployments }: SignInParts,
	entry: ConnectionEntry,
	origin: string,
): Promise<boolean> {
	const title = vscode.l10n.t("Sign in to '{0}'", entry.name);
	const progress = {
		location: vscode.ProgressLocation.Notification,
		title: vscode.l10n.t('Checking the sign-in options of {0}…', origin),
		cancellable: true,
	};
	const deployment = await vscode.window.withProgress(progress, (_, cancelled) =>
		deployments.detectDeployment(origin, createAbortSignal(cancelled)),
	);
	const way = await chooseSignInMethod(deployment, title, entry);
	const signedIn =
		way === 'device'
			? await signInWithCode(client, deployment, entry)
			: way === 'password'
				? await signInWithPassword(client, deployment, title)
				: undefined;
	if (!signedIn) {
		return false;
	}
	const workspace = await chooseWorkspace(signedIn.workspaces, signedIn.defaultWorkspaceId);
	if (!deployments.isManagedAt(entry.id, origin)) {
		// the sign-in isn't saved, so it couldn't be used or signed out later; if signing out fails now, it expires
		await client.signOut(deployment, signedIn.session).catch(() => {});
		throw new Problem('connection-changed', vscode.l10n.t("Couldn't sign in: '{0}' was removed or changed in the meantime.", entry.name));
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
	showSignInResult(entry, signedIn, failed);
	if (signedIn.session.kind === 'console' && workspace && workspace.id !== signedIn.defaultWorkspaceId) {
		// a console only manages the account's current workspace
		await (await deployments.getManagement(entry.id, { ask: false })).switchWorkspace(workspace.id);
	}
	return true;
}

async function chooseSignInMethod(
	deployment: DifyDeployment,
	title: string,
	{ id }: ConnectionEntry,
): Promise<'device' | 'password' | undefined> {
	const { signIns, origin, closedBecause } = deployment;
	if (signIns.length === 0) {
		throw new Problem(
			'no-sign-in',
			closedBecause === undefined
				? vscode.l10n.t({
						message: "{0} at {1} doesn't support signing in.",
						args: [formatDeploymentName(deployment), origin],
						comment: ["{0} is the kind of a Dify server, such as 'Dify 1.9', {1} is its address"],
					})
				: translateMessage(closedBecause, vscode.l10n.t),
			{ title: vscode.l10n.t('Try again'), command: 'agentWorkbench.dify.signIn', arguments: [id] },
		);
	}
	const ways = {
		device: {
			label: vscode.l10n.t('$(globe) Browser'),
			detail: vscode.l10n.t('You confirm a code in the browser. The token is saved only in the system keyring.'),
			way: 'device' as const,
		},
		password: {
			label: vscode.l10n.t('$(lock) Email and password'),
			detail: vscode.l10n.t('The password is sent once and never saved. The token is saved only in the system keyring.'),
			way: 'password' as const,
		},
	};
	const choice = await vscode.window.showQuickPick(
		signIns.map(each => ways[each]),
		{
			title: toOneLine(`${title} · ${formatDeploymentName(deployment)}`, 120),
			placeHolder: describeOperations(deployment),
			ignoreFocusOut: true,
		},
	);
	return choice?.way;
}

function showSignInResult({ name }: ConnectionEntry, { session }: DifySignIn, failed: string | undefined): void {
	if (failed !== undefined) {
		void vscode.window.showWarningMessage(
			escapeLinks(
				vscode.l10n.t("Couldn't save the sign-in to '{0}' in the system keyring ({1}). It's kept until this window closes.", name, failed),
			),
		);
		return;
	}
	const until = session.kind === 'device' && session.expiresAt !== undefined ? formatDate(session.expiresAt * 1000) : undefined;
	void vscode.window.showInformationMessage(
		escapeLinks(
			until === undefined ? vscode.l10n.t("Signed in to '{0}'.", name) : vscode.l10n.t("Signed in to '{0}' until {1}.", name, until),
		),
	);
}
