import os from 'node:os';
import * as vscode from 'vscode';
import type { ServiceClient } from '../client/client.ts';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf, Problem, reasonOf } from '../common/problems.ts';
import type { AgentSummary } from '../protocol/agents.ts';
import type { BuiltInGateway } from './builtInGateway.ts';
import type { ConnectionEntry, ConnectionSettings } from './connectionSettings.ts';
import { builtInId, type ClientOptions, type Connection, type ConnectionState, type Connections } from './connectionTypes.ts';
import type { KeyStore, Keys } from './keyStore.ts';
import { groupsOf, serviceKinds } from './kinds.ts';
import type { ServiceClients } from './serviceClients.ts';
import { missingKey, serviceProblem } from './serviceProblem.ts';

/** What the connections of a window are made of. */
export interface ConnectionParts {
	readonly gateway: BuiltInGateway;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
	readonly clients: ServiceClients;
	/** Keeps the choice of the default connection, per workspace and out of its files. */
	readonly memory: vscode.Memento;
	/** Asks the user for the keys of a connection; resolves to whether there are any now. */
	readonly askForKeys: (entry: ConnectionEntry) => Promise<boolean>;
}

const defaultName = 'defaultConnection';

/** All connections of this window: the built-in gateway, then those of the settings. */
export class ConnectionRegistry extends DisposableBase implements Connections {
	readonly #parts: ConnectionParts;
	readonly #changed = this.own(new vscode.EventEmitter<string | undefined>());
	readonly #agentsChanged = this.own(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;
	readonly onDidChangeAgents = this.#agentsChanged.event;
	readonly #states = new Map<string, ConnectionState>();

	constructor(parts: ConnectionParts) {
		super();
		this.#parts = parts;
		const { gateway, settings, keys } = parts;
		this.own(gateway.onDidChangeState(() => this.#changed.fire(builtInId)));
		this.own(gateway.onDidChangeAgents(() => this.#agentsChanged.fire(builtInId)));
		this.own(settings.onDidChange(() => this.#settingsChanged()));
		this.own(keys.onDidChange(id => this.#keysChanged(id)));
	}

	list(): readonly Connection[] {
		const builtIn: Connection = { id: builtInId, name: vscode.l10n.t('Built-in gateway'), kind: 'built-in', user: userName() };
		return [builtIn, ...this.#parts.settings.list().map(entry => ({ ...entry, user: entry.user ?? builtIn.user }))];
	}

	get(id: string): Connection | undefined {
		return this.list().find(connection => connection.id === id);
	}

	state(id: string): ConnectionState {
		return id === builtInId ? this.#parts.gateway.state : (this.#states.get(id) ?? { kind: 'idle' });
	}

	default(): Connection {
		const [builtIn] = this.list();
		return this.get(this.#parts.memory.get(defaultName, builtInId)) ?? builtIn!;
	}

	/** Chooses the connection that commands use where none is named. */
	async setDefault(id: string): Promise<void> {
		await this.#parts.memory.update(defaultName, id);
		this.#changed.fire(undefined);
	}

	async client(id: string, { ask = true }: ClientOptions = {}): Promise<ServiceClient> {
		const { gateway, clients } = this.#parts;
		if (id === builtInId) {
			const { baseUrl, key } = await gateway.endpoint();
			return clients.get(id, { baseUrl, kind: 'built-in', keys: { agent: key, messages: key, content: key } });
		}
		const entry = this.#entry(id);
		const { baseUrl, kind } = entry;
		return clients.get(id, { baseUrl, kind, keys: await this.#keys(entry, ask) });
	}

	async agents(id: string): Promise<readonly AgentSummary[]> {
		try {
			const agents = await this.#listAgents(id);
			this.#setState(id, { kind: 'ready' });
			return agents;
		} catch (error) {
			const problem = this.problem(id, error);
			this.#setState(id, { kind: 'failed', message: messageOf(problem) });
			throw problem;
		}
	}

	problem(id: string, error: unknown): unknown {
		const connection = this.get(id);
		return connection ? serviceProblem(error, connection) : error;
	}

	async #listAgents(id: string): Promise<readonly AgentSummary[]> {
		const client = await this.client(id, { ask: false });
		if (id === builtInId) {
			return client.listAgents();
		}
		const { kind, agents = [], name } = this.#entry(id);
		const known = serviceKinds()[kind].agents ? agents.map(namedAgent) : [];
		if (kind === 'dify' && known.length === 0) {
			// the key is one app's, whatever it is called (wire facts 1.0)
			return [namedAgent(name)];
		}
		if (kind !== 'gateway') {
			return known;
		}
		try {
			const listed = await client.listAgents();
			return [...listed, ...known.filter(agent => !listed.some(each => each.name === agent.name))];
		} catch (error) {
			// a service that speaks the contract and nothing else cannot list its agents
			if (reasonOf(error) === 'not-found') {
				return known;
			}
			throw error;
		}
	}

	#entry(id: string): ConnectionEntry {
		const entry = this.#parts.settings.list().find(each => each.id === id);
		if (!entry) {
			throw new Problem('unknown-connection', vscode.l10n.t('There is no connection “{0}”.', id));
		}
		return entry;
	}

	async #keys(entry: ConnectionEntry, ask: boolean): Promise<Keys> {
		const { keys, askForKeys } = this.#parts;
		const kept = await keys.get(entry);
		if (serviceKinds()[entry.kind].keyOptional || groupsOf(entry.kind).some(group => kept[group])) {
			return kept;
		}
		if (ask && (await askForKeys(entry))) {
			return keys.get(entry);
		}
		throw missingKey({ ...entry, user: '' });
	}

	#settingsChanged(): void {
		for (const id of [...this.#states.keys()]) {
			this.#forget(id);
		}
		this.#changed.fire(undefined);
	}

	#keysChanged(id: string): void {
		this.#forget(id);
		this.#agentsChanged.fire(id);
		this.#changed.fire(id);
	}

	#forget(id: string): void {
		this.#states.delete(id);
		this.#parts.clients.forget(id);
	}

	#setState(id: string, state: ConnectionState): void {
		if (id !== builtInId && this.state(id).kind !== state.kind) {
			this.#states.set(id, state);
			this.#changed.fire(id);
		}
	}
}

/** An agent of which nothing but its name is known. */
function namedAgent(name: string): AgentSummary {
	const unknown = { mode: '', description: '', workflow_id: null, file: null, error: null, updated_at: 0 };
	return { ...unknown, name, published: true, draft: false, variables: [] };
}

function userName(): string {
	try {
		return os.userInfo().username;
	} catch {
		// a container may run under a user ID without a name
		return 'user';
	}
}
