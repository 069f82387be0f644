import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { getModeLabel } from '../platform/difyModeText.ts';
import { getNamedApps } from './appChoice.ts';
import { pickApps } from './appPicks.ts';
import type { Deployments } from './deployments.ts';
import { chooseDifyEntry } from './difyEntries.ts';
import type { AppOfDeployment } from './difyTypes.ts';
import { createKey, type KeyParts } from './keys/createKey.ts';
import { deleteKey } from './keys/deleteKey.ts';
import { enableServiceApi } from './keys/serviceApi.ts';
import { openInBrowser } from './openInBrowser.ts';
import { getSessionOwner } from './sessions/sessionOwner.ts';
import { type SignOutParts, signOut } from './sessions/signOut.ts';
import { pickWorkspace } from './sessions/workspaces.ts';

interface ManagementActionParts extends KeyParts, Omit<SignOutParts, 'deployment'> {
	readonly signIn: (connectionId: string) => Promise<boolean>;
}

/** Creates the handlers of the commands for sign-ins, workspaces and keys. */
export function createManagementHandlers(parts: ManagementActionParts): CommandHandlers {
	const { deployments, settings } = parts;
	const isSignedIn = ({ id }: { readonly id: string }) => deployments.getState(id).kind !== 'signed-out';
	const createAppHandler = (act: (of: AppOfDeployment) => unknown) => async (argument: unknown) => {
		const [of] = getNamedApps(argument);
		const chosen = of ?? (await chooseApp(parts));
		return chosen && act(chosen);
	};
	return {
		'agentWorkbench.dify.signIn': async argument => {
			const entry = await chooseDifyEntry(settings, argument, vscode.l10n.t('Select a connection to sign in to'));
			return entry && parts.signIn(entry.id);
		},
		'agentWorkbench.dify.signOut': async argument => {
			const entry = await chooseDifyEntry(settings, argument, vscode.l10n.t('Select a connection to sign out of'), isSignedIn);
			return entry && signOut({ ...parts, deployment: each => deployments.getDeploymentOfEntry(each) }, entry);
		},
		'agentWorkbench.dify.switchWorkspace': async argument => {
			const entry = await chooseDifyEntry(settings, argument, vscode.l10n.t('Select a connection to switch the workspace of'), isSignedIn);
			return entry && switchWorkspace(parts, entry.id);
		},
		'agentWorkbench.difyApp.open': createAppHandler(async ({ connectionId, app }) =>
			openInBrowser(await deployments.getAppUrl(connectionId, app.id)),
		),
		'agentWorkbench.difyApp.createKey': createAppHandler(of => createKey(parts, of)),
		'agentWorkbench.difyApp.deleteKey': createAppHandler(of => deleteKey(parts, of)),
		'agentWorkbench.difyApp.enableServiceApi': createAppHandler(of => enableServiceApi(parts, of)),
	};
}

/** Asks for a workspace of the account, and switches to it. */
async function switchWorkspace({ deployments, sessions }: ManagementActionParts, connectionId: string): Promise<void> {
	const management = await deployments.getManagement(connectionId);
	const owner = getSessionOwner(deployments.getConnectionEntry(connectionId));
	const { workspaceId } = (await sessions.get(owner)) ?? {};
	const workspace = await pickWorkspace(await management.workspaces(), workspaceId);
	if (!workspace) {
		return;
	}
	// switch even to the workspace that is current here, because the account may have another current workspace by now
	await management.switchWorkspace(workspace.id);
	const now = await sessions.get(owner);
	if (now) {
		await sessions.set(owner, { ...now, workspaceId: workspace.id, workspace: workspace.name });
	}
}

/** Asks for a connection that is signed in, and for one of its apps. */
async function chooseApp({
	deployments,
	settings,
}: {
	readonly deployments: Deployments;
	readonly settings: KeyParts['settings'];
}): Promise<AppOfDeployment | undefined> {
	const placeHolder = vscode.l10n.t('Select the connection of the app');
	const entry = await chooseDifyEntry(settings, undefined, placeHolder, ({ id }) => deployments.getState(id).kind === 'signed-in');
	if (!entry) {
		return undefined;
	}
	const [chosen] = await pickApps(deployments, {
		connectionIds: [entry.id],
		placeHolder: vscode.l10n.t("Select an app in '{0}'", entry.name),
		describeApp: ({ app }) => ({ description: getModeLabel(app.mode) }),
	});
	return chosen;
}
