import * as vscode from 'vscode';
import { getErrorReason, Problem, type Remedy } from '#base/problems.ts';
import { translateError } from '../platform/translateError.ts';
import { createUntrustedProblem, isWorkspaceTrusted } from '../platform/trust.ts';
import type { Connection } from './connectionTypes.ts';

/**
 * Converts a client's ServiceError into a {@link Problem} with the connection's name and a remedy. Returns other errors unchanged.
 * Recognizes a ServiceError by name, because its class is in another bundle. `hasKey` is true if the connection has a key that the service
 * could refuse.
 */
export function toServiceProblem(error: unknown, connection: Connection, hasKey: boolean): unknown {
	const reason = getErrorReason(error);
	if (!(error instanceof Error) || error.name !== 'ServiceError' || reason === undefined || reason === 'aborted') {
		return error;
	}
	if (reason === 'not-found' && connection.kind === 'built-in' && !isWorkspaceTrusted()) {
		// in an untrusted workspace, the gateway gets no agents folders, so it finds no agents
		return createUntrustedProblem();
	}
	if (reason === 'auth' && !hasKey && connection.kind !== 'built-in') {
		return new Problem(
			'key-missing',
			vscode.l10n.t("'{0}' requires a key, but none is set.", connection.name),
			createSetKeyRemedy(connection),
			{
				cause: error,
			},
		);
	}
	return new Problem(reason, formatServiceError(error, reason, connection), getRemedy(reason, connection), {
		cause: error,
		...((reason !== 'auth' || connection.kind === 'built-in') && { here: translateError(error) }),
	});
}

/** Creates the problem for a connection without a key. */
export function createMissingKeyProblem(connection: Connection): Problem {
	return new Problem('key-missing', vscode.l10n.t("The key for '{0}' is missing.", connection.name), createSetKeyRemedy(connection));
}

function createSetKeyRemedy({ id }: Connection): Remedy {
	return { title: vscode.l10n.t('Set key'), command: 'agentWorkbench.connection.setKey', arguments: [id] };
}

function formatServiceError(error: Error, reason: string, { name, kind }: Connection): string {
	const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
	// the key of the built-in gateway is always right, so its error is about the key of an upstream, which it names
	const isKeyRefused = reason === 'auth' && kind !== 'built-in' && status !== 402;
	if (isKeyRefused && (status === 401 || status === undefined)) {
		return vscode.l10n.t("'{0}' refused the key ({1}).", name, status ?? 401);
	}
	if (isKeyRefused) {
		return vscode.l10n.t("'{0}' doesn't allow this with the current key ({1}).", name, status ?? 403);
	}
	return vscode.l10n.t({
		message: "'{0}': {1}",
		args: [name, translateError(error)],
		comment: ['{0} is the name of a connection, {1} is an error message'],
	});
}

function getRemedy(reason: string, { id, kind }: Connection): Remedy | undefined {
	if (kind === 'built-in') {
		return reason === 'auth' ? { title: vscode.l10n.t('Set key'), command: 'agentWorkbench.gateway.setUpstreamKey' } : undefined;
	}
	switch (reason) {
		case 'auth':
			return { title: vscode.l10n.t('Replace key'), command: 'agentWorkbench.connection.setKey', arguments: [id] };
		case 'network':
		case 'tls':
		case 'protocol':
			return { title: vscode.l10n.t('Edit connection'), command: 'agentWorkbench.connection.edit', arguments: [id] };
		default:
			return undefined;
	}
}
