import { randomBytes } from 'node:crypto';
import type { LogOutputChannel, SecretStorage } from 'vscode';
import { messageOf } from '../common/problems.ts';

/**
 * The built-in gateway's key: random, made on first use, kept in SecretStorage alone, one a data folder (windows on the same folder
 * share the gateway, and so the key). Where the keyring fails, the key lives as long as the window.
 */
export class GatewayKey {
	readonly #secrets: SecretStorage;
	readonly #name: string;
	readonly #log: LogOutputChannel;
	#session: string | undefined;

	constructor(secrets: SecretStorage, dataFolder: string, log: LogOutputChannel) {
		this.#secrets = secrets;
		this.#name = `gateway ${dataFolder}`;
		this.#log = log;
	}

	async get(): Promise<string> {
		if (this.#session) {
			return this.#session;
		}
		try {
			const kept = await this.#secrets.get(this.#name);
			if (kept) {
				return kept;
			}
			const key = newKey();
			await this.#secrets.store(this.#name, key);
			// another window may have stored its own meanwhile: all take what is kept
			return (await this.#secrets.get(this.#name)) ?? key;
		} catch (error) {
			this.#log.warn(`The keyring failed (${messageOf(error)}); the built-in gateway's key is kept for this window only.`);
			this.#session = newKey();
			return this.#session;
		}
	}
}

function newKey(): string {
	return `awb-${randomBytes(32).toString('base64url')}`;
}
