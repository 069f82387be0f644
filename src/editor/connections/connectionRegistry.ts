import os from 'node:os';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage, getErrorReason, Problem } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { hasAgents, listKeyGroups, serviceKinds } from '#contract/serviceKinds.ts';
import type { ConnectionEntries, ConnectionEntry, FaultyEntry } from './connectionEntries.ts';
import type { ConnectionSettings } from './connectionSettings.ts';
import { builtInId, type ClientOptions, type Connection, type ConnectionState, type Connections } from './connectionTypes.ts';
import type { BuiltInGateway } from './gateway/builtInGateway.ts';
import type { KeyStore, Keys } from './keys/keyStore.ts';
import { CachedLists } from './lists/cachedLists.ts';
import type { ServiceClients } from './serviceClients.ts';
import { createMissingKeyProblem, toServiceProblem } from './serviceProblem.ts';

interface ConnectionParts {
	readonly gateway: BuiltInGateway;
	readonly settings: ConnectionSettings;
	readonly keys: KeyStore;
	readonly clients: ServiceClients;
	/** Stores which connection is the default for a workspace, outside of the workspace's files. */
	readonly memory: vscode.Memento;
	/** Asks the user for the keys of a connection. Resolves to true if any were set. */
	readonly askForKeys: (entry: ConnectionEntry) => Promise<boolean>;
}

const defaultName = 'defaultConnection';
/** Milliseconds to cache a service's lists and failures. The built-in gateway reports changes of its agents instead. */
const freshMs = 60_000;
const failedMs = 20_000;

/** Manages all connections of this window: the built-in gateway and those in the settings. */
export class ConnectionRegistry extends DisposableBase implements Connections {
	readonly #parts: ConnectionParts;
	readonly #changed = this.register(new vscode.EventEmitter<string | undefined>());
	readonly #agentsChanged = this.register(new vscode.EventEmitter<string>());
	readonly onDidChange = this.#changed.event;
	readonly onDidChangeAgents = this.#agentsChanged.event;
	readonly #states = new Map<string, ConnectionState>();
	/** True for connections whose latest client sends a key, by ID. */
	readonly #hasKey = new Map<string, boolean>();
	readonly #agents = new CachedLists<AgentSummary>(
		id => this.#loadAgents(id),
		id => this.#agentsChanged.fire(id),
		{ getFreshMs: id => (id === builtInId ? Number.POSITIVE_INFINITY : freshMs), failed: failedMs },
	);
	readonly #models = new CachedLists<string>(
		id => this.#loadModels(id),
		() => {},
		{ getFreshMs: () => freshMs, failed: failedMs },
	);

	constructor(parts: ConnectionParts) {
		super();
		this.#parts = parts;
		const { gateway, settings, keys } = parts;
		this.register(gateway.onDidChangeState(() => this.#onGatewayChange()));
		this.register(gateway.onDidChangeAgents(() => this.#agents.dropList(builtInId)));
		this.register(settings.onDidChange(before => this.#onSettingsChange(before)));
		this.register(keys.onDidChange(id => this.#onKeysChange(id)));
	}

	list(): readonly Connection[] {
		const builtIn: Connection = { id: builtInId, name: vscode.l10n.t('Built-in gateway'), kind: 'built-in', user: getSystemUserName() };
		return [builtIn, ...this.#parts.settings.listEntries().map(entry => ({ ...entry, user: entry.user ?? builtIn.user }))];
	}

	get(id: string): Connection | undefined {
		return this.list().find(connection => connection.id === id);
	}

	state(id: string): ConnectionState {
		return id === builtInId ? this.#parts.gateway.state : (this.#states.get(id) ?? { kind: 'idle' });
	}

	getDefault(): Connection {
		const [builtIn] = this.list();
		return this.get(this.#parts.memory.get(defaultName, builtInId)) ?? builtIn!;
	}

	/** Sets the connection that commands use by default. */
	async setDefault(id: string): Promise<void> {
		await this.#parts.memory.update(defaultName, id);
		this.#changed.fire(undefined);
	}

	async getClient(id: string, { ask = true }: ClientOptions = {}): Promise<ServiceClient> {
		const { gateway, clients } = this.#parts;
		if (id === builtInId) {
			const { baseUrl, key } = await gateway.getEndpoint();
			return clients.get(id, { baseUrl, kind: 'built-in', keys: { agent: key, messages: key, content: key } });
		}
		const entry = this.#getEntry(id);
		const { baseUrl, kind } = entry;
		const keys = await this.#getKeys(entry, ask);
		this.#hasKey.set(
			id,
			Object.values(keys).some(key => key !== undefined),
		);
		return clients.get(id, { baseUrl, kind, keys });
	}

	listAgents(id: string): Promise<readonly AgentSummary[]> {
		return this.#agents.get(id);
	}

	getKnownAgents(id: string): readonly AgentSummary[] | undefined {
		return this.#agents.getLoadedList(id);
	}

	listMessagesModels(id: string): Promise<readonly string[]> {
		return this.#models.get(id);
	}

	reloadLists(id: string): void {
		this.#models.dropList(id);
		this.#agents.dropList(id);
	}

	listInvalid(): readonly FaultyEntry[] {
		return this.#parts.settings.listInvalid();
	}

	toProblem(id: string, error: unknown): unknown {
		const connection = this.get(id);
		return connection ? toServiceProblem(error, connection, this.#hasKey.get(id) ?? true) : error;
	}

	async #loadAgents(id: string): Promise<readonly AgentSummary[]> {
		try {
			const agents = [...(await this.#fetchAgents(id))].sort((a, b) => a.name.localeCompare(b.name));
			this.#setState(id, { kind: 'ready' });
			return agents;
		} catch (error) {
			const problem = this.toProblem(id, error);
			const reason = getErrorReason(problem);
			this.#setState(id, { kind: 'failed', message: getErrorMessage(problem), ...(reason !== undefined && { reason }) });
			throw problem;
		}
	}

	async #loadModels(id: string): Promise<readonly string[]> {
		try {
			const client = await this.getClient(id, { ask: false });
			return (await client.listMessagesModels()).map(model => model.id);
		} catch (error) {
			throw this.toProblem(id, error);
		}
	}

	async #fetchAgents(id: string): Promise<readonly AgentSummary[]> {
		const client = await this.getClient(id, { ask: false });
		if (id === builtInId) {
			return client.listAgents();
		}
		const { kind, agents = [], name } = this.#getEntry(id);
		const known = hasAgents(kind) ? agents.map(createAgentSummary) : [];
		if (kind === 'dify' && known.length === 0) {
			// a key belongs to one app, whatever the name of the connection is (wire facts 1.0)
			return [createAgentSummary(name)];
		}
		if (kind !== 'gateway') {
			return known;
		}
		try {
			const served = await client.listAgents();
			return [...served, ...known.filter(agent => !served.some(each => each.name === agent.name))];
		} catch (error) {
			// a service that implements only the contract can't list its agents
			if (getErrorReason(error) === 'not-found') {
				return known;
			}
			throw error;
		}
	}

	#getEntry(id: string): ConnectionEntry {
		const entry = this.#parts.settings.listEntries().find(each => each.id === id);
		if (!entry) {
			throw new Problem('unknown-connection', vscode.l10n.t("Connection '{0}' doesn't exist.", id));
		}
		return entry;
	}

	async #getKeys(entry: ConnectionEntry, ask: boolean): Promise<Keys> {
		const { keys, askForKeys } = this.#parts;
		// wait for a key that the user is entering or that is being checked or saved
		const wasSet = ask ? await keys.getPendingAnswer(entry.id) : undefined;
		const kept = await keys.get(entry);
		if (serviceKinds[entry.kind].keyOptional || listKeyGroups(entry.kind).some(group => kept[group])) {
			return kept;
		}
		if (ask && wasSet === undefined && (await askForKeys(entry))) {
			return keys.get(entry);
		}
		throw createMissingKeyProblem({ ...entry, user: '' });
	}

	/** Reloads the lists when the gateway is ready, because a restarted gateway may have other agents. */
	#onGatewayChange(): void {
		if (this.#parts.gateway.state.kind === 'ready') {
			this.#agents.dropSettledList(builtInId);
			this.#models.dropSettledList(builtInId);
		}
		this.#changed.fire(builtInId);
	}

	/** Reloads only the connections that have changed. */
	#onSettingsChange(before: ConnectionEntries | undefined): void {
		const { settings } = this.#parts;
		const now = new Map(settings.listEntries().map(entry => [entry.id, JSON.stringify(entry)]));
		const changed = (before?.entries ?? []).filter(entry => now.get(entry.id) !== JSON.stringify(entry));
		for (const { id } of changed) {
			this.#forgetConnection(id);
		}
		const serializeNames = ({ entries, faulty }: ConnectionEntries) => JSON.stringify([entries.map(({ id, name }) => [id, name]), faulty]);
		if (!before || serializeNames(before) !== serializeNames({ entries: settings.listEntries(), faulty: settings.listInvalid() })) {
			this.#changed.fire(undefined);
		} else {
			changed.forEach(({ id }) => void this.#changed.fire(id));
		}
	}

	#onKeysChange(id: string): void {
		this.#forgetConnection(id);
		this.#changed.fire(id);
	}

	#forgetConnection(id: string): void {
		this.#states.delete(id);
		this.#parts.clients.forgetClient(id);
		this.reloadLists(id);
	}

	#setState(id: string, state: ConnectionState): void {
		if (id !== builtInId && this.state(id).kind !== state.kind) {
			this.#states.set(id, state);
			this.#changed.fire(id);
		}
	}
}

/** Creates the summary of an agent of which only the name is known. */
function createAgentSummary(name: string): AgentSummary {
	const unknown = { mode: '', description: '', workflow_id: null, file: null, error: null, updated_at: 0 };
	return { ...unknown, name, published: true, draft: false, variables: [] };
}

function getSystemUserName(): string {
	try {
		return os.userInfo().username;
	} catch {
		// the user ID has no name, for example in a container
		return 'user';
	}
}
