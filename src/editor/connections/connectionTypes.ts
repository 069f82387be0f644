import type { Event, Uri } from 'vscode';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { ServiceKind } from '#contract/serviceKinds.ts';
import type { FaultyEntry } from './connectionEntries.ts';

/** What stands behind a connection; paths, credentials and bodies follow from it (wire facts 5). */
export type ConnectionKind = 'built-in' | ServiceKind;

/** A service that the user can send to. Never holds a key: keys live in SecretStorage, bound to the connection and its origin. */
export interface Connection {
	readonly id: string;
	readonly name: string;
	readonly kind: ConnectionKind;
	/** Absent for the built-in gateway, which has a new port at each start. */
	readonly baseUrl?: string;
	/** The contract's `user`: whom runs and conversations belong to. */
	readonly user: string;
	/** Of an app of a deployment: ID of the connection that manages it, and of the app there. */
	readonly deployment?: string;
	readonly app?: string;
}

/**
 * Gives a service what an agent needs from this machine, its secrets, before it is asked. `agentFile`: if the draft of this file runs. Rejects with a
 * cancellation if the user backs out.
 */
export type PrepareAgent = (connection: Connection, agent: string, agentFile?: Uri) => Promise<void>;

/** ID of the connection to the built-in gateway, which is always there. */
export const builtInId = 'built-in';

/** How a connection stands. `idle`: nothing was sent yet; a built-in gateway that is idle starts on first use. */
export type ConnectionState =
	| { readonly kind: 'idle' | 'starting' | 'ready' }
	/** A sentence that says what happened, and the error's reason where it has one; the next use tries again. */
	| { readonly kind: 'failed'; readonly message: string; readonly reason?: string };

/** How a client is asked for. */
export interface ClientOptions {
	/** Whether the user may be asked for a key that is missing (default); false for what nobody has asked for, such as a tree. */
	readonly ask?: boolean;
}

/** What other features may ask of connections. */
export interface Connections {
	/** A connection changed (its ID), or the list did (`undefined`). */
	readonly onDidChange: Event<string | undefined>;
	/** The agents of a connection (its ID) were loaded, have changed, or are to be asked for again. */
	readonly onDidChangeAgents: Event<string>;
	list(): readonly Connection[];
	get(id: string): Connection | undefined;
	state(id: string): ConnectionState;
	/** The connection that commands use where none is named. */
	default(): Connection;
	/**
	 * A client for this connection; starts the built-in gateway where it is not running. Rejects with a sentence that names the
	 * connection and what to do: unknown ID, gateway that does not start, key that is missing.
	 */
	client(id: string, options?: ClientOptions): Promise<ServiceClient>;
	/**
	 * Agents of this connection, sorted by name, as its service or its settings list them: kept for a while, as a failure is, so that whoever needs them may
	 * ask at any time. Rejects as {@link client} does, and never asks for a key.
	 */
	agents(id: string): Promise<readonly AgentSummary[]>;
	/** The agents as far as they are known: nothing is sent. */
	knownAgents(id: string): readonly AgentSummary[] | undefined;
	/** Names of the models that the service lists for messages, kept as {@link agents} are. */
	messagesModels(id: string): Promise<readonly string[]>;
	/** Has agents and models asked for again. */
	reload(id: string): void;
	/** Entries of the settings that are no connections. */
	faulty(): readonly FaultyEntry[];
	/**
	 * What a failed request means to the user of this connection: a `Problem` (common/problems.ts) with its name and the action that mends it. Anything
	 * but the client's errors passes as it is.
	 */
	problem(id: string, error: unknown): unknown;
}
