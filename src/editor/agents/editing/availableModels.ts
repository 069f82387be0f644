import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** Milliseconds that completion waits for the gateway's list of models. The gateway may have to query its upstreams first. */
const patienceMs = 500;

/** Lists the available models: from the gateway if it's running, otherwise from the routes setting. */
export class AvailableModels {
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;

	constructor(connections: Connections, log: vscode.LogOutputChannel) {
		this.#connections = connections;
		this.#log = log;
	}

	async listModelNames(): Promise<readonly string[]> {
		const gateway = this.#connections.list().find(({ kind }) => kind === 'built-in');
		if (!gateway || this.#connections.state(gateway.id).kind !== 'ready') {
			return readRouteModels();
		}
		const listed = this.#connections.listMessagesModels(gateway.id).catch((error: unknown) => {
			this.#log.debug(`Couldn't list the models of the built-in gateway: ${getErrorMessage(error)}`);
			return readRouteModels();
		});
		const { promise, resolve } = Promise.withResolvers<readonly string[]>();
		const timer = setTimeout(() => resolve(readRouteModels()), patienceMs);
		return Promise.race([listed, promise]).finally(() => clearTimeout(timer));
	}
}

/** Returns the model names in the routes setting, without patterns. */
function readRouteModels(): string[] {
	const routes = vscode.workspace.getConfiguration('agentWorkbench').get<unknown>('gateway.routes');
	return (Array.isArray(routes) ? routes : [])
		.map(route => String((route as { model?: unknown } | null)?.model ?? ''))
		.filter(name => name !== '' && !name.includes('*'));
}
