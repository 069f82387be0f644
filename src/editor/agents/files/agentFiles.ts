import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { isSameFile } from '#base/files/sameFile.ts';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentCheck, AgentSummary } from '#contract/agents.ts';
import { getBuiltInConnection } from '../../connections/builtInConnection.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { publishedScheme } from '../../platform/names.ts';

/** An agent file, open or not. */
export type AgentFileSource = Pick<vscode.TextDocument, 'uri' | 'getText'>;

/**
 * Checks and publishes agent files through the built-in gateway. Only commands start the gateway; other methods use it only if it's
 * running.
 */
export class AgentFiles extends DisposableBase {
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;
	readonly #publishedChanged = this.register(new vscode.EventEmitter<vscode.Uri>());
	/** Fires when the published version shown in an open document may have changed. */
	readonly onDidChangePublished = this.#publishedChanged.event;

	constructor(connections: Connections, log: vscode.LogOutputChannel) {
		super();
		this.#connections = connections;
		this.#log = log;
		this.register(connections.onDidChangeAgents(() => this.#refreshPublished()));
	}

	/** Returns the connection of the built-in gateway. */
	getConnection(): Connection {
		return getBuiltInConnection(this.#connections);
	}

	/** Returns the name of the agent in a file, which is the file name without its extension. */
	getAgentName(uri: vscode.Uri): string {
		return path.posix.basename(uri.path).replace(/\.ya?ml$/, '');
	}

	/** Returns the agent that the gateway serves from a file, or `undefined` if the gateway isn't running or doesn't serve this file. */
	async findAgent(uri: vscode.Uri): Promise<AgentSummary | undefined> {
		if (!this.#isGatewayReady()) {
			return undefined;
		}
		try {
			const agent = this.#findAgentOfFile(await this.#connections.listAgents(this.getConnection().id), uri);
			return agent?.file && (await isSameFile(agent.file, uri.fsPath)) ? agent : undefined;
		} catch (error) {
			this.#log.warn(`Agents of the built-in gateway: ${getErrorMessage(error)}`);
			return undefined;
		}
	}

	/**
	 * Returns the path of another file that the gateway serves under this agent name: if two files have the same name, it serves the first.
	 * Returns `undefined` if there is no such file or the gateway isn't running.
	 */
	async findOtherServedFile(uri: vscode.Uri): Promise<string | undefined> {
		if (!this.#isGatewayReady() || uri.scheme !== 'file') {
			return undefined;
		}
		const file = this.#findAgentOfFile(await this.#connections.listAgents(this.getConnection().id), uri)?.file ?? undefined;
		return file !== undefined && !(await isSameFile(file, uri.fsPath)) ? file : undefined;
	}

	/** Has the gateway check a text as an agent file. Returns `undefined` if the gateway isn't running. */
	async checkTextIfReady(document: vscode.TextDocument): Promise<AgentCheck | undefined> {
		return this.#isGatewayReady() ? this.checkText(document) : undefined;
	}

	/** Has the gateway check a text as an agent file. Starts the gateway if necessary. */
	async checkText(document: AgentFileSource): Promise<AgentCheck> {
		const client = await this.#connections.getClient(this.getConnection().id);
		return client.checkAgent(this.getAgentName(document.uri), document.getText());
	}

	/** Returns the text of the published version, or an empty string if there is none. Rejects if the gateway doesn't serve the file. */
	async readPublished(uri: vscode.Uri): Promise<string> {
		const client = await this.#getServingClient(uri);
		return (await client.getPublishedAgent(this.getAgentName(uri))).source ?? '';
	}

	/** Publishes a saved file. Rejects if the gateway doesn't serve this file, because it would publish another one with the same name. */
	async publishFile(uri: vscode.Uri): Promise<AgentSummary> {
		const client = await this.#getServingClient(uri);
		const agent = await client.publishAgent(this.getAgentName(uri));
		this.#refreshPublished();
		return agent;
	}

	/** Returns the gateway's client after checking that the gateway serves this file. */
	async #getServingClient(uri: vscode.Uri): Promise<ServiceClient> {
		const client = await this.#connections.getClient(this.getConnection().id);
		const name = this.getAgentName(uri);
		const served = this.#findAgentOfFile(await client.listAgents(), uri);
		if (!served?.file) {
			const message = vscode.l10n.t(
				"The built-in gateway doesn't serve '{0}' because it isn't in an agents folder. Move the file, or add its folder in Settings.",
				vscode.workspace.asRelativePath(uri),
			);
			throw new Problem('not-served', message, {
				title: vscode.l10n.t('Open settings'),
				command: 'workbench.action.openSettings',
				arguments: ['agentWorkbench.gateway.agentFolders'],
			});
		}
		if (!(await isSameFile(served.file, uri.fsPath))) {
			throw new Problem('double-name', formatDuplicateNameMessage(name, served.file), {
				title: vscode.l10n.t('Open served file'),
				command: 'vscode.open',
				arguments: [vscode.Uri.file(served.file)],
			});
		}
		return client;
	}

	#findAgentOfFile(agents: readonly AgentSummary[], uri: vscode.Uri): AgentSummary | undefined {
		const name = this.getAgentName(uri);
		return agents.find(agent => agent.name === name);
	}

	#refreshPublished(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === publishedScheme) {
				this.#publishedChanged.fire(uri);
			}
		}
	}

	#isGatewayReady(): boolean {
		return this.#connections.state(this.getConnection().id).kind === 'ready';
	}
}

/** Formats the message that the agent with this name is served from another file. */
export function formatDuplicateNameMessage(name: string, served: string): string {
	return vscode.l10n.t(
		"The agent '{0}' is served from '{1}', which has the same name as this file. Rename one of them.",
		name,
		vscode.workspace.asRelativePath(served),
	);
}
