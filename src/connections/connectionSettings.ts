import * as vscode from 'vscode';
import { DisposableBase } from '../common/disposables.ts';
import { normalizeBaseUrl } from './baseUrl.ts';
import { isServiceKind, type ServiceKind } from './kinds.ts';

const section = 'agentWorkbench';

/** A connection as the setting `agentWorkbench.connections` holds it. */
export interface ConnectionEntry {
	/** Names the connection in state and SecretStorage; made when it is added, kept when it is renamed. */
	readonly id: string;
	readonly name: string;
	readonly kind: ServiceKind;
	readonly baseUrl: string;
	/** The contract's `user`; absent: the one of this machine. */
	readonly user?: string;
	/** Agents of a service that cannot list its own. */
	readonly agents?: readonly string[];
}

/** The connections that the user has set up, in the settings of this machine alone: no workspace can add or redirect one. */
export class ConnectionSettings extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #changed = this.own(new vscode.EventEmitter<void>());
	readonly onDidChange = this.#changed.event;
	#entries: readonly ConnectionEntry[] | undefined;

	constructor(log: vscode.LogOutputChannel) {
		super();
		this.#log = log;
		this.own(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(`${section}.connections`)) {
					this.#entries = undefined;
					this.#changed.fire();
				}
			}),
		);
	}

	list(): readonly ConnectionEntry[] {
		this.#entries ??= this.#read();
		return this.#entries;
	}

	/** Adds an entry, or puts it in the place of the one with its ID. */
	async save(entry: ConnectionEntry): Promise<void> {
		const list = this.list();
		await this.#write(list.some(each => each.id === entry.id) ? list.map(each => (each.id === entry.id ? entry : each)) : [...list, entry]);
	}

	async remove(ids: readonly string[]): Promise<void> {
		await this.#write(this.list().filter(entry => !ids.includes(entry.id)));
	}

	/** The setting's scope already keeps workspaces out; reading the user's value alone makes sure of it. */
	#read(): ConnectionEntry[] {
		const value: unknown = vscode.workspace.getConfiguration(section).inspect('connections')?.globalValue;
		const entries: ConnectionEntry[] = [];
		for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
			const entry = readEntry(item);
			if (typeof entry === 'string') {
				this.#log.warn(`agentWorkbench.connections[${index}] is left out: ${entry}`);
			} else if (entries.some(other => other.id === entry.id)) {
				this.#log.warn(`agentWorkbench.connections[${index}] is left out: the ID "${entry.id}" is taken`);
			} else {
				entries.push(entry);
			}
		}
		return entries;
	}

	async #write(entries: readonly ConnectionEntry[]): Promise<void> {
		await vscode.workspace.getConfiguration(section).update('connections', entries, vscode.ConfigurationTarget.Global);
	}
}

/** An ID for a new connection: its name in plain letters, with a number where that is taken. */
export function newId(name: string, taken: readonly string[]): string {
	const plain =
		name
			.toLowerCase()
			.replace(/[^a-z0-9]+/g, '-')
			.replace(/^-+|-+$/g, '') || 'connection';
	let id = plain;
	for (let n = 2; taken.includes(id); n++) {
		id = `${plain}-${n}`;
	}
	return id;
}

/** An entry, or what is wrong with it. */
function readEntry(item: unknown): ConnectionEntry | string {
	if (typeof item !== 'object' || item === null) {
		return 'expected an object';
	}
	const { id, name, kind, baseUrl, user, agents } = item as Record<string, unknown>;
	if (typeof name !== 'string' || name.trim() === '') {
		return '"name" is missing';
	}
	if (!isServiceKind(kind)) {
		return '"kind" is none that is known';
	}
	const url = typeof baseUrl === 'string' ? normalizeBaseUrl(baseUrl) : undefined;
	if (!url) {
		return '"baseUrl" is no http or https address without credentials';
	}
	const names = Array.isArray(agents) ? agents.filter(agent => typeof agent === 'string' && agent !== '') : [];
	return {
		id: typeof id === 'string' && id !== '' && id !== 'built-in' ? id : newId(name, ['built-in']),
		name: name.trim(),
		kind,
		baseUrl: url,
		...(typeof user === 'string' && user.trim() !== '' && { user: user.trim() }),
		...(names.length > 0 && { agents: names }),
	};
}
