import * as vscode from 'vscode';
import { Problem } from '#base/problems.ts';
import type { Connection, Connections } from './connectionTypes.ts';

/** Returns the connection to the built-in gateway, which serves the agent files. */
export function getBuiltInConnection(connections: Connections): Connection {
	const connection = connections.list().find(({ kind }) => kind === 'built-in');
	if (!connection) {
		throw new Problem('unknown-connection', vscode.l10n.t("Couldn't find the connection to the built-in gateway."));
	}
	return connection;
}
