import type { Event, Uri } from 'vscode';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { FaultyEntry } from './connectionEntries.ts';

/** Kind of service that a connection leads to. It determines paths, credentials and bodies (wire facts 5). */
export type ConnectionKind = 'built-in' | ServiceKind;

/** A service that the user can send requests to. Never contains a key: keys are in SecretStorage, bound to the connection and its origin. */
export interface Connection {
	readonly id: string;
	readonly name: string;
	readonly kind: ConnectionKind;
	/** Absent for the built-in gateway, whose port changes with each start. */
	readonly baseUrl?: string;
	/** The contract's `user`: the end user that runs and conversations belong to. */
	readonly user: string;
	/** For an app of a Dify deployment: ID of the connection that manages it, and ID of the app. */
	readonly deployment?: string;
	readonly app?: string;
}

/**
 * Sends an agent's secrets from this machine to its service before a run. `agentFile` is set if the draft of this file runs. Rejects with a cancellation
 * if the user cancels.
 */
export type PrepareAgent = (connection: Connection, agent: string, agentFile?: Uri) => Promise<void>;

/** ID of the connection to the built-in gateway, which always exists. */
export const builtInId = 'built-in';

/** State of a connection. `idle`: nothing was sent yet, and the built-in gateway starts on first use. */
export type ConnectionState =
	| { readonly kind: 'idle' | 'starting' | 'ready' }
	/** With a message that says what happened, and the error's reason if it has one. The next use tries again. */
	| { readonly kind: 'failed'; readonly message: string; readonly reason?: string };

/** Options of {@link Connections.getClient}. */
export interface ClientOptions {
	/** True to ask the user for a missing key (default). Use false for work that the user didn't start, such as filling a tree. */
	readonly ask?: boolean;
}

/** Connections as other features use them. */
export interface Connections {
	/** Fires when a connection (its ID) or the list of connections (`undefined`) has changed. */
	readonly onDidChange: Event<string | undefined>;
	/** Fires when the agents of a connection (its ID) were loaded, have changed, or need to be loaded again. */
	readonly onDidChangeAgents: Event<string>;
	list(): readonly Connection[];
	get(id: string): Connection | undefined;
	state(id: string): ConnectionState;
	/** Returns the connection that commands use by default. */
	getDefault(): Connection;
	/**
	 * Returns a client for a connection, and starts the built-in gateway if it isn't running. Rejects with a message that names the connection and what to
	 * do: for an unknown ID, a gateway that doesn't start, or a missing key.
	 */
	getClient(id: string, options?: ClientOptions): Promise<ServiceClient>;
	/**
	 * Returns the agents that a connection's service or settings list, sorted by name. Results and failures are cached for a while, so calls are cheap.
	 * Rejects like {@link getClient}, and never asks for a key.
	 */
	listAgents(id: string): Promise<readonly AgentSummary[]>;
	/** Returns the cached agents without sending a request. */
	getKnownAgents(id: string): readonly AgentSummary[] | undefined;
	/** Returns the names of the models that the service lists for messages, cached like {@link listAgents}. */
	listMessagesModels(id: string): Promise<readonly string[]>;
	/** Drops the cached agents and models. */
	reload(id: string): void;
	/** Returns invalid entries of the settings. */
	listInvalid(): readonly FaultyEntry[];
	/**
	 * Converts an error of the client into a `Problem` (base/problems.ts) with the connection's name and a remedy. Returns other errors unchanged.
	 */
	toProblem(id: string, error: unknown): unknown;
}
