import * as vscode from 'vscode';
import { messageOf } from '../../common/problems.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** How long a list is good, in milliseconds: the gateway asks the services behind its routes for theirs. */
const freshMs = 60_000;

/** Models that agents can ask for: those that the gateway lists where it runs, else those that its routes name. */
export class AgentModels {
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;
	#listed: { readonly names: readonly string[]; readonly at: number } | undefined;

	constructor(connections: Connections, log: vscode.LogOutputChannel) {
		this.#connections = connections;
		this.#log = log;
	}

	async names(): Promise<readonly string[]> {
		const gateway = this.#connections.list().find(({ kind }) => kind === 'built-in');
		if (!gateway || this.#connections.state(gateway.id).kind !== 'ready') {
			return routeNames();
		}
		if (!this.#listed || Date.now() - this.#listed.at > freshMs) {
			try {
				const client = await this.#connections.client(gateway.id, { ask: false });
				this.#listed = { names: (await client.listMessagesModels()).map(({ id }) => id), at: Date.now() };
			} catch (error) {
				this.#log.warn(`Models of the built-in gateway: ${messageOf(error)}`);
				return routeNames();
			}
		}
		return this.#listed.names;
	}
}

/** Names that the settings tell; a route can also be a pattern of names. */
function routeNames(): string[] {
	const routes = vscode.workspace.getConfiguration('agentWorkbench').get<unknown>('gateway.routes');
	return (Array.isArray(routes) ? routes : [])
		.map(route => String((route as { model?: unknown } | null)?.model ?? ''))
		.filter(name => name !== '' && !name.includes('*'));
}
