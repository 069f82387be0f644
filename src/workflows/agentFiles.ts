import path from 'node:path';
import * as vscode from 'vscode';
import { messageOf, Problem } from '../common/problems.ts';
import type { Connection, Connections } from '../connections/connectionTypes.ts';
import type { AgentCheck, AgentSummary } from '../protocol/agents.ts';

/** Agent files and what the built-in gateway says of them. Asks it only where it runs already, unless a command needs it. */
export class AgentFiles {
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;

	constructor(connections: Connections, log: vscode.LogOutputChannel) {
		this.#connections = connections;
		this.#log = log;
	}

	/** The connection to the built-in gateway, which serves the agent files. */
	connection(): Connection {
		const connection = this.#connections.list().find(({ kind }) => kind === 'built-in');
		if (!connection) {
			throw new Problem('unknown-connection', vscode.l10n.t('The built-in gateway is not among the connections.'));
		}
		return connection;
	}

	/** Name that an agent file gives its agent: the file's, without its ending. */
	nameOf(uri: vscode.Uri): string {
		return path.posix.basename(uri.path).replace(/\.ya?ml$/, '');
	}

	/** The agent of a file as the gateway lists it; `undefined` where it does not run, or does not serve this file. */
	async agentOf(uri: vscode.Uri): Promise<AgentSummary | undefined> {
		if (!this.#isReady()) {
			return undefined;
		}
		try {
			return (await this.#connections.agents(this.connection().id)).find(({ file }) => file === uri.fsPath);
		} catch (error) {
			this.#log.warn(`Agents of the built-in gateway: ${messageOf(error)}`);
			return undefined;
		}
	}

	/** What is wrong with a text as an agent file; `undefined` where the gateway does not run. */
	async checkIfReady(document: vscode.TextDocument): Promise<AgentCheck | undefined> {
		return this.#isReady() ? this.check(document) : undefined;
	}

	/** What a text says as an agent file; starts the gateway where it does not run. */
	async check(document: vscode.TextDocument): Promise<AgentCheck> {
		const client = await this.#connections.client(this.connection().id);
		return client.checkAgent(this.nameOf(document.uri), document.getText());
	}

	/** Text of the published version; empty where none is published. */
	async published(uri: vscode.Uri): Promise<string> {
		const client = await this.#connections.client(this.connection().id);
		return (await client.publishedAgent(this.nameOf(uri))).source ?? '';
	}

	/** Publishes a saved file. */
	async publish(uri: vscode.Uri): Promise<AgentSummary> {
		const client = await this.#connections.client(this.connection().id);
		return client.publishAgent(this.nameOf(uri));
	}

	#isReady(): boolean {
		return this.#connections.state(this.connection().id).kind === 'ready';
	}
}
