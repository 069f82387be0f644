import { addConnection } from './addConnection.ts';
import { addAgents, removeAgent } from './agentNames.ts';
import type { ConnectionRegistry } from './connectionRegistry.ts';
import type { ConnectionEntry, ConnectionSettings } from './connectionSettings.ts';
import { editConnection } from './editConnection.ts';
import { importKey } from './importKey.ts';
import { KeyPrompt } from './keyPrompt.ts';
import type { KeyStore } from './keyStore.ts';
import { removeConnections } from './removeConnections.ts';
import { selectDefault } from './selectDefault.ts';
import type { ServiceClients } from './serviceClients.ts';
import { testConnection } from './testConnection.ts';

/** What the actions work on. */
export interface ActionParts {
	readonly settings: ConnectionSettings;
	readonly registry: ConnectionRegistry;
	readonly keys: KeyStore;
	readonly clients: ServiceClients;
	/** Agents that run files of the workspace name. */
	readonly runFileAgents: () => Promise<readonly string[]>;
}

/** What each action is handed. */
export interface ActionContext extends ActionParts {
	readonly prompt: KeyPrompt;
}

/** What the commands about connections do. A bundle of its own, loaded with the first of them: activation does without. */
export class ConnectionActions {
	readonly #context: ActionContext;

	constructor(parts: ActionParts) {
		this.#context = { ...parts, prompt: new KeyPrompt(parts.keys, parts.clients) };
	}

	add(): Promise<string | undefined> {
		return addConnection(this.#context);
	}
	edit(entry: ConnectionEntry): Promise<void> {
		return editConnection(this.#context, entry);
	}
	remove(argument: unknown, selected: unknown): Promise<void> {
		return removeConnections(this.#context, argument, selected);
	}
	test(entry: ConnectionEntry): Promise<void> {
		return testConnection(this.#context, entry);
	}
	selectDefault(argument: unknown): Promise<void> {
		return selectDefault(this.#context, argument);
	}
	/** Asks for the keys of a connection; resolves to whether some were set. */
	setKey(entry: ConnectionEntry): Promise<boolean> {
		return this.#context.prompt.ask(entry);
	}
	removeKey(entry: ConnectionEntry): Promise<void> {
		return this.#context.keys.forget(entry.id);
	}
	importKey(entry: ConnectionEntry): Promise<void> {
		return importKey(this.#context.prompt, entry);
	}
	addAgents(entry: ConnectionEntry): Promise<void> {
		return addAgents(this.#context, entry);
	}
	removeAgent(node: unknown): Promise<void> {
		return removeAgent(this.#context, node);
	}
}
