import * as vscode from 'vscode';
import { getErrorReason, Problem, type Remedy } from '#base/problems.ts';
import type { ConnectionEntry } from '../connections/connectionEntries.ts';
import type { AppOfDeployment } from './difyTypes.ts';

function createSignInRemedy(connectionId: string, title: string): Remedy {
	return { title, command: 'agentWorkbench.dify.signIn', arguments: [connectionId] };
}

/** Creates the problem for a connection that needs a sign-in to manage apps. */
export function createSignedOutProblem({ id, name }: ConnectionEntry): Problem {
	return new Problem(
		'signed-out',
		vscode.l10n.t("Sign in to '{0}' to manage its apps.", name),
		createSignInRemedy(id, vscode.l10n.t('Sign in…')),
	);
}

/** Creates the problem for a connection whose sign-in has expired. */
export function createSignInExpiredProblem({ id, name }: ConnectionEntry, options?: ErrorOptions): Problem {
	const message = vscode.l10n.t("The sign-in to '{0}' has expired.", name);
	const remedy = createSignInRemedy(id, vscode.l10n.t('Sign in again'));
	return new Problem('session-expired', message, remedy, { ...options, here: vscode.l10n.t('The sign-in has expired') });
}

/**
 * Converts an error of a deployment into a {@link Problem} with a remedy. Returns errors without a remedy unchanged. `of` is the app of the
 * failed request.
 */
export function toDifyProblem(error: unknown, entry: ConnectionEntry, of?: AppOfDeployment): unknown {
	switch (getErrorCode(error)) {
		case 'session_expired':
			return createSignInExpiredProblem(entry, { cause: error });
		case 'workspace_switched':
			return new Problem(
				'workspace-switched',
				vscode.l10n.t({
					message: "'{0}': {1}",
					args: [entry.name, (error as Error).message],
					comment: ['{0} is the name of a connection, {1} is an error message'],
				}),
				{ title: vscode.l10n.t('Switch workspace…'), command: 'agentWorkbench.dify.switchWorkspace', arguments: [entry.id] },
				{ cause: error, here: (error as Error).message },
			);
		case 'service_api_disabled':
			return of
				? new Problem(
						'service_api_disabled',
						vscode.l10n.t("The service API of this app in '{0}' is turned off.", entry.name),
						{ title: vscode.l10n.t('Enable'), command: 'agentWorkbench.difyApp.enableServiceApi', arguments: [of] },
						{ cause: error },
					)
				: error;
		default:
			return getErrorReason(error) === 'network' && error instanceof Error
				? new Problem(
						'network',
						vscode.l10n.t({
							message: "'{0}': {1}",
							args: [entry.name, error.message],
							comment: ['{0} is the name of a connection, {1} is an error message'],
						}),
						{ title: vscode.l10n.t('Edit connection'), command: 'agentWorkbench.connection.edit', arguments: [entry.id] },
						{ cause: error, here: error.message },
					)
				: error;
	}
}

/** Returns the code of a client error, for example `session_expired` or `draft_changed`. */
export function getErrorCode(error: unknown): string | undefined {
	const code = error instanceof Error && 'code' in error ? error.code : undefined;
	return typeof code === 'string' ? code : undefined;
}
