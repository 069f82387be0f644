import * as vscode from 'vscode';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite } from '#suites/suite.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { requireTrust } from '../platform/trust.ts';
import type { RunFileService } from '../runs/files/runFileService.ts';

/** The connections of this window as suites are run on them. */
export class SuiteServices {
	readonly #connections: Connections;
	readonly #runFiles: RunFileService;
	readonly #prepare: PrepareAgent;
	/** By the ID of the connection: all suites on it share its places. */
	readonly #paces = new Map<string, ConnectionPace>();

	constructor(connections: Connections, runFiles: RunFileService, prepare: PrepareAgent) {
		this.#connections = connections;
		this.#runFiles = runFiles;
		this.#prepare = prepare;
	}

	/**
	 * The service of a suite; starts the built-in gateway, and hands it the secrets of the agents. Rejects as clients of connections do, and
	 * in a workspace that isn't trusted: every run of a suite, also on save, comes here. The built-in gateway runs agents as their files stand.
	 */
	async openService(suite: Suite): Promise<SuiteService & { readonly connectionId: string }> {
		requireTrust();
		const uri = vscode.Uri.file(suite.file);
		const connection = this.#runFiles.connection(uri);
		const client = await this.#connections.client(connection.id);
		for (const agent of listSuiteAgents(suite)) {
			await this.#prepare(connection, agent);
		}
		let pace = this.#paces.get(connection.id);
		if (!pace) {
			pace = new ConnectionPace();
			this.#paces.set(connection.id, pace);
		}
		return {
			connectionId: connection.id,
			name: connection.name,
			client,
			pace,
			agents: await this.#runFiles.agents(connection),
			drafts: connection.kind === 'built-in',
			takesMocks: connection.kind === 'built-in',
			user: connection.user,
			placeholders: this.#runFiles.placeholders(uri),
			upload: (reference, scope, type, owner) => this.#runFiles.uploadOf(client, scope)(reference, type, owner),
		};
	}
}

/** Names of the agents that a suite runs. */
export function listSuiteAgents({ target, cases }: Suite): ReadonlySet<string> {
	const targets = [target, ...cases.map(each => each.target)];
	return new Set(targets.flatMap(each => (each?.kind === 'agent' ? [each.model] : [])));
}
