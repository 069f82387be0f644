import * as vscode from 'vscode';
import type { AskedRecordingMode } from '#contract/recordings/recordings.ts';
import type { FileRecording, RecordingReport } from '#runs/recordings/fileRecording.ts';
import { ConnectionPace } from '#suites/running/connectionPace.ts';
import type { SuiteService } from '#suites/running/suiteService.ts';
import type { Suite } from '#suites/suite.ts';
import type { VariantService } from '#suites/variants/prepareVariants.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { requireTrust } from '../platform/trust.ts';
import type { RunFileService } from '../runs/files/runFileService.ts';
import type { FileRecordings } from '../runs/recordings/fileRecordings.ts';
import { offerToRecord } from '../runs/recordings/recordingMessages.ts';

/** A service of a suite in the editor. */
interface EditorSuiteService extends SuiteService {
	readonly connectionId: string;
	/** The same service for the variants of the suite. */
	readonly variants: VariantService;
}

/** Opens the services that suites run on. */
export class SuiteServices {
	readonly #connections: Connections;
	readonly #runFiles: RunFileService;
	readonly #prepare: PrepareAgent;
	readonly #recordings: FileRecordings;
	/** Shared concurrency limits by connection ID, because all suites on a connection share its limit. */
	readonly #paces = new Map<string, ConnectionPace>();

	constructor(connections: Connections, runFiles: RunFileService, prepare: PrepareAgent, recordings: FileRecordings) {
		this.#connections = connections;
		this.#runFiles = runFiles;
		this.#prepare = prepare;
		this.#recordings = recordings;
	}

	/**
	 * Opens the recording that a command, the suite or the setting asks for; `undefined` if none does. Rejects with a `Problem` if it can't be
	 * used.
	 */
	openRecording({ file, recordings: settings }: Suite, asked: AskedRecordingMode | undefined): Promise<FileRecording | undefined> {
		const uri = vscode.Uri.file(file);
		return this.#recordings.openRecording({ uri, settings, connection: this.#runFiles.getConnection(uri) }, asked);
	}

	/** Writes the recording of a batch that has ended, and shows what happened. */
	async finishRecording({ file }: Suite, recording: FileRecording): Promise<RecordingReport | undefined> {
		const report = await this.#recordings.finishRecording(recording.id, true);
		void offerToRecord(vscode.Uri.file(file), report?.misses ?? []);
		return report;
	}

	/**
	 * Returns the service of a suite. Starts the built-in gateway and gives it the agents' secrets. Every run of a suite uses this method,
	 * even if it starts on save. Rejects if the connection's client does, and in untrusted workspaces. The built-in gateway runs the current
	 * agent files. A replay needs no secrets.
	 */
	async openService(suite: Suite, isReplay = false): Promise<EditorSuiteService> {
		requireTrust();
		const uri = vscode.Uri.file(suite.file);
		const connection = this.#runFiles.getConnection(uri);
		const client = await this.#connections.getClient(connection.id);
		for (const agent of isReplay ? [] : listSuiteAgents(suite)) {
			await this.#prepare(connection, agent);
		}
		let pace = this.#paces.get(connection.id);
		if (!pace) {
			pace = new ConnectionPace();
			this.#paces.set(connection.id, pace);
		}
		const { name } = connection;
		const agents = await this.#runFiles.loadAgents(connection);
		return {
			connectionId: connection.id,
			name,
			client,
			pace,
			agents,
			variants: {
				name,
				agents,
				isBuiltIn: connection.kind === 'built-in',
				readPublished: agent => client.getPublishedAgent(agent),
			},
			drafts: connection.kind === 'built-in',
			takesMocks: connection.kind === 'built-in',
			user: connection.user,
			placeholders: this.#runFiles.createPlaceholderSource(uri, isReplay),
			upload: (reference, scope, type, owner) => this.#runFiles.createUploader(client, scope)(reference, type, owner),
		};
	}
}

/** Returns the names of the agents that a suite runs. */
export function listSuiteAgents({ target, cases }: Suite): ReadonlySet<string> {
	const targets = [target, ...cases.map(each => each.target)];
	return new Set(targets.flatMap(each => (each?.kind === 'agent' ? [each.model] : [])));
}
