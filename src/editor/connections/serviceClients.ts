import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ConnectionKind } from './connectionTypes.ts';
import type { Keys } from './keys/keyStore.ts';
import { networkSection, readNetworkSettings } from './networkSettings.ts';

/** Target of a client. A connection gets a new client when any of it changes. */
export interface ClientTarget {
	readonly baseUrl: string;
	readonly kind: ConnectionKind;
	readonly keys: Keys;
}

/** Creates one client per connection on first use, and loads its code then. Requests are logged without their query, which can contain keys. */
export class ServiceClients extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #replyTimeoutMs: number;
	readonly #clients = new Map<string, { readonly target: string; readonly client: ServiceClient }>();

	/** @param replyTimeoutMs time until a non-streamed response starts. Shorter than the client's default because a user is waiting. */
	constructor(log: vscode.LogOutputChannel, replyTimeoutMs = 15_000) {
		super();
		this.#log = log;
		this.#replyTimeoutMs = replyTimeoutMs;
		this.register(
			vscode.workspace.onDidChangeConfiguration(event => {
				if (event.affectsConfiguration(networkSection)) {
					this.#clients.clear();
				}
			}),
		);
	}

	async get(id: string, target: ClientTarget): Promise<ServiceClient> {
		const wanted = JSON.stringify(target);
		const known = this.#clients.get(id);
		if (known?.target === wanted) {
			return known.client;
		}
		// don't close the previous client: a run may still stream through it
		const client = await this.create(target);
		this.#clients.set(id, { target: wanted, client });
		return client;
	}

	/** Creates a client that the caller has to close, for example to try a key. */
	async create({ baseUrl, kind, keys }: ClientTarget): Promise<ServiceClient> {
		const { ServiceClient } = await import('#client/client.ts');
		return new ServiceClient({
			baseUrl,
			kind: kind === 'built-in' ? 'gateway' : kind,
			keys,
			network: { ...readNetworkSettings(), timeouts: { reply: this.#replyTimeoutMs } },
			onRequest: ({ method, path, status, error, durationMs }) =>
				this.#log.info(`${method} ${path} ${status ?? error?.reason ?? ''} ${Math.round(durationMs)} ms`),
		});
	}

	/** Makes the next use create a new client. The old one stays usable. */
	forget(id: string): void {
		this.#clients.delete(id);
	}
}
