import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { messageOf } from '#base/problems.ts';
import { tryParseJson } from '#base/text/json.ts';
import type { DifySession } from '#client/dify/management.ts';

/** What is kept of a sign-in, as one secret. */
export interface SignIn {
	/** Another one for each sign-in; the same when a session's token rotates. */
	readonly id: string;
	/** `undefined`: it has ended, and nothing of it can be used. */
	readonly session: DifySession | undefined;
	/** Mail address of the account, where the deployment says it. */
	readonly account: string | undefined;
	/** The workspace that apps are managed in, where the deployment takes one. */
	readonly workspaceId: string | undefined;
	readonly workspace: string | undefined;
}

/** Which connection a sign-in is for, and where alone it may be sent. */
export interface SessionOwner {
	readonly id: string;
	/** Scheme, host and port of the console. */
	readonly origin: string;
}

const prefix = 'dify ';

/**
 * Sign-ins in SecretStorage alone, one secret a connection *and* origin: a connection whose console moves to another origin is signed out. Where the
 * keyring fails they live as long as the window.
 */
export class SessionStore extends DisposableBase {
	readonly #secrets: vscode.SecretStorage;
	readonly #log: vscode.LogOutputChannel;
	readonly #known = new Map<string, SignIn | undefined>();
	/** Of a keyring that fails. */
	readonly #session = new Map<string, SignIn>();
	readonly #changed = this.own(new vscode.EventEmitter<string>());
	/** The sign-in of a connection (its ID) changed, in this window or another. */
	readonly onDidChange = this.#changed.event;

	constructor(secrets: vscode.SecretStorage, log: vscode.LogOutputChannel) {
		super();
		this.#secrets = secrets;
		this.#log = log;
		this.own(
			secrets.onDidChange(async ({ key }) => {
				const id = connectionOf(key);
				if (id !== undefined) {
					await this.#read(key);
					this.#changed.fire(id);
				}
			}),
		);
	}

	/** The sign-in as it was last read; nothing is waited for. */
	known(owner: SessionOwner): SignIn | undefined {
		return this.#known.get(secretName(owner));
	}

	/** The sign-in as all windows have it now. */
	get(owner: SessionOwner): Promise<SignIn | undefined> {
		return this.#read(secretName(owner));
	}

	/** Keeps a sign-in in the place of the one before. Resolves to why the keyring did not take it, where it did not. */
	async set(owner: SessionOwner, signIn: SignIn): Promise<string | undefined> {
		const name = secretName(owner);
		this.#known.set(name, signIn);
		this.#session.delete(name);
		try {
			await this.#secrets.store(name, JSON.stringify(signIn));
			return undefined;
		} catch (error) {
			this.#log.warn(`The keyring failed: ${messageOf(error)}`);
			this.#session.set(name, signIn);
			this.#changed.fire(owner.id);
			return messageOf(error);
		}
	}

	/** Forgets all sign-ins of a connection, at whatever origin. */
	async forget(id: string): Promise<void> {
		for (const name of [...this.#known.keys(), ...this.#session.keys()].filter(each => connectionOf(each) === id)) {
			this.#known.delete(name);
			this.#session.delete(name);
		}
		try {
			for (const name of (await this.#secrets.keys()).filter(each => connectionOf(each) === id)) {
				await this.#secrets.delete(name);
			}
		} catch (error) {
			this.#log.warn(`The keyring failed: ${messageOf(error)}`);
		}
		this.#changed.fire(id);
	}

	async #read(name: string): Promise<SignIn | undefined> {
		let found = this.#session.get(name);
		if (!found) {
			try {
				found = parse(await this.#secrets.get(name));
			} catch (error) {
				this.#log.warn(`The keyring failed: ${messageOf(error)}`);
			}
		}
		this.#known.set(name, found);
		return found;
	}
}

/** The ID is encoded, so that none can be made to look like another's with its origin. */
function secretName({ id, origin }: SessionOwner): string {
	return `${prefix}${encodeURIComponent(id)} ${origin}`;
}

function connectionOf(name: string): string | undefined {
	return name.startsWith(prefix) ? decodeURIComponent(name.slice(prefix.length).split(' ', 1)[0] ?? '') : undefined;
}

/** Only this class writes these secrets: what is no sign-in is of another release, and counts as none. */
function parse(text: string | undefined): SignIn | undefined {
	// an error of JSON.parse would quote a part of it
	const value = text === undefined ? undefined : tryParseJson(text);
	return typeof value === 'object' && value !== null && 'id' in value ? (value as SignIn) : undefined;
}
