import type { Event, Uri } from 'vscode';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { FaultyEntry } from './connectionEntries.ts';

/** Kind of a connection's service. It determines paths, credentials and bodies (wire facts 5). */
export type ConnectionKind = 'built-in' | ServiceKind;

/** A service that the user can send requests to. Contains no key: keys are in SecretStorage, bound to the connection and its origin. */
export interface Connection {
	readonly id: string;
	readonly name: string;
	readonly kind: ConnectionKind;
	/** Base URL of the service. Absent for the built-in gateway, whose port changes with each start. */
	readonly baseUrl?: string;
	/** Value of the contract's field `user`: the end user that runs and conversations belong to. */
	readonly user: string;
	/** For an app on a Dify deployment: ID of the connection that manages the app, and ID of the app. */
	readonly deployment?: string;
	readonly app?: string;
}

/**
 * Prepares an agent for a run: confirms its warnings and sends its secrets. `agentFile` is set for a draft. Rejects if the user cancels.
 */
export type PrepareAgent = (connection: Connection, agent: string, agentFile?: Uri) => Promise<void>;

/** ID of the connection to the built-in gateway, which always exists. */
export const builtInId = 'built-in';

/** State of a connection. `idle` means that nothing was sent yet, or that the built-in gateway isn't running. */
export type ConnectionState =
	| { readonly kind: 'idle' | 'starting' | 'ready' }
	/** The last use failed with this message and reason. The next use tries again. */
	| { readonly kind: 'failed'; readonly message: string; readonly reason?: string };

/** Options of {@link Connections.getClient}. */
export interface ClientOptions {
	/** True (default) to ask the user for a missing key. Use false for work that the user didn't start, such as filling a tree. */
	readonly ask?: boolean;
}

/** The connections, for use by other features. */
export interface Connections {
	/** Fires with a connection's ID when it has changed, or with `undefined` when the list of connections has changed. */
	readonly onDidChange: Event<string | undefined>;
	/** Fires with a connection's ID when its agents were loaded, have changed, or need to be loaded again. */
	readonly onDidChangeAgents: Event<string>;
	list(): readonly Connection[];
	get(id: string): Connection | undefined;
	state(id: string): ConnectionState;
	/** Returns the connection that commands use by default. */
	getDefault(): Connection;
	/**
	 * Returns a client for a connection. Starts the built-in gateway if it isn't running. Rejects if the ID is unknown, the gateway doesn't
	 * start, or the key is missing. The message names the connection and says what to do.
	 */
	getClient(id: string, options?: ClientOptions): Promise<ServiceClient>;
	/**
	 * Returns the agents that a connection's service or settings list, sorted by name. Calls are cheap, because results and failures are
	 * cached for a while. Rejects with the errors of {@link getClient}. Never asks for a key.
	 */
	listAgents(id: string): Promise<readonly AgentSummary[]>;
	/** Returns the cached agents without sending a request. */
	getKnownAgents(id: string): readonly AgentSummary[] | undefined;
	/** Returns the names of the models that the service lists for the messages endpoint. Cached like {@link listAgents}. */
	listMessagesModels(id: string): Promise<readonly string[]>;
	/** Drops the cached agents and models. */
	reloadLists(id: string): void;
	/** Returns the invalid entries in the settings. */
	listInvalid(): readonly FaultyEntry[];
	/**
	 * Converts a client error into a `Problem` (base/problems.ts) with the connection's name and a remedy. Returns other errors unchanged.
	 */
	toProblem(id: string, error: unknown): unknown;
}
