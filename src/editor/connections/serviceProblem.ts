import * as vscode from 'vscode';
import { Problem, type Remedy, reasonOf } from '#base/problems.ts';
import { translateError } from '../platform/translateError.ts';
import { isTrusted, untrustedWorkspace } from '../platform/trust.ts';
import type { Connection } from './connectionTypes.ts';

/**
 * What a failed request means to the user of a connection: the client's ServiceError (told by name, it comes from another bundle) with
 * the connection's name and the action that mends it. Anything else passes as it is. `hasKey`: whether the connection has a key, so that one could be refused.
 */
export function serviceProblem(error: unknown, connection: Connection, hasKey: boolean): unknown {
	const reason = reasonOf(error);
	if (!(error instanceof Error) || error.name !== 'ServiceError' || reason === undefined || reason === 'aborted') {
		return error;
	}
	if (reason === 'not-found' && connection.kind === 'built-in' && !isTrusted()) {
		// the gateway knows no agent file then, and cannot say why
		return untrustedWorkspace();
	}
	if (reason === 'auth' && !hasKey && connection.kind !== 'built-in') {
		return new Problem('key-missing', vscode.l10n.t("'{0}' requires a key, and none is set.", connection.name), setKey(connection), {
			cause: error,
		});
	}
	return new Problem(reason, sentence(error, reason, connection), remedy(reason, connection), {
		cause: error,
		...(reason !== 'auth' && { here: translateError(error) }),
	});
}

/** The problem of a connection without a key. */
export function missingKey(connection: Connection): Problem {
	return new Problem('key-missing', vscode.l10n.t('The key for “{0}” is missing.', connection.name), setKey(connection));
}

function setKey({ id }: Connection): Remedy {
	return { title: vscode.l10n.t('Set key'), command: 'agentWorkbench.connection.setKey', arguments: [id] };
}

function sentence(error: Error, reason: string, { name }: Connection): string {
	const status = 'status' in error && typeof error.status === 'number' ? error.status : undefined;
	if (reason === 'auth' && (status === 401 || status === undefined)) {
		return vscode.l10n.t('The key for “{0}” was refused ({1}).', name, status ?? 401);
	}
	if (reason === 'auth') {
		return vscode.l10n.t('“{0}” does not allow this with its key ({1}).', name, status ?? 403);
	}
	return vscode.l10n.t('“{0}”: {1}', name, translateError(error));
}

function remedy(reason: string, { id, kind }: Connection): Remedy | undefined {
	if (kind === 'built-in') {
		return undefined;
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
