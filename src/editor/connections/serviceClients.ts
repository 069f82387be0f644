import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import type { ServiceClient } from '#client/client.ts';
import type { ConnectionKind } from './connectionTypes.ts';
import type { Keys } from './keys/keyStore.ts';
import { networkSection, networkSettings } from './networkSettings.ts';

/** What a client is made for; another one of the same connection is made when any of it changes. */
export interface ClientTarget {
	readonly baseUrl: string;
	readonly kind: ConnectionKind;
	readonly keys: Keys;
}

/** One client a connection, made on first use; its code is loaded then too. Every request is logged without its query, where keys can be. */
export class ServiceClients extends DisposableBase {
	readonly #log: vscode.LogOutputChannel;
	readonly #replyTimeoutMs: number;
	readonly #clients = new Map<string, { readonly target: string; readonly client: ServiceClient }>();

	/** `replyTimeoutMs`: until a plain answer begins; shorter than the client's own, because somebody watches. */
	constructor(log: vscode.LogOutputChannel, replyTimeoutMs = 15_000) {
		super();
		this.#log = log;
		this.#replyTimeoutMs = replyTimeoutMs;
		this.own(
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
		// the client before is let go and not closed: a run may still stream through it
		const client = await this.create(target);
		this.#clients.set(id, { target: wanted, client });
		return client;
	}

	/** A client that whoever asked for it closes: to try a key out, say. */
	async create({ baseUrl, kind, keys }: ClientTarget): Promise<ServiceClient> {
		const { ServiceClient } = await import('#client/client.ts');
		return new ServiceClient({
			baseUrl,
			kind: kind === 'built-in' ? 'gateway' : kind,
			keys,
			network: { ...networkSettings(), timeouts: { reply: this.#replyTimeoutMs } },
			onRequest: ({ method, path, status, error, durationMs }) =>
				this.#log.info(`${method} ${path} ${status ?? error?.reason ?? ''} ${Math.round(durationMs)} ms`),
		});
	}

	/** The next use makes a new client; whoever has the old one may finish with it. */
	forget(id: string): void {
		this.#clients.delete(id);
	}
}
