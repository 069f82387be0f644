import * as vscode from 'vscode';
import { Problem, type Remedy, reasonOf } from '#base/problems.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { AppOfDeployment } from './difyTypes.ts';

/** The action that signs in to a connection's deployment, in these words. */
function signInRemedy(connectionId: string, title: string): Remedy {
	return { title, command: 'agentWorkbench.dify.signIn', arguments: [connectionId] };
}

/** Nobody has signed in to a connection's deployment. */
export function signedOut({ id, name }: ConnectionEntry): Problem {
	return new Problem(
		'signed-out',
		vscode.l10n.t('Nobody is signed in to “{0}” to manage its apps.', name),
		signInRemedy(id, vscode.l10n.t('Sign in…')),
	);
}

/** The sign-in to a connection's deployment has ended. */
export function signInEnded({ id, name }: ConnectionEntry, options?: ErrorOptions): Problem {
	const message = vscode.l10n.t('The sign-in to “{0}” has ended.', name);
	const remedy = signInRemedy(id, vscode.l10n.t('Sign in again'));
	return new Problem('session-expired', message, remedy, { ...options, here: vscode.l10n.t('The sign-in has ended') });
}

/**
 * What a refusal of a deployment means to who manages it, with the action that mends it; anything that no action of ours mends passes as it is, with its
 * code. `of`: the app that was asked about.
 */
export function difyProblem(error: unknown, entry: ConnectionEntry, of?: AppOfDeployment): unknown {
	switch (codeOf(error)) {
		case 'session_expired':
			return signInEnded(entry, { cause: error });
		case 'workspace_switched':
			return new Problem(
				'workspace-switched',
				vscode.l10n.t('“{0}”: {1}', entry.name, (error as Error).message),
				{ title: vscode.l10n.t('Switch Workspace…'), command: 'agentWorkbench.dify.switchWorkspace', arguments: [entry.id] },
				{ cause: error, here: (error as Error).message },
			);
		case 'service_api_disabled':
			return of
				? new Problem(
						'service_api_disabled',
						vscode.l10n.t('The service API of this app of “{0}” is off.', entry.name),
						{ title: vscode.l10n.t('Enable'), command: 'agentWorkbench.difyApp.enableServiceApi', arguments: [of] },
						{ cause: error },
					)
				: error;
		default:
			return reasonOf(error) === 'network' && error instanceof Error
				? new Problem(
						'network',
						vscode.l10n.t('“{0}”: {1}', entry.name, error.message),
						{ title: vscode.l10n.t('Edit connection'), command: 'agentWorkbench.connection.edit', arguments: [entry.id] },
						{ cause: error, here: error.message },
					)
				: error;
	}
}

/** Code by which the client names a refusal: `session_expired`, `draft_changed`. */
export function codeOf(error: unknown): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : undefined;
}
