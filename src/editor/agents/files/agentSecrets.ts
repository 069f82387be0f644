import path from 'node:path';
import * as vscode from 'vscode';
import { sameFile } from '#base/files/sameFile.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { isTrusted, requireTrust } from '../../platform/trust.ts';
import { withoutLinks } from '../../platform/wording.ts';
import { type OpenSecret, openSecrets } from './openSecrets.ts';

/** Values by the names of the variables; an empty one was asked for and left to the gateway. */
type Values = Readonly<Record<string, string>>;

const prefix = 'agent secrets ';

/**
 * Values of the secrets that agent files leave open: asked for once, kept in SecretStorage alone, one secret a connection *and* file, and handed to the
 * built-in gateway before a run, which holds them in memory and for that file only.
 */
export class StoredAgentSecrets {
	readonly #storage: vscode.SecretStorage;
	readonly #connections: Connections;

	constructor(storage: vscode.SecretStorage, connections: Connections) {
		this.#storage = storage;
		this.#connections = connections;
	}

	/**
	 * Sees to it that the gateway has the secrets of an agent before it runs; asks for those that were never asked for. Nothing for agents of other
	 * services, and in a workspace that is not trusted. Rejects with a cancellation where the user backs out.
	 */
	async prepare(connection: Connection, agent: string, file: vscode.Uri | undefined): Promise<void> {
		if (connection.kind !== 'built-in' || !isTrusted()) {
			return;
		}
		// the gateway takes secrets for the file that it serves alone: a draft of another one has none
		const uri = await this.#fileOf(connection, agent);
		if (!uri || (file && !(await sameFile(file.fsPath, uri.fsPath)))) {
			return;
		}
		const open = openSecrets(await textOf(file ?? uri));
		if (open.length === 0) {
			return;
		}
		const known = await this.#get(connection, uri);
		const values: Record<string, string> = {};
		for (const secret of open) {
			const value = known[secret.name] ?? (await ask(secret, uri));
			if (value === undefined) {
				throw new vscode.CancellationError();
			}
			values[secret.name] = value;
		}
		await this.#storage.store(keyOf(connection, uri), JSON.stringify(values));
		await this.#give(connection, agent, uri, values);
	}

	/** Asks which of a file's secrets to change; one that is left empty is forgotten, and asked for with the next run. */
	async change(connection: Connection, agent: string, file: vscode.Uri): Promise<void> {
		requireTrust();
		const served = await this.#fileOf(connection, agent);
		const uri = served && (await sameFile(file.fsPath, served.fsPath)) ? served : file;
		const open = openSecrets(await textOf(uri));
		const known = await this.#get(connection, uri);
		if (open.length === 0) {
			const sentence = vscode.l10n.t('{0} leaves no secret open: none of its environment variables is an empty secret.', nameOf(uri));
			void vscode.window.showInformationMessage(withoutLinks(sentence));
			return;
		}
		const items = open.map(secret => ({
			label: secret.name,
			description: known[secret.name] ? vscode.l10n.t('Set') : vscode.l10n.t('Not set'),
			secret,
		}));
		const choice = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t('Secrets of {0}', nameOf(uri)),
			placeHolder: vscode.l10n.t('Secret to change or forget'),
		});
		const value = choice && (await ask(choice.secret, uri));
		if (!choice || value === undefined) {
			return;
		}
		const { [choice.secret.name]: _, ...others } = known;
		const values: Values = value === '' ? others : { ...others, [choice.secret.name]: value };
		await (Object.keys(values).length === 0
			? this.#storage.delete(keyOf(connection, uri))
			: this.#storage.store(keyOf(connection, uri), JSON.stringify(values)));
		if (this.#connections.state(connection.id).kind === 'ready') {
			await this.#give(connection, agent, uri, values);
		}
	}

	async #fileOf(connection: Connection, agent: string): Promise<vscode.Uri | undefined> {
		const file = (await this.#connections.agents(connection.id)).find(({ name }) => name === agent)?.file;
		return file ? vscode.Uri.file(file) : undefined;
	}

	async #get(connection: Connection, uri: vscode.Uri): Promise<Values> {
		try {
			const values: unknown = JSON.parse((await this.#storage.get(keyOf(connection, uri))) ?? '{}');
			return typeof values === 'object' && values !== null ? (values as Values) : {};
		} catch {
			return {};
		}
	}

	async #give(connection: Connection, agent: string, uri: vscode.Uri, values: Values): Promise<void> {
		const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
		try {
			const client = await this.#connections.client(connection.id);
			await client.giveAgentSecrets(agent, { file: uri.fsPath, values: given });
		} catch (error) {
			throw this.#connections.problem(connection.id, error);
		}
	}
}

function ask({ name, description, environment }: OpenSecret, uri: vscode.Uri): Thenable<string | undefined> {
	const kept = vscode.l10n.t('For {0} alone. Kept in the system’s keyring.', nameOf(uri));
	const empty = environment ? vscode.l10n.t('Empty: the gateway’s environment variable {0}.', environment) : vscode.l10n.t('Empty: none.');
	return vscode.window.showInputBox({
		title: vscode.l10n.t('Secret “{0}”', name),
		prompt: withoutLinks([description, kept, empty].filter(Boolean).join(' ')),
		password: true,
		ignoreFocusOut: true,
	});
}

function keyOf({ id }: Connection, uri: vscode.Uri): string {
	return `${prefix}${id} ${uri.toString()}`;
}

function nameOf(uri: vscode.Uri): string {
	return path.posix.basename(uri.path);
}

async function textOf(uri: vscode.Uri): Promise<string> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	return open ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
