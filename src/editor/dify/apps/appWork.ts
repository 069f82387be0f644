import * as vscode from 'vscode';
import { getErrorReason, Problem } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import type { BaseTexts } from '#dify/files/baseTexts.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { Backups } from '#dify/syncTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { ComparedTexts } from '../../platform/comparedTexts.ts';
import { escapeLinks, toOneLine } from '../../platform/wording.ts';
import type { DifyDeployments } from '../difyTypes.ts';
import type { LinkedApps } from './linkedApps.ts';
import type { PushConsents } from './pushConsents.ts';

/** Dependencies of all actions on apps. */
export interface AppWork {
	readonly deployments: DifyDeployments;
	readonly connections: Connections;
	readonly links: LinkedApps;
	readonly backups: Backups;
	readonly bases: BaseTexts;
	readonly compared: ComparedTexts;
	readonly consents: PushConsents;
	/** Returns the absolute paths of the agent folders, or none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly log: vscode.LogOutputChannel;
}

/** Returns the name of a connection for a message. */
export function getConnectionName({ connections }: Pick<AppWork, 'connections'>, id: string): string {
	return toOneLine(connections.get(id)?.name ?? id, 60);
}

/**
 * Calls `work` with the management of a deployment. If the sign-in expires meanwhile, offers to sign in again and restarts `work`.
 * Therefore `work` has to check the current state before it changes anything.
 * @throws a cancellation if the user doesn't sign in
 */
export async function runWithManagement<T>(
	parts: AppWork,
	connectionId: string,
	work: (management: DifyManagement) => Promise<T>,
): Promise<T> {
	for (;;) {
		const management = await parts.deployments.getManagement(connectionId);
		try {
			return await work(management);
		} catch (error) {
			if (!isSignInExpired(error)) {
				throw error;
			}
			parts.log.info(`The sign-in to ${management.deployment.origin} has expired`);
			const message = vscode.l10n.t(
				"The sign-in to '{0}' has expired, so the operation didn't finish. Nothing is lost. Sign in to start it again.",
				getConnectionName(parts, connectionId),
			);
			const signIn = vscode.l10n.t('Sign in and retry');
			if ((await vscode.window.showWarningMessage(escapeLinks(message), { modal: true }, signIn)) !== signIn) {
				throw new vscode.CancellationError();
			}
		}
	}
}

/**
 * Returns the user's connection to the app that a sidecar file links to: a connection with the same origin, preferably with the same
 * workspace.
 * @throws {Problem} if there is none
 */
export function findConnectionTo({ deployments }: Pick<AppWork, 'deployments'>, link: DifyLink, file: string): string {
	const ids = deployments.listConnectionsAt(link.origin);
	const isInWorkspace = (id: string): boolean => {
		const state = deployments.getState(id);
		return state.kind === 'signed-in' && state.workspaceId === link.workspace_id;
	};
	const id = ids.find(isInWorkspace) ?? ids[0];
	if (id === undefined) {
		throw new Problem(
			'unknown-connection',
			vscode.l10n.t(
				"'{0}' is linked to an app at {1}, but you have no connection to that server. Add a connection of kind 'Dify'.",
				file,
				link.origin,
			),
			{ title: vscode.l10n.t('Add connection…'), command: 'agentWorkbench.connection.add' },
		);
	}
	return id;
}

/** True if an error means that the sign-in has expired. Doesn't use `instanceof`, because the client's errors come from another bundle. */
export function isSignInExpired(error: unknown): boolean {
	const reason = getErrorReason(error);
	return reason === 'session-expired' || (error instanceof Error && reason === 'auth' && 'status' in error && error.status === 401);
}
