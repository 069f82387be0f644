import path from 'node:path';
import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { sameFile } from '#base/files/sameFile.ts';
import { messageOf, Problem } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentCheck, AgentSummary } from '#contract/agents.ts';
import { builtInConnection } from '../../connections/builtInConnection.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { publishedScheme } from '../../platform/names.ts';

/** An agent file, as an editor has it or otherwise. */
export type AgentFileSource = Pick<vscode.TextDocument, 'uri' | 'getText'>;

/** Agent files and what the built-in gateway says of them. Asks it only where it runs already, unless a command needs it. */
export class AgentFiles extends DisposableBase {
	readonly #connections: Connections;
	readonly #log: vscode.LogOutputChannel;
	readonly #publishedChanged = this.own(new vscode.EventEmitter<vscode.Uri>());
	/** The published version that an open document shows may have changed. */
	readonly onDidChangePublished = this.#publishedChanged.event;

	constructor(connections: Connections, log: vscode.LogOutputChannel) {
		super();
		this.#connections = connections;
		this.#log = log;
		this.own(connections.onDidChangeAgents(() => this.#renewPublished()));
	}

	/** The connection to the built-in gateway, which serves the agent files. */
	connection(): Connection {
		return builtInConnection(this.#connections);
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
			const agent = this.#named(await this.#connections.agents(this.connection().id), uri);
			return agent?.file && (await sameFile(agent.file, uri.fsPath)) ? agent : undefined;
		} catch (error) {
			this.#log.warn(`Agents of the built-in gateway: ${messageOf(error)}`);
			return undefined;
		}
	}

	/**
	 * The file that is served under this file's name and is another one: two files can have one name, and the gateway serves the first.
	 * `undefined` where the gateway does not run.
	 */
	async otherOf(uri: vscode.Uri): Promise<string | undefined> {
		if (!this.#isReady() || uri.scheme !== 'file') {
			return undefined;
		}
		const file = this.#named(await this.#connections.agents(this.connection().id), uri)?.file ?? undefined;
		return file !== undefined && !(await sameFile(file, uri.fsPath)) ? file : undefined;
	}

	/** What is wrong with a text as an agent file; `undefined` where the gateway does not run. */
	async checkIfReady(document: vscode.TextDocument): Promise<AgentCheck | undefined> {
		return this.#isReady() ? this.check(document) : undefined;
	}

	/** What a text says as an agent file; starts the gateway where it does not run. */
	async check(document: AgentFileSource): Promise<AgentCheck> {
		const client = await this.#connections.client(this.connection().id);
		return client.checkAgent(this.nameOf(document.uri), document.getText());
	}

	/** Text of the published version; empty where none is published. Rejects for a file that the gateway does not serve. */
	async published(uri: vscode.Uri): Promise<string> {
		const client = await this.#serving(uri);
		return (await client.publishedAgent(this.nameOf(uri))).source ?? '';
	}

	/** Publishes a saved file. Rejects for a file that the gateway does not serve: it would publish the one of this name that it does. */
	async publish(uri: vscode.Uri): Promise<AgentSummary> {
		const client = await this.#serving(uri);
		const agent = await client.publishAgent(this.nameOf(uri));
		this.#renewPublished();
		return agent;
	}

	/** A client of the gateway, which serves this file under its name, as it says just now. */
	async #serving(uri: vscode.Uri): Promise<ServiceClient> {
		const client = await this.#connections.client(this.connection().id);
		const name = this.nameOf(uri);
		const served = this.#named(await client.listAgents(), uri);
		if (!served?.file) {
			const sentence = vscode.l10n.t(
				'{0} is in none of the agents folders, so the built-in gateway does not serve it: move it there, or add its folder.',
				vscode.workspace.asRelativePath(uri),
			);
			throw new Problem('not-served', sentence, {
				title: vscode.l10n.t('Open Settings'),
				command: 'workbench.action.openSettings',
				arguments: ['agentWorkbench.gateway.agentFolders'],
			});
		}
		if (!(await sameFile(served.file, uri.fsPath))) {
			throw new Problem('double-name', doubleNameText(name, served.file), {
				title: vscode.l10n.t('Open the Served File'),
				command: 'vscode.open',
				arguments: [vscode.Uri.file(served.file)],
			});
		}
		return client;
	}

	#named(agents: readonly AgentSummary[], uri: vscode.Uri): AgentSummary | undefined {
		const name = this.nameOf(uri);
		return agents.find(agent => agent.name === name);
	}

	#renewPublished(): void {
		for (const { uri } of vscode.workspace.textDocuments) {
			if (uri.scheme === publishedScheme) {
				this.#publishedChanged.fire(uri);
			}
		}
	}

	#isReady(): boolean {
		return this.#connections.state(this.connection().id).kind === 'ready';
	}
}

/** Says that the agent of this name comes from another file. */
export function doubleNameText(name: string, served: string): string {
	return vscode.l10n.t(
		'The agent “{0}” is served from {1}, and this file is another one of its name: rename one of them.',
		name,
		vscode.workspace.asRelativePath(served),
	);
}
