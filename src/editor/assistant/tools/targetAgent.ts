import * as vscode from 'vscode';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { createUntrustedProblem, isWorkspaceTrusted } from '../../platform/trust.ts';

/** An agent that a model named, and its connection. `isKnown` is true if the service reports the agent's inputs. */
interface TargetAgent {
	readonly connection: Connection;
	readonly agent: AgentSummary;
	readonly isKnown: boolean;
}

/** The agents of a connection, or the message of the error if they couldn't be listed. */
interface AgentsOf {
	readonly connection: Connection;
	readonly agents: readonly AgentSummary[];
	readonly problem?: string;
}

/** Maximum number of agent names in an error message. */
const mostNames = 30;

/** Lists the agents of all connections, or of the given one. Never asks for a key. Rejects if there's no such connection. */
export async function listServerAgents(connections: Connections, server: string | undefined): Promise<AgentsOf[]> {
	const meant = server === undefined ? connections.list() : [findServer(connections, server)];
	return Promise.all(
		meant.map(async connection => {
			if (connection.kind === 'built-in' && !isWorkspaceTrusted()) {
				return { connection, agents: [], problem: createUntrustedProblem().message };
			}
			try {
				return { connection, agents: await connections.listAgents(connection.id) };
			} catch (error) {
				return { connection, agents: [], problem: getErrorMessage(connections.toProblem(connection.id, error)) };
			}
		}),
	);
}

/**
 * Finds an agent on the given connection, or else on the default one, or else on the only one that has it. If no connection has it, the
 * error lists the agents that exist.
 */
export async function findTargetAgent(connections: Connections, name: string, server: string | undefined): Promise<TargetAgent> {
	const all = await listServerAgents(connections, server);
	const found = all.flatMap(({ connection, agents }) => {
		const agent = agents.find(each => each.name === name);
		return agent ? [{ connection, agent }] : [];
	});
	const fallback = connections.getDefault().id;
	const meant = found.find(({ connection }) => connection.id === fallback) ?? (found.length === 1 ? found[0] : undefined);
	if (!meant) {
		throw found.length > 0 ? createAmbiguousProblem(name, found) : createUnknownProblem(name, all);
	}
	if (meant.agent.error) {
		throw new Problem('agent-broken', vscode.l10n.t("Agent '{0}' can't run: {1}", name, meant.agent.error));
	}
	// an agent that is listed only in the settings has no variables
	return { ...meant, isKnown: meant.agent.file !== null || meant.agent.variables.length > 0 };
}

function findServer(connections: Connections, server: string): Connection {
	const list = connections.list();
	const hasServerName = (one: string) => one.toLowerCase() === server.toLowerCase();
	const found = list.find(({ id }) => id === server) ?? list.find(({ name }) => hasServerName(name));
	if (!found) {
		const names = list.map(({ name }) => name).join(', ');
		throw new Problem('wrong-input', vscode.l10n.t("No connection named '{0}' for 'server'. Expected one of {1}.", server, names));
	}
	return found;
}

function createAmbiguousProblem(name: string, found: readonly { readonly connection: Connection }[]): Problem {
	const servers = found.map(({ connection }) => connection.name).join(', ');
	return new Problem(
		'wrong-input',
		vscode.l10n.t("Several connections have an agent named '{0}'. Pass one of these as 'server': {1}.", name, servers),
	);
}

function createUnknownProblem(name: string, all: readonly AgentsOf[]): Problem {
	const names = [...new Set(all.flatMap(({ agents }) => agents.map(agent => agent.name)))];
	const problems = all.flatMap(({ connection, problem }) => (problem === undefined ? [] : [`${connection.name}: ${problem}`]));
	const listed = names.slice(0, mostNames).join(', ') + (names.length > mostNames ? ', …' : '');
	const message =
		names.length > 0
			? vscode.l10n.t("No agent named '{0}'. Expected one of {1}.", name, listed)
			: vscode.l10n.t("No agent named '{0}'. There are no agents yet.", name);
	return new Problem('not-found', [message, ...problems].join(' '));
}
