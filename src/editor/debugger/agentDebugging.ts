import { readFileSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import { Problem } from '#base/problems.ts';
import { isRunFinished } from '#runs/runStatus.ts';
import type { AgentsCore } from '../agents/agentsCore.ts';
import { isAgentFile } from '../agents/files/isAgentFile.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import { agentFileSelector, debugType, isRunFilePath } from '../platform/names.ts';
import { getArgumentUri } from '../runs/files/runFileChoice.ts';
import { chooseRun } from '../runs/following/runChoice.ts';
import type { RunRecords } from '../runs/history/runRecords.ts';
import type { RunsCore } from '../runs/runsCore.ts';
import { AgentDebugAdapter } from './agentDebugAdapter.ts';
import type { DebugHost } from './debuggedRun.ts';
import { DebugLauncher, type LaunchConfiguration } from './debugLauncher.ts';
import { findEvaluatable } from './evaluatable.ts';
import { ForkSessions } from './forkSessions.ts';
import { createInlineValues } from './inlineValues.ts';
import { PastStatus } from './pastStatus.ts';
import { ReplyDocuments } from './replyDocuments.ts';

/** Manages this window's debug sessions. In a bundle chunk that the first session loads. */
export class AgentDebugging extends DisposableBase {
	readonly #launcher: DebugLauncher;
	readonly #commands: CommandRegistrar;
	readonly #agents: AgentsCore;
	readonly #records: RunRecords;
	readonly #past = this.register(new PastStatus());
	/** Adapters by VS Code's session ID. */
	readonly #adapters = new Map<string, AgentDebugAdapter>();
	readonly #forks: ForkSessions;
	readonly #replies = this.register(new ReplyDocuments(() => this.#adapters.get(vscode.debug.activeDebugSession?.id ?? '')));
	readonly handlers: CommandHandlers = {
		'agentWorkbench.debug.start': argument => this.#startSession(argument),
		'agentWorkbench.debug.recordedRun': argument => this.#startRecordedRun(argument),
		'agentWorkbench.debug.returnToPresent': () => this.#adapters.get(vscode.debug.activeDebugSession?.id ?? '')?.returnToPresent(),
		...this.#replies.handlers,
	};

	constructor(connections: Connections, commands: CommandRegistrar, runs: RunsCore, agents: AgentsCore) {
		super();
		this.#commands = commands;
		this.#agents = agents;
		const { files, presenter, control, records, recordings, requests, fileCommands } = runs;
		this.#records = records;
		this.#launcher = new DebugLauncher({
			connections,
			files,
			presenter,
			control,
			records,
			recordings,
			describe: agents.describe,
			askDraftInputs: document => agents.commands.askForInputs(document),
			buildRequest: (document, drafts, isReplay) => fileCommands.createRequest(document, 'streaming', drafts, isReplay),
			readStart: record => requests.refillStart(record),
			showError: (error, where) => commands.showError(error, where),
		});
		this.#forks = new ForkSessions({
			findAdapter: id => this.#adapters.get(id),
			countKeptReplies: async run => {
				const record = records.list().find(({ runId }) => runId === run);
				const client = record && (await connections.getClient(record.connectionId));
				return client && (await client.getRun(run, { model: record.agent })).kept_replies;
			},
			showError: error => commands.showError(error, 'Forking'),
		});
		this.register(
			vscode.debug.onDidTerminateDebugSession(session => {
				this.#adapters.delete(session.id);
				this.#forks.onDidTerminate(session);
			}),
		);
		this.register(
			vscode.languages.registerInlineValuesProvider(agentFileSelector, {
				provideInlineValues: async (document, viewPort, { frameId }) => {
					const adapter = this.#adapters.get(vscode.debug.activeDebugSession?.id ?? '');
					// show nothing if the run has continued in the meantime
					const outputs = await adapter?.getInlineOutputs(document.uri.fsPath, frameId).catch(() => undefined);
					return outputs ? createInlineValues(document.getText(), outputs, viewPort) : [];
				},
			}),
		);
		this.register(
			vscode.languages.registerEvaluatableExpressionProvider(agentFileSelector, {
				provideEvaluatableExpression: (document, position) => findEvaluatable(document, position),
			}),
		);
		// when the window closes, stop the runs, because no client is left to resume them
		this.register({ dispose: () => [...this.#adapters.values()].map(adapter => adapter.dispose()) });
	}

	/** Starts a session for a run file or an agent file: the argument, or the file in the active editor or graph. */
	async #startSession(argument: unknown): Promise<void> {
		const uri = getArgumentUri(await this.#agents.resolveArgument(argument)) ?? requireActiveDocument().uri;
		const configuration = createConfiguration(uri.fsPath);
		await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(uri), configuration);
	}

	/** Starts a session that shows a finished run: the argument, or one that the user picks. */
	async #startRecordedRun(argument: unknown): Promise<void> {
		const none = vscode.l10n.t('No finished runs yet.');
		const record = await chooseRun(argument, this.#records, isRunFinished, none);
		if (!record) {
			return;
		}
		const file = await this.#agents.findAgentFile(record);
		if (!file || record.runId === undefined || record.deploymentDraft) {
			throw new Problem('run-elsewhere', vscode.l10n.t('Only runs of agent files on the built-in gateway can be debugged.'));
		}
		const configuration = { ...createConfiguration(file.fsPath), run: record.runId };
		await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(file), configuration);
	}

	/** Completes a launch configuration. An empty one gets the active editor's file. Returns `undefined` after showing an error. */
	completeConfiguration(configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
		return this.#runShowingErrors(() => (configuration.type ? configuration : createConfiguration(requireActiveDocument().uri.fsPath)));
	}

	/** Validates the file of a launch configuration. Returns `undefined` after showing an error. */
	async validateConfiguration(configuration: vscode.DebugConfiguration): Promise<vscode.DebugConfiguration | undefined> {
		return this.#runShowingErrors(async () => {
			const { runFile } = configuration as LaunchConfiguration;
			if (!runFile) {
				const message = vscode.l10n.t('Set "runFile" in the launch configuration to a run file or an agent file.');
				throw new Problem('no-run-file', message);
			}
			await this.#launcher.checkFile(runFile);
			return configuration;
		});
	}

	async #runShowingErrors<T>(make: () => T | Promise<T>): Promise<T | undefined> {
		try {
			return await make();
		} catch (error) {
			void this.#commands.showError(error, 'Debugging');
			return undefined;
		}
	}

	/** Creates the adapter of a session. */
	createAdapter(session: vscode.DebugSession): vscode.DebugAdapterDescriptor {
		const host: DebugHost = {
			prepareRun: configuration => this.#launcher.prepareRunOrShowError(configuration as LaunchConfiguration),
			onDidChangePast: past => {
				this.#past.showSession(session.id, past);
				this.#replies.refresh();
			},
			onDidStart: () => this.#forks.onDidStart(session),
			startFork: (part, step) => this.#forks.startFork(session, adapter.agentFile, part, step),
			readText: readFileText,
			onDidChangeText: listener => vscode.workspace.onDidChangeTextDocument(({ document }) => listener(document.uri.fsPath)),
		};
		const adapter = new AgentDebugAdapter(host);
		this.#adapters.set(session.id, adapter);
		return new vscode.DebugAdapterInlineImplementation(adapter as unknown as vscode.DebugAdapter);
	}
}

function createConfiguration(file: string): vscode.DebugConfiguration {
	return { type: debugType, request: 'launch', name: path.basename(file), runFile: file };
}

/** Returns the document in the active editor. Throws a {@link Problem} if it can't be debugged. */
function requireActiveDocument(): vscode.TextDocument {
	const document = vscode.window.activeTextEditor?.document;
	if (!document || !(isRunFilePath(document.uri.path) || isAgentFile(document))) {
		throw new Problem('no-run-file', vscode.l10n.t('Nothing to debug. Open a run file or an agent file first.'));
	}
	return document;
}

/** Returns the text of a file from its open document, or from disk if it isn't open. */
function readFileText(file: string): string | undefined {
	const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === 'file' && uri.fsPath === file);
	if (open) {
		return open.getText();
	}
	try {
		return readFileSync(file, 'utf8');
	} catch {
		return undefined;
	}
}
