import type { LogOutputChannel, SecretStorage } from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { formatUpstreamKeyName, type UpstreamKeyUse } from './namedKeys.ts';

const prefix = 'upstream ';

/** Stores the keys that the built-in gateway sends upstream. Uses only SecretStorage, with one secret per name *and* origin. */
export class UpstreamKeys {
	readonly #secrets: SecretStorage;
	readonly #log: LogOutputChannel;

	constructor(secrets: SecretStorage, log: LogOutputChannel) {
		this.#secrets = secrets;
		this.#log = log;
	}

	async get(use: UpstreamKeyUse): Promise<string | undefined> {
		try {
			return (await this.#secrets.get(prefix + formatUpstreamKeyName(use))) || undefined;
		} catch (error) {
			this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
			return undefined;
		}
	}

	/** Saves a key. Rejects if the system's keyring fails. */
	async set(use: UpstreamKeyUse, key: string): Promise<void> {
		await this.#secrets.store(prefix + formatUpstreamKeyName(use), key);
	}

	async removeKey(use: UpstreamKeyUse): Promise<void> {
		await this.#secrets.delete(prefix + formatUpstreamKeyName(use));
	}

	/** Returns the stored keys by their names in the gateway's configuration. */
	async getStoredKeys(uses: readonly UpstreamKeyUse[]): Promise<Readonly<Record<string, string>>> {
		const found: Record<string, string> = {};
		for (const use of uses) {
			const key = await this.get(use);
			if (key === undefined) {
				this.#log.warn(`The key '${use.name}' for ${use.origin} isn't set. Run 'Set Upstream Key…'.`);
			} else {
				found[formatUpstreamKeyName(use)] = key;
			}
		}
		return found;
	}
}
