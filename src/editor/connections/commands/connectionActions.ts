import type { GatewayEndpoint } from '#client/localGateway/gatewayLock.ts';
import type { ConnectionEntry } from '../connectionEntries.ts';
import type { ConnectionRegistry } from '../connectionRegistry.ts';
import type { ConnectionSettings } from '../connectionSettings.ts';
import { importKey } from '../keys/importKey.ts';
import { KeyPrompt } from '../keys/keyPrompt.ts';
import type { KeyStore } from '../keys/keyStore.ts';
import type { ServiceClients } from '../serviceClients.ts';
import { addConnection } from './addConnection.ts';
import { addAgents, removeAgent } from './agentNames.ts';
import { chooseEntry } from './chooseConnection.ts';
import { copyMcpConfiguration } from './copyMcpConfiguration.ts';
import { editConnection } from './editConnection.ts';
import { removeConnections, removeKey } from './removeConnections.ts';
import { selectDefaultConnection } from './selectDefault.ts';
import { testConnection } from './testConnection.ts';
import { copyEndpoint, useConnectionIn } from './useConnectionIn.ts';

/** Dependencies of the actions. */
export interface ActionParts {
	readonly settings: ConnectionSettings;
	readonly registry: ConnectionRegistry;
	readonly keys: KeyStore;
	readonly clients: ServiceClients;
	/** Returns the names of the agents in the workspace's run files. */
	readonly runFileAgents: () => Promise<readonly string[]>;
	/** Returns the address and key of the built-in gateway. Starts it if it isn't running. */
	readonly builtIn: () => Promise<GatewayEndpoint>;
}

/** Dependencies of a single action. */
export interface ActionContext extends ActionParts {
	readonly prompt: KeyPrompt;
}

/** Implements the commands for connections. In a separate bundle that the first command loads, to keep activation fast. */
export class ConnectionActions {
	readonly #context: ActionContext;

	constructor(parts: ActionParts) {
		this.#context = { ...parts, prompt: new KeyPrompt(parts.keys, parts.clients) };
	}

	/**
	 * Returns the connection in a command's argument, or lets the user choose one. Returns `undefined` if the user cancels or there is none.
	 */
	chooseEntry(argument: unknown, placeHolder: string): Promise<ConnectionEntry | undefined> {
		return chooseEntry(this.#context.settings, argument, placeHolder);
	}
	add(): Promise<string | undefined> {
		return addConnection(this.#context);
	}
	editConnection(entry: ConnectionEntry): Promise<void> {
		return editConnection(this.#context, entry);
	}
	removeConnections(argument: unknown, selected: unknown): Promise<void> {
		return removeConnections(this.#context, argument, selected);
	}
	testConnection(entry: ConnectionEntry): Promise<void> {
		return testConnection(this.#context, entry);
	}
	selectDefault(argument: unknown): Promise<void> {
		return selectDefaultConnection(this.#context, argument);
	}
	/** Asks for the keys of a connection. Resolves to true if any were set. */
	async setKey(entry: ConnectionEntry): Promise<boolean> {
		return (await this.#context.prompt.askForKeys(entry)) !== undefined;
	}
	removeKey(entry: ConnectionEntry): Promise<void> {
		return removeKey(this.#context, entry);
	}
	importKey(entry: ConnectionEntry): Promise<void> {
		return importKey(this.#context.prompt, entry);
	}
	addAgents(entry: ConnectionEntry): Promise<void> {
		return addAgents(this.#context, entry);
	}
	useConnectionIn(argument: unknown): Promise<void> {
		return useConnectionIn(this.#context, argument);
	}
	copyEndpoint(argument: unknown): Promise<void> {
		return copyEndpoint(this.#context, argument);
	}
	copyMcpConfiguration(): Promise<void> {
		return copyMcpConfiguration(this.#context);
	}
	removeAgent(node: unknown): Promise<void> {
		return removeAgent(this.#context, node);
	}
}
