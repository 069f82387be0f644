import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import { tryParseJson } from '#base/text/json.ts';
import { type KeyGroup, keyGroups } from '#contract/serviceKinds.ts';
import { getUrlOrigin } from '../baseUrl.ts';

/** Keys of a connection by endpoint group. */
export type Keys = Readonly<Partial<Record<KeyGroup, string>>>;

/** The connection that a key belongs to, and the address that the key may be sent to. */
interface KeyOwner {
	readonly id: string;
	readonly baseUrl: string;
}

/** Where a key was saved: in the system's keyring, or in memory until the window closes if the keyring failed with `cause`. */
export type KeyPlace = { readonly kind: 'keyring' } | { readonly kind: 'session'; readonly cause: string };

const prefix = 'key ';

/** Result of setting keys. */
export interface SetKeys {
	/** True if the service accepts the keys, but is of another kind than the connection. */
	readonly isOfOtherKind: boolean;
}

/**
 * Stores keys in SecretStorage only, with one secret per connection *and* origin, so that a connection with a new origin finds no key
 * (decision 3). If the system's keyring fails, keeps the key in memory until the window closes, and {@link set} reports that.
 */
export class KeyStore extends DisposableBase {
	readonly #secrets: vscode.SecretStorage;
	readonly #log: vscode.LogOutputChannel;
	readonly #session = new Map<string, Keys>();
	/** Open prompts for keys, by connection ID. */
	readonly #asked = new Map<string, Promise<SetKeys | undefined>>();
	readonly #changed = this.register(new vscode.EventEmitter<string>());
	/** Fires with a connection's ID when its keys have changed in this window or another. */
	readonly onDidChange = this.#changed.event;

	constructor(secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
		super();
		this.#secrets = secrets;
		this.#log = log;
		this.register(
			secrets.onDidChange(({ key }) => {
				const id = parseConnectionId(key);
				if (id !== undefined) {
					this.#changed.fire(id);
				}
			}),
		);
	}

	/** Calls `ask` to ask for and save a connection's keys. While its prompt is open, further calls return the result of that prompt. */
	shareOpenPrompt(id: string, ask: () => Promise<SetKeys | undefined>): Promise<SetKeys | undefined> {
		const asked = this.#asked.get(id) ?? ask().finally(() => this.#asked.delete(id));
		this.#asked.set(id, asked);
		return asked;
	}

	/** Returns a promise for whether the open prompt sets any keys, or `undefined` if no prompt is open for the connection. */
	getPendingAnswer(id: string): Promise<boolean> | undefined {
		return this.#asked.get(id)?.then(set => set !== undefined);
	}

	async get(owner: KeyOwner): Promise<Keys> {
		const name = formatSecretName(owner);
		const session = this.#session.get(name);
		if (session) {
			return session;
		}
		try {
			return parseKeys(await this.#secrets.get(name));
		} catch (error) {
			this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
			return {};
		}
	}

	/** Replaces all keys of a connection. An empty object removes them. */
	async set(owner: KeyOwner, keys: Keys): Promise<KeyPlace> {
		const name = formatSecretName(owner);
		this.#session.delete(name);
		try {
			if (Object.values(keys).some(key => key !== undefined && key !== '')) {
				await this.#secrets.store(name, JSON.stringify(keys));
			} else {
				await this.#secrets.delete(name);
			}
			return { kind: 'keyring' };
		} catch (error) {
			this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
			this.#session.set(name, keys);
			this.#changed.fire(owner.id);
			return { kind: 'session', cause: getErrorMessage(error) };
		}
	}

	/** Removes all keys of a connection for all origins. */
	async removeKeys(id: string): Promise<void> {
		for (const name of [...this.#session.keys()].filter(each => parseConnectionId(each) === id)) {
			this.#session.delete(name);
		}
		try {
			for (const name of await this.#secrets.keys()) {
				if (parseConnectionId(name) === id) {
					await this.#secrets.delete(name);
				}
			}
		} catch (error) {
			this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
		}
		this.#changed.fire(id);
	}
}

/** Returns the name of the secret. Encodes the ID, so that no ID can be mistaken for another ID with its origin. */
function formatSecretName({ id, baseUrl }: KeyOwner): string {
	return `${prefix}${encodeURIComponent(id)} ${getUrlOrigin(baseUrl)}`;
}

function parseConnectionId(name: string): string | undefined {
	return name.startsWith(prefix) ? decodeURIComponent(name.slice(prefix.length).split(' ', 1)[0] ?? '') : undefined;
}

function parseKeys(text: string | undefined): Keys {
	// an error of JSON.parse would quote part of the secret
	const value = text === undefined ? {} : tryParseJson(text);
	const found: Partial<Record<KeyGroup, string>> = {};
	for (const group of keyGroups) {
		const key = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[group] : undefined;
		if (typeof key === 'string' && key !== '') {
			found[group] = key;
		}
	}
	return found;
}
