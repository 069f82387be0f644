import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { AgentGraph } from '#agentFile/agentGraph.ts';
import { findRequiredInputs } from '#agentFile/checks/neededInputs.ts';
import type { FileScope } from '#base/files/fileScope.ts';
import { getErrorMessage, Problem } from '#base/problems.ts';
import type { JsonSchema } from '#base/text/schemaCheck.ts';
import type { TextFault } from '#base/text/textFaults.ts';
import type { ServiceClient } from '#client/client.ts';
import type { AgentSummary } from '#contract/agents.ts';
import { createMissingSecret } from '#contract/recordings/scanRecording.ts';
import type { FileObject, ResponseMode } from '#contract/workflows.ts';
import { checkAgent, findAgent } from '#runs/request/agentCheck.ts';
import { getFileKind, getMediaType } from '#runs/request/fileKind.ts';
import { maxUploadBytes, readLocalBytes } from '#runs/request/localFiles.ts';
import { checkMocks } from '#runs/request/mocksCheck.ts';
import { checkOptionalInputs } from '#runs/request/optionalInputs.ts';
import type { PlaceholderSource } from '#runs/request/placeholders.ts';
import { type ParsedRunFile, parseRunFile } from '#runs/request/runFileParse.ts';
import { hasErrors, type ReadRunFile, readRunFile } from '#runs/request/runFileRead.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import { getFileScope } from '../../platform/fileScopes.ts';
import { isWorkspaceTrusted } from '../../platform/trust.ts';
import { AgentNodes } from './agentNodes.ts';
import type { FileTargets } from './fileTargets.ts';

/** Uploads a local file for an input. `reference` is relative to the folder of the run file. */
type UploadLocalFile = (
	reference: string,
	type: string | undefined,
	owner: { readonly model: string; readonly user: string },
) => Promise<FileObject>;

interface RunFileServiceParts {
	readonly connections: Connections;
	readonly targets: FileTargets;
	readonly extensionPath: string;
	readonly log: vscode.LogOutputChannel;
}

/** Reads and checks run files against the agents of their connection and the folders of the workspace. */
export class RunFileService {
	readonly #parts: RunFileServiceParts;
	readonly #nodes = new AgentNodes();
	#schema: JsonSchema | undefined;

	constructor(parts: RunFileServiceParts) {
		this.#parts = parts;
	}

	/** Returns the connection that a run file is sent to. */
	getConnection(file: vscode.Uri): Connection {
		return this.#parts.targets.getConnection(file);
	}

	parseRunFile(text: string): ParsedRunFile {
		return parseRunFile(text, this.#loadSchema(), vscode.l10n.t);
	}

	/** Checks a file without sending anything. Always checks its structure, but agents and variables only if they are already known. */
	async checkRunFile(document: vscode.TextDocument): Promise<readonly TextFault[]> {
		const file = this.parseRunFile(document.getText());
		const connection = this.getConnection(document.uri);
		const agents = await this.getKnownAgents(connection);
		const graph = await this.readGraph(document, agents);
		const target = { connection: connection.name, builtIn: connection.kind === 'built-in', graph };
		return [
			...file.faults,
			...(agents && file.root ? checkAgent(file, agents, connection.name, vscode.l10n.t) : []),
			...(agents && graph ? checkOptionalInputs(file, agents, () => findRequiredInputs(graph), vscode.l10n.t) : []),
			...checkMocks(file, target, vscode.l10n.t),
		];
	}

	/** Reads the graph of a run file's agent. Returns `undefined` if the agent file can't be read or isn't on this machine. */
	async readGraph(document: vscode.TextDocument, agents: readonly AgentSummary[] | undefined): Promise<AgentGraph | undefined> {
		const file = findAgent(agents ?? [], this.parseRunFile(document.getText()).agent ?? '')?.file;
		return file ? this.#nodes.readGraph(file) : undefined;
	}

	/** Returns the agents of a connection only if the service is running, because opening a file must not start a service. */
	async getKnownAgents(connection: Connection): Promise<readonly AgentSummary[] | undefined> {
		return this.#parts.connections.state(connection.id).kind === 'ready' ? this.loadAgents(connection) : undefined;
	}

	/** Returns the agents of a connection, or `undefined` if they can't be listed. In that case, the error appears when the file is run. */
	async loadAgents(connection: Connection): Promise<readonly AgentSummary[] | undefined> {
		try {
			return await this.#parts.connections.listAgents(connection.id);
		} catch (error) {
			this.#parts.log.warn(`Couldn't list the agents of ${connection.name}: ${getErrorMessage(error)}`);
			return undefined;
		}
	}

	/**
	 * Reads a run file in order to send it. Starts the service if necessary, and rejects if the service isn't available. `drafts` are
	 * used instead of the agents that the service lists. `isReplay`: nothing is called, so that secrets don't matter.
	 */
	async readRunFile(
		document: vscode.TextDocument,
		mode: ResponseMode | undefined,
		drafts?: readonly AgentSummary[],
		isReplay = false,
	): Promise<ReadRunFile> {
		// before starting the service, report the problems that can be found without it
		const faults = drafts ? this.parseRunFile(document.getText()).faults : await this.checkRunFile(document);
		if (hasErrors(faults)) {
			return { request: undefined, faults, secrets: new Map() };
		}
		const { connections } = this.#parts;
		const connection = this.getConnection(document.uri);
		const scope = getFileScope(document.uri);
		const client = await connections.getClient(connection.id);
		const agents = drafts ?? (await this.loadAgents(connection));
		const graph = await this.readGraph(document, agents);
		return readRunFile(document.getText(), {
			schema: this.#loadSchema(),
			connection: connection.name,
			agents,
			...(graph && { graph, getNeededInputs: () => findRequiredInputs(graph) }),
			builtIn: connection.kind === 'built-in',
			user: connection.user,
			...(mode ? { mode } : {}),
			scope,
			placeholders: this.createPlaceholderSource(document.uri, isReplay),
			upload: this.createUploader(client, scope),
			t: vscode.l10n.t,
		});
	}

	/** Returns the source of values for placeholders in a workspace file. A replay needs no secrets. */
	createPlaceholderSource(file: vscode.Uri, isReplay = false): PlaceholderSource {
		const getMissing = (placeholder: string) => (isReplay ? createMissingSecret(`\${${placeholder}}`) : undefined);
		return {
			workspaceFolder: vscode.workspace.getWorkspaceFolder(file)?.uri.fsPath,
			askInput: async (name, secret) =>
				(secret ? getMissing(`input:${name}:password`) : undefined) ?? this.#parts.targets.askInput(file, name, secret),
			environment: isWorkspaceTrusted() ? name => process.env[name] ?? getMissing(`env:${name}`) : undefined,
		};
	}

	/** Returns a function that uploads local files which a workspace file references. */
	createUploader(client: ServiceClient, scope: FileScope): UploadLocalFile {
		return async (reference, type, owner) => {
			const data = await readLocalBytes(reference, scope, vscode.l10n.t, maxUploadBytes);
			const name = path.basename(reference);
			const id = await uploadBytes(client, name, data, owner);
			return { type: (type as FileObject['type'] | undefined) ?? getFileKind(name), transfer_method: 'local_file', upload_file_id: id };
		};
	}

	/** Uploads a file that the user chose for a run of an agent. Rejects if the file is too large. */
	async uploadFile(connection: Connection, file: vscode.Uri, model: string): Promise<FileObject> {
		const name = path.posix.basename(file.path);
		const { size } = await vscode.workspace.fs.stat(file);
		if (size > maxUploadBytes) {
			throw new Problem('too-large', vscode.l10n.t("'{0}' is too large. The limit is {1} MB.", name, maxUploadBytes / 1048576));
		}
		const client = await this.#parts.connections.getClient(connection.id);
		const id = await uploadBytes(client, name, await vscode.workspace.fs.readFile(file), { model, user: connection.user });
		return { type: getFileKind(name), transfer_method: 'local_file', upload_file_id: id };
	}

	#loadSchema(): JsonSchema {
		this.#schema ??= JSON.parse(readFileSync(path.join(this.#parts.extensionPath, 'media', 'run.schema.json'), 'utf8')) as JsonSchema;
		return this.#schema;
	}
}

async function uploadBytes(client: ServiceClient, name: string, data: Uint8Array, owner: { model: string; user: string }): Promise<string> {
	const type = getMediaType(name);
	return (await client.uploadFile({ name, data, ...(type ? { type } : {}) }, owner)).id;
}
