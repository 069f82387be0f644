import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { AgentSummary } from '../protocol/agents.ts';

interface AgentList {
	/** Settled once, result or error: an error stays until something changes, so that a refresh of the tree does not send again. */
	readonly loading: Promise<readonly AgentSummary[]>;
	loaded?: readonly AgentSummary[];
}

/** Agents of each connection, loaded when they are first asked for and kept until the connection or its agents change. */
export class AgentLists extends DisposableBase {
	readonly #connections: Connections;
	readonly #lists = new Map<string, AgentList>();
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	/** The agents of a connection (its ID) were loaded, or are to be asked for again. */
	readonly onDidChange = this.#changed.event;

	constructor(connections: Connections) {
		super();
		this.#connections = connections;
		this.own(connections.onDidChangeAgents(id => this.reload(id)));
		this.own(connections.onDidChange(id => this.#connectionChanged(id)));
	}

	/** The agents, sorted by name. Rejects with a sentence that says what to do. */
	get(id: string): Promise<readonly AgentSummary[]> {
		const known = this.#lists.get(id);
		if (known) {
			return known.loading;
		}
		const list: AgentList = { loading: this.#load(id) };
		this.#lists.set(id, list);
		list.loading.then(
			agents => {
				list.loaded = agents;
				this.#changed.fire(id);
			},
			// whoever asked gets the error
			() => {},
		);
		return list.loading;
	}

	/** The agents as far as they are loaded: nothing is sent. */
	loaded(id: string): readonly AgentSummary[] | undefined {
		return this.#lists.get(id)?.loaded;
	}

	/** Forgets the agents of a connection, and tells that they are to be asked for again. */
	reload(id: string): void {
		if (this.#lists.delete(id)) {
			this.#changed.fire(id);
		}
	}

	async #load(id: string): Promise<readonly AgentSummary[]> {
		const agents = await this.#connections.agents(id);
		return [...agents].sort((a, b) => a.name.localeCompare(b.name));
	}

	/** A service that came up may have other agents than before; while it starts, who asked is already waiting. */
	async #connectionChanged(id: string | undefined): Promise<void> {
		const stale = id === undefined ? [...this.#lists.keys()] : [id];
		for (const each of stale) {
			const list = this.#lists.get(each);
			const settled =
				list &&
				(await Promise.race([
					list.loading.then(
						() => true,
						() => true,
					),
					false,
				]));
			if (settled && this.#connections.state(each).kind === 'ready') {
				this.reload(each);
			}
		}
	}
}
