import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { getErrorMessage } from '#base/problems.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { DifySession } from '#client/dify/management.ts';

/** A sign-in. Stored as one secret. */
export interface SignIn {
	/** A unique ID for each sign-in. Doesn't change when the session's token rotates. */
	readonly id: string;
	/** Undefined if the session has ended. */
	readonly session: DifySession | undefined;
	/** Email address of the account, if known. */
	readonly account: string | undefined;
	/** The workspace that contains the managed apps, if the deployment supports workspaces. */
	readonly workspaceId: string | undefined;
	readonly workspace: string | undefined;
}

/** The connection that a sign-in belongs to, and the only origin that the sign-in may be sent to. */
export interface SessionOwner {
	readonly id: string;
	/** Scheme, host and port of the console. */
	readonly origin: string;
}

const prefix = 'dify ';

/**
 * Stores sign-ins only in SecretStorage, one secret per connection *and* origin, so that a connection with a new console origin is signed
 * out. If the keyring fails, keeps a sign-in in memory until the window closes.
 */
export class SessionStore extends DisposableBase {
	readonly #secrets: vscode.SecretStorage;
	readonly #log: vscode.LogOutputChannel;
	readonly #known = new Map<string, SignIn | undefined>();
	/** Sign-ins that couldn't be stored in the keyring. */
	readonly #session = new Map<string, SignIn>();
	readonly #changed = this.register(new vscode.EventEmitter<string>());
	/** Fires when the sign-in of a connection (its ID) has changed, in this window or another. */
	readonly onDidChange = this.#changed.event;

	constructor(secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
		super();
		this.#secrets = secrets;
		this.#log = log;
		this.register(
			secrets.onDidChange(async ({ key }) => {
				const id = parseConnectionId(key);
				if (id !== undefined) {
					await this.#readSignIn(key);
					this.#changed.fire(id);
				}
			}),
		);
	}

	/** Returns the sign-in that was last read, without reading it again. */
	getLastRead(owner: SessionOwner): SignIn | undefined {
		return this.#known.get(formatSecretName(owner));
	}

	/** Reads the current sign-in, which all windows share. */
	get(owner: SessionOwner): Promise<SignIn | undefined> {
		return this.#readSignIn(formatSecretName(owner));
	}

	/** Saves a sign-in, replacing the previous one. Resolves to an error message if the keyring failed. */
	async set(owner: SessionOwner, signIn: SignIn): Promise<string | undefined> {
		const name = formatSecretName(owner);
		this.#known.set(name, signIn);
		this.#session.delete(name);
		try {
			await this.#secrets.store(name, JSON.stringify(signIn));
			return undefined;
		} catch (error) {
			this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
			this.#session.set(name, signIn);
			this.#changed.fire(owner.id);
			return getErrorMessage(error);
		}
	}

	/** Removes all sign-ins of a connection, for all origins. */
	async deleteSignIns(id: string): Promise<void> {
		for (const name of [...this.#known.keys(), ...this.#session.keys()].filter(each => parseConnectionId(each) === id)) {
			this.#known.delete(name);
			this.#session.delete(name);
		}
		try {
			for (const name of (await this.#secrets.keys()).filter(each => parseConnectionId(each) === id)) {
				await this.#secrets.delete(name);
			}
		} catch (error) {
			this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
		}
		this.#changed.fire(id);
	}

	async #readSignIn(name: string): Promise<SignIn | undefined> {
		let found = this.#session.get(name);
		if (!found) {
			try {
				found = parseSignIn(await this.#secrets.get(name));
			} catch (error) {
				this.#log.warn(`The keyring failed: ${getErrorMessage(error)}`);
			}
		}
		this.#known.set(name, found);
		return found;
	}
}

/** Returns the name of the secret. Encodes the ID, so that no ID can imitate another ID with its origin. */
function formatSecretName({ id, origin }: SessionOwner): string {
	return `${prefix}${encodeURIComponent(id)} ${origin}`;
}

function parseConnectionId(name: string): string | undefined {
	return name.startsWith(prefix) ? decodeURIComponent(name.slice(prefix.length).split(' ', 1)[0] ?? '') : undefined;
}

/** Ignores values that aren't sign-ins. They come from another release, because only this class writes these secrets. */
function parseSignIn(text: string | undefined): SignIn | undefined {
	// an error of JSON.parse would quote part of the secret
	const value = text === undefined ? undefined : tryParseJson(text);
	return typeof value === 'object' && value !== null && 'id' in value ? (value as SignIn) : undefined;
}
