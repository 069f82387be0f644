import * as vscode from 'vscode';
import { Problem, reasonOf } from '#base/problems.ts';
import type { DifyManagement } from '#client/dify/management.ts';
import type { DifyLink } from '#dify/linkTypes.ts';
import type { Backups } from '#dify/syncTypes.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import { oneLine, withoutLinks } from '../../platform/wording.ts';
import type { DifyDeployments } from '../difyTypes.ts';
import type { ComparedTexts } from './comparedTexts.ts';
import type { LinkedApps } from './linkedApps.ts';
import type { PushConsents } from './pushConsents.ts';

/** What every action on apps works with. */
export interface AppWork {
	readonly deployments: DifyDeployments;
	readonly connections: Connections;
	readonly links: LinkedApps;
	readonly backups: Backups;
	readonly compared: ComparedTexts;
	readonly consents: PushConsents;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
	readonly log: vscode.LogOutputChannel;
}

/** Name of a connection, as sentences have it. */
export function connectionName({ connections }: Pick<AppWork, 'connections'>, id: string): string {
	return oneLine(connections.get(id)?.name ?? id, 60);
}

/**
 * Works with a deployment. Where the sign-in ends meanwhile, offers to sign in anew, and begins the work from its start: so it looks at what is there
 * before it changes anything.
 * @throws a cancellation where the user rather does not sign in
 */
export async function withDeployment<T>(
	parts: AppWork,
	connectionId: string,
	work: (management: DifyManagement) => Promise<T>,
): Promise<T> {
	for (;;) {
		const management = await parts.deployments.management(connectionId);
		try {
			return await work(management);
		} catch (error) {
			if (!isSignInEnded(error)) {
				throw error;
			}
			parts.log.info(`The sign-in to ${management.deployment.origin} has ended`);
			const sentence = vscode.l10n.t(
				'The sign-in to “{0}” has ended, so this stopped halfway; nothing is lost. Sign in, and it begins anew.',
				connectionName(parts, connectionId),
			);
			const signIn = vscode.l10n.t('Sign In and Go On');
			if ((await vscode.window.showWarningMessage(withoutLinks(sentence), { modal: true }, signIn)) !== signIn) {
				throw new vscode.CancellationError();
			}
		}
	}
}

/**
 * The connection of the user's own that leads to the app which a sidecar file names: one at its origin, in its workspace if one is.
 * @throws {Problem} where none does
 */
export function connectionTo({ deployments }: Pick<AppWork, 'deployments'>, link: DifyLink, file: string): string {
	const ids = deployments.connectionsAt(link.origin);
	const isIn = (id: string): boolean => {
		const state = deployments.state(id);
		return state.kind === 'signed-in' && state.workspaceId === link.workspace_id;
	};
	const id = ids.find(isIn) ?? ids[0];
	if (id === undefined) {
		throw new Problem(
			'unknown-connection',
			vscode.l10n.t('{0} is of an app at {1}, and none of your connections leads there: add one of the kind Dify.', file, link.origin),
			{ title: vscode.l10n.t('Add Connection…'), command: 'agentWorkbench.connection.add' },
		);
	}
	return id;
}

/** Whether an error says that nobody is signed in any more; the client's errors come from another bundle, and are told by name. */
export function isSignInEnded(error: unknown): boolean {
	const reason = reasonOf(error);
	return reason === 'session-expired' || (error instanceof Error && reason === 'auth' && 'status' in error && error.status === 401);
}
