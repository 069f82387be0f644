import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf } from '#base/problems.ts';
import { type KeyGroup, keyGroups } from '#contract/serviceKinds.ts';
import { originOf } from '../baseUrl.ts';

/** Keys of a connection by endpoint group. */
export type Keys = Readonly<Partial<Record<KeyGroup, string>>>;

/** Which connection a key is for, and where it may be sent. */
interface KeyOwner {
	readonly id: string;
	readonly baseUrl: string;
}

/** Where a key was put: the system's keyring, or this window's memory because the keyring failed. */
export type KeyPlace = { readonly kind: 'keyring' } | { readonly kind: 'session'; readonly cause: string };

const prefix = 'key ';

/** Keys that were set. */
export interface SetKeys {
	/** Whether the service takes them only as another kind of service than its connection says. */
	readonly isOfOtherKind: boolean;
}

/**
 * Keys, in SecretStorage alone, one secret a connection *and* origin: a connection whose base URL moves to another origin finds none
 * (decision 3). Where the keyring fails they live as long as the window, and whoever sets one is told.
 */
export class KeyStore extends DisposableBase {
	readonly #secrets: vscode.SecretStorage;
	readonly #log: vscode.LogOutputChannel;
	readonly #session = new Map<string, Keys>();
	/** Connections whose keys somebody is being asked for, by their IDs. */
	readonly #asked = new Map<string, Promise<SetKeys | undefined>>();
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	/** The keys of a connection (its ID) changed, in this window or another. */
	readonly onDidChange = this.#changed.event;

	constructor(secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
		super();
		this.#secrets = secrets;
		this.#log = log;
		this.own(
			secrets.onDidChange(({ key }) => {
				const id = connectionOf(key);
				if (id !== undefined) {
					this.#changed.fire(id);
				}
			}),
		);
	}

	/** Asks the user for the keys of a connection (its ID) by `ask`, which saves them. A second caller gets the answer to the question that is open. */
	whileAsked(id: string, ask: () => Promise<SetKeys | undefined>): Promise<SetKeys | undefined> {
		const asked = this.#asked.get(id) ?? ask().finally(() => this.#asked.delete(id));
		this.#asked.set(id, asked);
		return asked;
	}

	/** Whether keys of a connection were set by who is being asked for them now; `undefined` where nobody is. */
	beingAsked(id: string): Promise<boolean> | undefined {
		return this.#asked.get(id)?.then(set => set !== undefined);
	}

	async get(owner: KeyOwner): Promise<Keys> {
		const name = secretName(owner);
		const session = this.#session.get(name);
		if (session) {
			return session;
		}
		try {
			return parseKeys(await this.#secrets.get(name));
		} catch (error) {
			this.#log.warn(`The keyring failed: ${messageOf(error)}`);
			return {};
		}
	}

	/** Sets all keys of a connection; none removes them. */
	async set(owner: KeyOwner, keys: Keys): Promise<KeyPlace> {
		const name = secretName(owner);
		this.#session.delete(name);
		try {
			if (Object.values(keys).some(key => key !== undefined && key !== '')) {
				await this.#secrets.store(name, JSON.stringify(keys));
			} else {
				await this.#secrets.delete(name);
			}
			return { kind: 'keyring' };
		} catch (error) {
			this.#log.warn(`The keyring failed: ${messageOf(error)}`);
			this.#session.set(name, keys);
			this.#changed.fire(owner.id);
			return { kind: 'session', cause: messageOf(error) };
		}
	}

	/** Forgets all keys of a connection, at whatever origin. */
	async forget(id: string): Promise<void> {
		for (const name of [...this.#session.keys()].filter(each => connectionOf(each) === id)) {
			this.#session.delete(name);
		}
		try {
			for (const name of await this.#secrets.keys()) {
				if (connectionOf(name) === id) {
					await this.#secrets.delete(name);
				}
			}
		} catch (error) {
			this.#log.warn(`The keyring failed: ${messageOf(error)}`);
		}
		this.#changed.fire(id);
	}
}

/** The ID is encoded, so that none can be made to look like another's with its origin. */
function secretName({ id, baseUrl }: KeyOwner): string {
	return `${prefix}${encodeURIComponent(id)} ${originOf(baseUrl)}`;
}

function connectionOf(name: string): string | undefined {
	return name.startsWith(prefix) ? decodeURIComponent(name.slice(prefix.length).split(' ', 1)[0] ?? '') : undefined;
}

function parseKeys(text: string | undefined): Keys {
	const value: unknown = text === undefined ? {} : JSON.parse(text);
	const found: Partial<Record<KeyGroup, string>> = {};
	for (const group of keyGroups) {
		const key = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[group] : undefined;
		if (typeof key === 'string' && key !== '') {
			found[group] = key;
		}
	}
	return found;
}
