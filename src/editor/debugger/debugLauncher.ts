import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { isCancellation, Problem } from '#base/problems.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { Mocks } from '#contract/mocks.ts';
import type { PartialRun } from '#contract/partialRun.ts';
import type { RecordingMode, RecordingPlace } from '#contract/recordings/recordings.ts';
import type { FileRecording } from '#runs/recordings/fileRecording.ts';
import { readRecordingSettings } from '#runs/recordings/recordedFile.ts';
import { findAgent } from '#runs/request/agentCheck.ts';
import type { FilledRequest } from '#runs/request/secrets.ts';
import { type SuiteLaunch, unsealLaunch } from '#runs/request/suiteLaunch.ts';
import type { RunStop } from '#runs/runTypes.ts';
import type { DraftInputs } from '../agents/files/draftInputs.ts';
import { isAgentFile } from '../agents/files/isAgentFile.ts';
import type { Connection, Connections } from '../connections/connectionTypes.ts';
import { requireTrust } from '../platform/trust.ts';
import type { RunFileService } from '../runs/files/runFileService.ts';
import type { RunControl } from '../runs/following/runControl.ts';
import type { RunPresenter } from '../runs/following/runPresenter.ts';
import type { StoredRequests } from '../runs/following/storedRequests.ts';
import type { RunRecords } from '../runs/history/runRecords.ts';
import type { FileRecordings } from '../runs/recordings/fileRecordings.ts';
import { createRecordedInputs, type RecordedInputs } from './createRecordedInputs.ts';
import type { PreparedDebugRun } from './debuggedRun.ts';
import { readPublishedTexts } from './publishedTexts.ts';

/** Attributes of a launch configuration (package.json, `debuggers`). */
export interface LaunchConfiguration {
	/** Path of a run file or an agent file. */
	readonly runFile?: string;
	readonly mocks?: Mocks;
	/** A sealed {@link SuiteLaunch} that replaces the file's content. Set for test cases. */
	readonly sealed?: string;
	/** The message to a chat agent. If it's absent, the user is asked for it. */
	readonly query?: string;
	/** ID of a saved run to show instead of running the agent. */
	readonly run?: string;
	/** The sealed part that a fork runs, of the run that its {@link PartialRun} names. */
	readonly fork?: string;
	/** ID of the session that a fork comes from. */
	readonly forkOf?: string;
	/** How a fork steps its first node. */
	readonly step?: 'over' | 'into' | 'out';
	/** Mode of the recording. Default: that of the file, or of the setting. */
	readonly recordings?: RecordingMode;
}

interface DebugLauncherParts {
	readonly connections: Connections;
	readonly files: RunFileService;
	readonly presenter: RunPresenter;
	readonly control: RunControl;
	readonly records: RunRecords;
	readonly recordings: FileRecordings;
	/** Describes the agent in an agent file. Rejects with the first error if the file isn't valid. */
	readonly describe: (file: vscode.Uri) => Promise<AgentSummary>;
	/** Asks for the inputs of a draft. Resolves to `undefined` if the user cancels. */
	readonly askDraftInputs: (document: vscode.TextDocument) => Promise<DraftInputs | undefined>;
	/** Builds the request of a run file. Rejects with the error if the file isn't valid. */
	readonly buildRequest: (document: vscode.TextDocument, agents: readonly AgentSummary[], isReplay: boolean) => Promise<FilledRequest>;
	/** Returns how a run was started, and its secrets. May ask the user, and rejects if the user cancels. */
	readonly readStart: StoredRequests['refillStart'];
	/** Shows an error and offers its remedy. */
	readonly showError: (error: unknown, where: string) => unknown;
}

/** Prepares debugged runs. A run uses the current text of an agent file, and inputs from a run file or the user. */
export class DebugLauncher {
	readonly #parts: DebugLauncherParts;

	constructor(parts: DebugLauncherParts) {
		this.#parts = parts;
	}

	/** Rejects with a {@link Problem} if a file can't be debugged. Never asks the user. */
	async checkFile(file: string): Promise<void> {
		requireTrust();
		const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
		if (!isAgentFile(document)) {
			this.#getRunFileConnection(document);
		}
	}

	/** Prepares the run of a launch configuration. Resolves to `undefined` if the user cancels or after showing an error. */
	async prepareRunOrShowError(configuration: LaunchConfiguration): Promise<PreparedDebugRun | undefined> {
		try {
			return await this.#prepareRun(configuration);
		} catch (error) {
			if (!isCancellation(error)) {
				void this.#parts.showError(error, 'Debugging');
			}
			return undefined;
		}
	}

	async #prepareRun(configuration: LaunchConfiguration): Promise<PreparedDebugRun | undefined> {
		requireTrust();
		const { recordings } = this.#parts;
		const { runFile = '', sealed, recordings: mode } = configuration;
		const launch: SuiteLaunch = sealed === undefined ? {} : unsealLaunch(sealed);
		const opened = await vscode.workspace.openTextDocument(vscode.Uri.file(runFile));
		if (isAgentFile(opened)) {
			return this.#prepareDocument(opened, configuration, launch, undefined);
		}
		const own = { file: runFile, settings: readRecordingSettings(opened.getText()), place: undefined };
		const { file, settings, place } = launch.recorded ?? own;
		const target = { uri: vscode.Uri.file(file), settings, connection: this.#getRunFileConnection(opened) };
		const recording = await recordings.openRecording({ ...target, ...(place && { place }) }, mode);
		const prepared = await recordings.closeOnError(recording, () => this.#prepareDocument(opened, configuration, launch, recording));
		if (!prepared && recording) {
			await recordings.finishRecording(recording.id, false);
		}
		return prepared;
	}

	async #prepareDocument(
		opened: vscode.TextDocument,
		{ mocks: given, query, run: shown, fork }: LaunchConfiguration,
		{ body, values, secrets, mocks = given, recorded }: SuiteLaunch,
		recording: FileRecording | undefined,
	): Promise<PreparedDebugRun | undefined> {
		const { files, connections, describe } = this.#parts;
		const part = fork === undefined ? undefined : unsealLaunch<PartialRun>(fork);
		const run = part ? part.run : shown;
		const document = body ? createTextView(opened, JSON.stringify(body)) : opened;
		const isAgent = isAgentFile(opened);
		const connection = isAgent ? this.#getGateway() : this.#getRunFileConnection(document);
		const agents = await connections.listAgents(connection.id);
		const agentUri = isAgent ? document.uri : this.#findAgentFile(files.parseRunFile(document.getText()).agent, agents, connection);
		const agent = await describe(agentUri);
		const readInputs = async () =>
			isAgent
				? this.#parts.askDraftInputs(document)
				: {
						...(values
							? { request: values, secrets: new Map(secrets) }
							: await this.#parts.buildRequest(document, [agent], recording?.mode === 'none')),
						file: document.uri.toString(),
					};
		const inputs: RecordedInputs | undefined =
			run === undefined
				? await readInputs()
				: await createRecordedInputs(
						this.#parts,
						run,
						{ model: agent.name, user: connection.user },
						part && { part, text: document.getText() },
					);
		const asked = inputs && (run === undefined ? await askForQuery(agent, query ?? inputs.request['query']) : {});
		if (!inputs || !asked) {
			return undefined;
		}
		const { text, path: agentPath } = await this.#readDocument(agentUri);
		const request = {
			...inputs.request,
			...asked,
			model: agent.name,
			...(mocks && { mocks: { ...(inputs.request['mocks'] as Mocks | undefined), ...mocks } }),
		};
		const others = agents.filter(({ file, name }) => file !== null && name !== agent.name);
		return {
			agent: agent.name,
			inputs: { ...asked, ...inputs.request.inputs },
			secrets: inputs.secrets,
			agentPath,
			text,
			tools: new Map(others.map(({ file, name }) => [file as string, name])),
			published: await readPublishedTexts(
				text,
				agents.map(({ name }) => name),
				async name => {
					const { source } = await (await connections.getClient(connection.id)).getPublishedAgent(name);
					const file = agents.find(each => each.name === name)?.file;
					// a tool runs the saved file if its agent was never published
					return source ?? (file ? await readFile(file, 'utf8') : null);
				},
			),
			...this.#createRunControls(connection, { ...inputs, request }, { agentUri, text, recording, place: recorded?.place }),
		};
	}

	#createRunControls(
		connection: Connection,
		{ request, secrets, file, repeats, forkedAt }: RecordedInputs,
		{
			agentUri,
			text: source,
			recording,
			place,
		}: {
			readonly agentUri: vscode.Uri;
			readonly text: string;
			readonly recording: FileRecording | undefined;
			readonly place: RecordingPlace | undefined;
		},
	) {
		const { presenter, control, records, showError } = this.#parts;
		const origin = {
			secrets,
			recording,
			place,
			...(file !== undefined && { file }),
			...(repeats !== undefined && { repeats }),
			...(forkedAt !== undefined && { forkedAt }),
		};
		let key: string | undefined;
		let stopped = false;
		const start: PreparedDebugRun['start'] = (link, options) => {
			const draft = {
				agentFile: agentUri.toString(),
				stream: (service, sent, { signal }) => link.run(service, { ...sent, source, ...options }, { signal }),
			} satisfies NonNullable<Parameters<RunPresenter['run']>[2]>['draft'];
			const begun = presenter.run(connection, request, { ...origin, draft }, started => {
				key = started;
				if (stopped) {
					control.stop(started);
				}
			});
			// a run that couldn't start has no stream, so end the session here
			const ended = begun.catch(error => (isCancellation(error) ? undefined : showError(error, 'Debugging')));
			void ended.then(() => link.endSession());
		};
		return {
			start,
			stop: () => {
				stopped = true;
				if (key !== undefined) {
					control.stop(key);
				}
			},
			showPausedAt: (stands: RunStop | undefined) => {
				if (key !== undefined) {
					records.updateRun(key, { stands });
				}
			},
		};
	}

	async #readDocument(uri: vscode.Uri): Promise<{ text: string; path: string }> {
		const document = await vscode.workspace.openTextDocument(uri);
		return { text: document.getText(), path: uri.fsPath };
	}

	#findAgentFile(name: string | undefined, agents: readonly AgentSummary[], connection: Connection): vscode.Uri {
		const agent = findAgent(agents, name ?? '');
		if (!agent?.file) {
			const message = vscode.l10n.t("'{1}' has no agent named '{0}' with an agent file.", name ?? '', connection.name);
			throw new Problem('no-agent-file', message);
		}
		return vscode.Uri.file(agent.file);
	}

	/** Returns the connection of a run file. Throws if it isn't the built-in gateway, because no other service has a debugger. */
	#getRunFileConnection(document: vscode.TextDocument): Connection {
		const connection = this.#parts.files.getConnection(document.uri);
		if (connection.kind !== 'built-in') {
			throw new Problem(
				'not-built-in',
				vscode.l10n.t(
					"'{0}' runs on '{1}'. Only runs on the built-in gateway can be debugged.",
					path.posix.basename(document.uri.path),
					connection.name,
				),
				{ title: vscode.l10n.t('Select connection…'), command: 'agentWorkbench.runFile.chooseConnection', arguments: [document.uri] },
			);
		}
		return connection;
	}

	#getGateway(): Connection {
		const connection = this.#parts.connections.list().find(({ kind }) => kind === 'built-in');
		if (!connection) {
			throw new Problem('unknown-connection', vscode.l10n.t("The built-in gateway isn't listed as a connection."));
		}
		return connection;
	}
}

/** Returns the request's `query` for a chat agent, or an empty object for other agents. Resolves to `undefined` if the user cancels. */
async function askForQuery({ mode, name }: AgentSummary, given: unknown): Promise<{ query?: string } | undefined> {
	if (mode !== 'advanced-chat') {
		return {};
	}
	const title = vscode.l10n.t("Debug '{0}'", name);
	const query =
		typeof given === 'string' && given !== ''
			? given
			: await vscode.window.showInputBox({ title, prompt: vscode.l10n.t('Message to the agent'), ignoreFocusOut: true });
	return query ? { query } : undefined;
}

/** Returns a view of a document with the same URI but another text. */
function createTextView(document: vscode.TextDocument, text: string): vscode.TextDocument {
	return Object.create(document, { getText: { value: () => text } }) as vscode.TextDocument;
}
