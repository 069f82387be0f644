import path from 'node:path';
import * as vscode from 'vscode';
import { isSameFile } from '#base/files/sameFile.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { isWorkspaceTrusted, requireTrust } from '../../platform/trust.ts';
import { escapeLinks } from '../../platform/wording.ts';
import { listOpenSecrets, type OpenSecret } from './openSecrets.ts';

/** Values by variable name. An empty string means that the user entered no value, so the gateway's own value applies. */
type Values = Readonly<Record<string, string>>;

const prefix = 'agent secrets ';

/**
 * Stores values for the secrets that agent files have no value for. Each is asked for once and stored only in SecretStorage, by connection
 * *and* file. Before a run they are sent to the built-in gateway, which keeps them in memory for that file only.
 */
export class StoredAgentSecrets {
	readonly #storage: vscode.SecretStorage;
	readonly #connections: Connections;

	constructor(storage: vscode.SecretStorage, connections: Connections) {
		this.#storage = storage;
		this.#connections = connections;
	}

	/**
	 * Sends an agent's secrets to the gateway before a run, after asking for those that were never asked for. Does nothing for other services
	 * and in untrusted workspaces. Rejects with a cancellation if the user cancels.
	 */
	async prepareSecrets(connection: Connection, agent: string, file: vscode.Uri | undefined): Promise<void> {
		if (connection.kind !== 'built-in' || !isWorkspaceTrusted()) {
			return;
		}
		// the gateway accepts secrets only for the file it serves, not for drafts of other files
		const uri = await this.#findAgentFile(connection, agent);
		if (!uri || (file && !(await isSameFile(file.fsPath, uri.fsPath)))) {
			return;
		}
		const open = listOpenSecrets(await readDocumentText(file ?? uri));
		if (open.length === 0) {
			return;
		}
		const known = await this.#readStoredValues(connection, uri);
		const values: Record<string, string> = {};
		for (const secret of open) {
			const value = known[secret.name] ?? (await askForSecret(secret, uri));
			if (value === undefined) {
				throw new vscode.CancellationError();
			}
			values[secret.name] = value;
		}
		// another version of the file, for example on another branch, has other secrets
		await this.#storage.store(getStorageKey(connection, uri), JSON.stringify({ ...known, ...values }));
		await this.#sendToGateway(connection, agent, uri, values);
	}

	/** Lets the user change one secret of a file. An empty value deletes the secret, and the next run asks for it again. */
	async changeSecret(connection: Connection, agent: string, file: vscode.Uri): Promise<void> {
		requireTrust();
		const served = await this.#findAgentFile(connection, agent);
		const uri = served && (await isSameFile(file.fsPath, served.fsPath)) ? served : file;
		const open = listOpenSecrets(await readDocumentText(uri));
		const known = await this.#readStoredValues(connection, uri);
		if (open.length === 0) {
			const message = vscode.l10n.t("'{0}' has no secrets to set. None of its secret environment variables is empty.", getFileName(uri));
			void vscode.window.showInformationMessage(escapeLinks(message));
			return;
		}
		const items = open.map(secret => ({
			label: secret.name,
			description: known[secret.name]
				? vscode.l10n.t({ message: 'Set', comment: ['state: the secret has a value'] })
				: vscode.l10n.t('Not set'),
			secret,
		}));
		const choice = await vscode.window.showQuickPick(items, {
			title: vscode.l10n.t("Secrets of '{0}'", getFileName(uri)),
			placeHolder: vscode.l10n.t('Select a secret to change or delete'),
		});
		const value = choice && (await askForSecret(choice.secret, uri));
		if (!choice || value === undefined) {
			return;
		}
		const { [choice.secret.name]: _, ...others } = known;
		const values: Values = value === '' ? others : { ...others, [choice.secret.name]: value };
		await (Object.keys(values).length === 0
			? this.#storage.delete(getStorageKey(connection, uri))
			: this.#storage.store(getStorageKey(connection, uri), JSON.stringify(values)));
		if (this.#connections.state(connection.id).kind === 'ready') {
			await this.#sendToGateway(connection, agent, uri, values);
		}
	}

	async #findAgentFile(connection: Connection, agent: string): Promise<vscode.Uri | undefined> {
		const file = (await this.#connections.listAgents(connection.id)).find(({ name }) => name === agent)?.file;
		return file ? vscode.Uri.file(file) : undefined;
	}

	async #readStoredValues(connection: Connection, uri: vscode.Uri): Promise<Values> {
		try {
			const values: unknown = JSON.parse((await this.#storage.get(getStorageKey(connection, uri))) ?? '{}');
			return typeof values === 'object' && values !== null ? (values as Values) : {};
		} catch {
			return {};
		}
	}

	async #sendToGateway(connection: Connection, agent: string, uri: vscode.Uri, values: Values): Promise<void> {
		const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
		try {
			const client = await this.#connections.getClient(connection.id);
			await client.setAgentSecrets(agent, { file: uri.fsPath, values: given });
		} catch (error) {
			throw this.#connections.toProblem(connection.id, error);
		}
	}
}

function askForSecret({ name, description, environment }: OpenSecret, uri: vscode.Uri): Thenable<string | undefined> {
	const kept = vscode.l10n.t("Used only for '{0}'. Saved in the system keyring.", getFileName(uri));
	const empty = environment
		? vscode.l10n.t("Leave empty to use the gateway's environment variable '{0}'.", environment)
		: vscode.l10n.t('Leave empty for no value.');
	return vscode.window.showInputBox({
		title: vscode.l10n.t("Secret '{0}'", name),
		prompt: escapeLinks([description, kept, empty].filter(Boolean).join(' ')),
		password: true,
		ignoreFocusOut: true,
	});
}

function getStorageKey({ id }: Connection, uri: vscode.Uri): string {
	return `${prefix}${id} ${uri.toString()}`;
}

function getFileName(uri: vscode.Uri): string {
	return path.posix.basename(uri.path);
}

async function readDocumentText(uri: vscode.Uri): Promise<string> {
	const open = vscode.workspace.textDocuments.find(document => document.uri.toString() === uri.toString());
	return open ? open.getText() : new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}
