import * as vscode from 'vscode';
import { afterActivation } from '../common/afterActivation.ts';
import type { CommandRegistrar } from '../common/commands.ts';
import { DisposableBase } from '../common/disposables.ts';
import { messageOf } from '../common/problems.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import { isAgentFile } from './isAgentFile.ts';
import {
	agentFileSelector,
	inspectorType,
	isRunFilePath,
	publishedScheme,
	runFileSelector,
	runScheme,
	runsChannelName,
	runsLanguage,
	workflowCommands,
} from './names.ts';
import { RunHistory } from './runHistory.ts';
import { RunStore } from './runStore.ts';
import type { RunStory } from './runStory.ts';
import { isFinished, type Runs } from './runTypes.ts';
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
	readonly connections: Connections;
	/** Absolute paths of the agents folders; none in a workspace that is not trusted. */
	readonly agentFolders: () => readonly string[];
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

	constructor({ context, dataFolder, connections, agentFolders, commands, log }: WorkflowsParts) {
		super();
		const store = this.own(
			new RunStore(new RunHistory(dataFolder, error => log.error(`The history of runs could not be kept: ${messageOf(error)}`))),
		);
		this.runs = store;
		const channel = this.own(vscode.window.createOutputChannel(runsChannelName, runsLanguage));
		let core: Promise<WorkflowsCore> | undefined;
		this.#load = () => {
			core ??= import('./workflowsCore.ts').then(loaded =>
				this.own(
					new loaded.WorkflowsCore({
						extensionPath: context.extensionPath,
						dataFolder,
						memory: context.workspaceState,
						connections,
						agentFolders,
						store,
						channel,
						log,
					}),
				),
			);
			return core;
		};
		for (const id of workflowCommands) {
			this.own(commands.register(id, async (argument?: unknown) => (await this.#load()).execute(id, argument)));
		}
		this.#registerProviders();
		this.own(
			vscode.window.registerWebviewPanelSerializer(inspectorType, {
				deserializeWebviewPanel: async (panel, state: { key?: unknown } | undefined) =>
					(await (await this.#load()).inspectors()).fill(panel, String(state?.key)),
			}),
		);
		this.own(vscode.workspace.onDidOpenTextDocument(document => isRunFilePath(document.uri.path) && this.#load()));
		// runs that the last window left are looked up after activation, which opens no socket
		if (store.list().some(record => !isFinished(record)) || vscode.workspace.textDocuments.some(({ uri }) => isRunFilePath(uri.path))) {
			this.own(afterActivation(() => this.#load().catch(error => log.error(`Workflows: ${messageOf(error)}`))));
		}
	}

	/** What is kept of a run for a question about it. */
	async story(key: string): Promise<RunStory> {
		return (await this.#load()).story(key);
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
						isAgentFile(document) ? (await (await load()).agentEditing()).provideCompletionItems(document, ...asked) : [],
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
