import * as vscode from 'vscode';
import type { LogsTarget } from '#pages/logs/logsMessages.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';

/** Kinds of connections whose services have a log of runs. */
export const kindsWithLogs: readonly Connection['kind'][] = ['built-in', 'gateway', 'dify'];

/** Returns the target that a command's argument names: an agent, a node under an agent, or a connection. */
export function getLogsTarget(argument: unknown): LogsTarget | undefined {
	if (typeof argument !== 'object' || argument === null) {
		return undefined;
	}
	const { connectionId, agentName, agent, parent } = argument as Partial<Record<string, unknown>>;
	const name = agentName ?? agent;
	if (typeof connectionId === 'string') {
		return typeof name === 'string' ? { connectionId, agent: name } : { connectionId };
	}
	return getLogsTarget(parent);
}

/** Asks for the agent whose logs should be shown. Returns `undefined` if the user cancels. */
export async function chooseLogsTarget(connections: Connections): Promise<LogsTarget | undefined> {
	const withLogs = connections.list().filter(({ kind }) => kindsWithLogs.includes(kind));
	const isNamed = withLogs.length > 1;
	const items = Promise.all(withLogs.map(connection => loadAgentItems(connections, connection, isNamed))).then(all => all.flat());
	const choice = await vscode.window.showQuickPick(items, {
		title: vscode.l10n.t('Open logs'),
		placeHolder: vscode.l10n.t('Select an agent'),
		matchOnDescription: true,
	});
	return choice?.target;
}

/**
 * Lists the agents of a connection, all of them together first. Returns an empty list if the connection is unreachable, which the tree
 * shows. `isNamed`: true to show the connection at each agent.
 */
async function loadAgentItems(connections: Connections, { id: connectionId, name }: Connection, isNamed: boolean) {
	const agents = await connections.listAgents(connectionId).catch(() => []);
	const each = agents.map(agent => ({
		label: agent.name,
		description: isNamed ? name : '',
		target: { connectionId, agent: agent.name } as LogsTarget,
	}));
	const all = { label: vscode.l10n.t("All agents of '{0}'", name), description: '', target: { connectionId } };
	const group = { label: name, kind: vscode.QuickPickItemKind.Separator, target: undefined };
	return each.length > 1 ? [group, all, ...each] : [group, ...each];
}

/** Returns the name of the tab and of the exported file. */
export function getLogsTitle(connections: Connections, { connectionId, agent }: LogsTarget): string {
	return agent ?? connections.get(connectionId)?.name ?? connectionId;
}
