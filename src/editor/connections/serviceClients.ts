import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ConnectionKind } from './connectionTypes.ts';
import type { Keys } from './keys/keyStore.ts';
import { networkSection, readNetworkSettings } from './networkSettings.ts';

/** Address, kind and keys of a service. A connection gets a new client when any of these change. */
export interface ClientTarget {
	readonly baseUrl: string;
	readonly kind: ConnectionKind;
	readonly keys: Keys;
}

/** Creates one client per connection and loads its code on first use. Logs requests without their query, which can contain keys. */
export class ServiceClients extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #replyTimeoutMs: number;
	readonly #clients = new Map<string, { readonly target: string; readonly client: ServiceClient }>();

	/** @param replyTimeoutMs maximum wait for a response that isn't streamed, shorter than the client's default because a user is waiting */
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
		// don't close the previous client, because a run may still use it
		const client = await this.createClient(target);
		this.#clients.set(id, { target: wanted, client });
		return client;
	}

	/** Creates a separate client that the caller must close, for example to test a key. */
	async createClient({ baseUrl, kind, keys }: ClientTarget): Promise<ServiceClient> {
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

	/** Forgets a connection's client, so that the next use creates a new one. The old one stays usable. */
	forgetClient(id: string): void {
		this.#clients.delete(id);
	}
}
