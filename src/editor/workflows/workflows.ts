import * as vscode from 'vscode';
import { workflowCommands } from '#base/commandIds.ts';
import { DisposableBase } from '#base/disposables.ts';
import type { WindowPresence } from '#base/files/windowPresence.ts';
import { messageOf } from '#base/problems.ts';
import { afterActivation } from '#base/timing/afterActivation.ts';
import { loadedOnce } from '#base/timing/loadedOnce.ts';
import type { RunStory } from '#runs/events/runStory.ts';
import { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import { isFinished } from '#runs/runStatus.ts';
import type { FindRuns, Runs } from '#runs/runTypes.ts';
import { isAgentFile, isNewAgentFile } from '../agents/files/isAgentFile.ts';
import type { AgentWork } from '../assistant/tools/agentWork.ts';
import type { Connection, Connections } from '../connections/connectionTypes.ts';
import type { DraftWork } from '../dify/drafts/draftWork.ts';
import { background } from '../platform/background.ts';
import type { CommandRegistrar } from '../platform/commands.ts';
import {
	agentFileContext,
	agentFileSelector,
	debugType,
	foreignFolders,
	graphEditorType,
	graphPanelType,
	inputsType,
	inspectorType,
	isRunFilePath,
	isSuitePath,
	logsType,
	publishedScheme,
	resultsType,
	runFileSelector,
	runScheme,
	runsChannelName,
	runsLanguage,
	suiteFilePattern,
	usageType,
} from '../platform/names.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import type { DeploymentDrafts } from '../runs/following/runServices.ts';
import { RunRecords } from '../runs/history/runRecords.ts';
import { registerCodeFiles } from './codeFileSystem.ts';
import type { WorkflowsCore } from './workflowsCore.ts';

/**
 * What is typed before or in a name or value of an agent file. Letters too: the editor takes all of YAML for texts, in which it offers
 * nothing by itself.
 */
const agentFileTriggers = ' #.[,"\'_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

export interface WorkflowsParts {
	readonly context: vscode.ExtensionContext;
	/** Folder of this workspace's data. */
	readonly dataFolder: string;
	/** The windows that share it. */
	readonly windows: WindowPresence;
	readonly connections: Connections;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
	readonly runFiles: RunFileIndex;
	/** Drafts of the apps of Dify deployments, once they are loaded. */
	readonly deploymentDrafts: () => Promise<DeploymentDrafts>;
	readonly commands: CommandRegistrar;
	readonly log: vscode.LogOutputChannel;
}

/**
 * Run files, runs and what is shown of them: registers everything at once and keeps the history; what does the work is loaded on
 * first use ({@link WorkflowsCore}).
 */
export class Workflows extends DisposableBase {
	readonly runs: Runs;
	readonly #load: () => Promise<WorkflowsCore>;

	constructor({ context, dataFolder, windows, connections, agentFolders, runFiles, deploymentDrafts, commands, log }: WorkflowsParts) {
		super();
		const records = this.own(
			new RunRecords(
				new RunRecordFiles(dataFolder, windows, error => log.error(`The history of runs could not be kept: ${messageOf(error)}`)),
			),
		);
		this.runs = records;
		const channel = this.own(vscode.window.createOutputChannel(runsChannelName, runsLanguage));
		const codeChanged = this.own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
		this.#load = loadedOnce(async () => {
			const loaded = await import('./workflowsCore.ts');
			return this.own(
				new loaded.WorkflowsCore({
					extensionPath: context.extensionPath,
					dataFolder,
					memory: context.workspaceState,
					secrets: context.secrets,
					connections,
					agentFolders,
					runFiles,
					deploymentDrafts,
					codeChanged,
					records,
					channel,
					showError: (error, where) => commands.show(error, where),
					log,
				}),
			);
		});
		for (const id of workflowCommands) {
			this.own(
				commands.register(id, async (argument?: unknown, selected?: unknown) => (await this.#load()).execute(id, argument, selected)),
			);
		}
		const debugging = async () => (await this.#load()).debugging();
		this.own(
			vscode.debug.registerDebugConfigurationProvider(debugType, {
				resolveDebugConfiguration: async (_folder, given) => (await debugging()).fill(given),
				resolveDebugConfigurationWithSubstitutedVariables: async (_folder, given) => (await debugging()).check(given),
			}),
		);
		this.own(
			vscode.debug.registerDebugAdapterDescriptorFactory(debugType, {
				createDebugAdapterDescriptor: async session => (await debugging()).adapter(session),
			}),
		);
		const tellKind = (editor = vscode.window.activeTextEditor) =>
			vscode.commands.executeCommand('setContext', agentFileContext, !!editor && isAgentFile(editor.document));
		tellKind();
		this.own(vscode.window.onDidChangeActiveTextEditor(tellKind));
		this.#registerProviders();
		const restored = <State>(type: string, restore: (panel: vscode.WebviewPanel, state: State) => Promise<unknown>) =>
			this.own(
				vscode.window.registerWebviewPanelSerializer(type, {
					deserializeWebviewPanel: restore as vscode.WebviewPanelSerializer['deserializeWebviewPanel'],
				}),
			);
		restored(inspectorType, async (panel, state: { key?: unknown; kept?: unknown } | undefined) =>
			(await (await this.#load()).inspectors()).fill(panel, { key: String(state?.key), kept: state?.kept === true }),
		);
		restored(inputsType, async (panel, state) => (await (await this.#load()).inputForms()).restore(panel, state));
		restored(logsType, async (panel, state) => (await (await this.#load()).logs()).restore(panel, state));
		restored(usageType, async (panel, state) => (await (await this.#load()).usage()).restore(panel, state));
		const testing = async () => (await this.#load()).testing();
		restored(resultsType, async (panel, state) => (await testing()).results.restore(panel, state));
		const graphs = async () => (await this.#load()).graphs();
		this.own(registerCodeFiles(codeChanged, async () => (await graphs()).code));
		restored(graphPanelType, async (panel, state: { uri?: unknown } | undefined) => (await graphs()).restore(panel, state));
		this.own(
			vscode.window.registerCustomEditorProvider(graphEditorType, {
				resolveCustomTextEditor: async (document: vscode.TextDocument, panel: vscode.WebviewPanel) =>
					(await graphs()).resolveCustomTextEditor(document, panel),
			}),
		);
		this.own(vscode.workspace.onDidOpenTextDocument(document => isRunFilePath(document.uri.path) && this.#load()));
		const suites = () => background(testing(), log, 'Suites');
		this.own(vscode.workspace.onDidOpenTextDocument(document => isSuitePath(document.uri.path) && suites()));
		this.own(
			afterActivation(async () => {
				// the Test Explorer lists suites before one of them is opened
				const isThere = vscode.workspace.textDocuments.some(({ uri }) => isSuitePath(uri.path));
				if (isThere || (await vscode.workspace.findFiles(suiteFilePattern, foreignFolders, 1)).length > 0) {
					suites();
				}
			}),
		);
		// runs that the last window left are looked up after activation, which opens no socket
		this.own(records.onDidTakeOver(() => background(this.#load(), log, 'Runs of a window that is gone')));
		if (records.list().some(record => !isFinished(record)) || vscode.workspace.textDocuments.some(({ uri }) => isRunFilePath(uri.path))) {
			this.own(afterActivation(() => background(this.#load(), log, 'Runs that go on')));
		}
	}

	/** Which of these runs have a text. */
	readonly find: FindRuns = async (records, text) => (await this.#load()).find(records, text);

	/** What is kept of a run for a question about it. */
	async story(key: string): Promise<RunStory> {
		return (await this.#load()).story(key);
	}

	/** What drafts of deployments are run and looked at with. */
	async draftWork(): Promise<DraftWork> {
		return (await this.#load()).draftWork;
	}

	/** What tools of VS Code's own AI do with agent files and runs. */
	async agentWork(): Promise<AgentWork> {
		return (await this.#load()).agentWork;
	}

	/** Sees to it that the built-in gateway has the secrets of an agent, as {@link WorkflowsCore} does. */
	async prepare(connection: Connection, agent: string): Promise<void> {
		if (connection.kind === 'built-in') {
			await (await this.#load()).prepare(connection, agent);
		}
	}

	#registerProviders(): void {
		const { languages, workspace } = vscode;
		const lensesChanged = this.own(new vscode.EventEmitter<void>());
		const agentLensesChanged = this.own(new vscode.EventEmitter<void>());
		const documentChanged = this.own(new vscode.EventEmitter<vscode.Uri>());
		const load = async () => {
			const core = await this.#load();
			if (!heard) {
				heard = true;
				this.own(core.lenses.onDidChangeCodeLenses(() => lensesChanged.fire()));
				this.own(core.agentLenses.onDidChangeCodeLenses(() => agentLensesChanged.fire()));
				this.own(core.documents.onDidChange(uri => documentChanged.fire(uri)));
				this.own(core.agentFiles.onDidChangePublished(uri => documentChanged.fire(uri)));
			}
			return core;
		};
		let heard = false;
		this.own(
			languages.registerCodeLensProvider(runFileSelector, {
				onDidChangeCodeLenses: lensesChanged.event,
				provideCodeLenses: async document => (await load()).lenses.provideCodeLenses(document),
			}),
		);
		this.own(
			languages.registerCodeLensProvider(agentFileSelector, {
				onDidChangeCodeLenses: agentLensesChanged.event,
				provideCodeLenses: async document => (isAgentFile(document) ? (await load()).agentLenses.provideCodeLenses(document) : []),
			}),
		);
		this.own(
			workspace.registerTextDocumentContentProvider(publishedScheme, {
				onDidChange: documentChanged.event,
				provideTextDocumentContent: async uri => (await load()).agentFiles.published(uri),
			}),
		);
		this.own(
			languages.registerCompletionItemProvider(
				runFileSelector,
				{ provideCompletionItems: async (...asked) => (await load()).completion.provideCompletionItems(...asked) },
				'"',
				'/',
			),
		);
		this.own(
			languages.registerCompletionItemProvider(
				agentFileSelector,
				{
					provideCompletionItems: async (document, ...asked) =>
						isAgentFile(document) || isNewAgentFile(document)
							? (await (await load()).agentEditing()).provideCompletionItems(document, ...asked)
							: [],
				},
				...agentFileTriggers,
			),
		);
		this.own(
			languages.registerHoverProvider(agentFileSelector, {
				provideHover: async (document, position) =>
					isAgentFile(document) ? (await (await load()).agentEditing()).provideHover(document, position) : undefined,
			}),
		);
		const navigation = async () => (await (await load()).agentEditing()).navigation;
		this.own(
			languages.registerDocumentSymbolProvider(agentFileSelector, {
				provideDocumentSymbols: async document => (isAgentFile(document) ? (await navigation()).provideDocumentSymbols(document) : []),
			}),
		);
		this.own(
			languages.registerDefinitionProvider(agentFileSelector, {
				provideDefinition: async (document, position) =>
					isAgentFile(document) ? (await navigation()).provideDefinition(document, position) : [],
			}),
		);
		this.own(
			languages.registerReferenceProvider(agentFileSelector, {
				provideReferences: async (document, position, context) =>
					isAgentFile(document) ? (await navigation()).provideReferences(document, position, context) : [],
			}),
		);
		this.own(
			languages.registerRenameProvider(agentFileSelector, {
				prepareRename: async (document, position) => {
					if (!isAgentFile(document)) {
						// nothing at all would offer the word under the cursor
						throw new Error(vscode.l10n.t('You cannot rename this element.'));
					}
					return (await navigation()).prepareRename(document, position);
				},
				provideRenameEdits: async (document, position, name) =>
					isAgentFile(document) ? (await navigation()).provideRenameEdits(document, position, name) : undefined,
			}),
		);
		this.own(
			languages.registerHoverProvider(runFileSelector, {
				provideHover: async (document, position) => (await load()).hover.provideHover(document, position),
			}),
		);
		this.own(
			languages.registerCodeActionsProvider(
				agentFileSelector,
				{
					provideCodeActions: async (document, range, context) =>
						isAgentFile(document) ? (await (await load()).agentEditing()).provideCodeActions(document, range, context) : [],
				},
				{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
			),
		);
		this.own(
			languages.registerCodeActionsProvider(
				runFileSelector,
				{ provideCodeActions: async (document, range, context) => (await load()).fixes.provideCodeActions(document, range, context) },
				{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
			),
		);
		this.own(
			languages.registerDocumentLinkProvider(
				{ language: runsLanguage },
				{ provideDocumentLinks: async document => (await load()).links.provideDocumentLinks(document) },
			),
		);
		this.own(
			workspace.registerTextDocumentContentProvider(runScheme, {
				onDidChange: documentChanged.event,
				provideTextDocumentContent: async uri => (await load()).documents.provideTextDocumentContent(uri),
			}),
		);
	}
}
