import * as vscode from 'vscode';
import { agentCommands } from '#base/commandIds.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { agentFileContext, agentFileSelector, graphEditorType, graphPanelType, publishedScheme } from '../platform/names.ts';
import { registerPanelRestorer } from '../platform/restorePanels.ts';
import type { RunFileIndex } from '../runs/files/runFileIndex.ts';
import type { RunsFeature } from '../runs/register.ts';
import type { AgentsCore } from './agentsCore.ts';
import { registerCodeFiles } from './code/codeFileSystem.ts';
import { isAgentFile, isNewAgentFile } from './files/isAgentFile.ts';

/**
 * Characters that trigger completion in agent files. They include letters, because VS Code treats all YAML content as strings, where it
 * doesn't suggest anything by default.
 */
const triggers = ' #.[,"\'_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

interface AgentsParts extends FeatureParts {
	readonly connections: Connections;
	/** Returns the absolute paths of the agents folders. Returns none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly runFiles: RunFileIndex;
	readonly runs: RunsFeature;
}

/** Access to agent files for other features. */
export interface AgentsFeature {
	readonly load: () => Promise<AgentsCore>;
}

/** Registers the features of agent files and graphs. Their implementation, {@link AgentsCore}, loads on first use. */
export function registerAgents({ context, connections, agentFolders, runFiles, runs, commands, log, own }: AgentsParts): AgentsFeature {
	const { extensionPath, secrets } = context;
	const codeChanged = own(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
	const lensesChanged = own(new vscode.EventEmitter<void>());
	const publishedChanged = own(new vscode.EventEmitter<vscode.Uri>());
	const load = createLazyLoader(async () => {
		const [loaded, core] = await Promise.all([import('./agentsCore.ts'), runs.load()]);
		const agents = own(
			new loaded.AgentsCore({ extensionPath, secrets, connections, agentFolders, runFiles, runs: core, codeChanged, log }),
		);
		own(agents.lenses.onDidChangeCodeLenses(() => lensesChanged.fire()));
		own(agents.files.onDidChangePublished(uri => publishedChanged.fire(uri)));
		return agents;
	});
	own(commands.registerAll(agentCommands, load));
	// load the core when a run finishes, so that failed nodes are marked even if no agent file is open
	own(runs.records.onDidChange(({ key }) => runs.records.isOwnRun(key) && runInBackground(load(), log, 'Marking failed nodes')));
	const updateContextKey = (editor = vscode.window.activeTextEditor) =>
		vscode.commands.executeCommand('setContext', agentFileContext, !!editor && isAgentFile(editor.document));
	updateContextKey();
	own(vscode.window.onDidChangeActiveTextEditor(updateContextKey));
	const loadGraphs = async () => (await load()).graphs();
	own(registerCodeFiles(codeChanged, async () => (await loadGraphs()).code));
	own(
		registerPanelRestorer(graphPanelType, async (panel, state: { uri?: unknown } | undefined) =>
			(await loadGraphs()).restorePanel(panel, state),
		),
	);
	own(
		vscode.window.registerCustomEditorProvider(graphEditorType, {
			resolveCustomTextEditor: async (document: vscode.TextDocument, panel: vscode.WebviewPanel) =>
				(await loadGraphs()).resolveCustomTextEditor(document, panel),
		}),
	);
	own(
		vscode.workspace.registerTextDocumentContentProvider(publishedScheme, {
			onDidChange: publishedChanged.event,
			provideTextDocumentContent: async uri => (await load()).files.readPublished(uri),
		}),
	);
	own(
		vscode.languages.registerCodeLensProvider(agentFileSelector, {
			onDidChangeCodeLenses: lensesChanged.event,
			provideCodeLenses: async document => (isAgentFile(document) ? (await load()).lenses.provideCodeLenses(document) : []),
		}),
	);
	const loadEditing = async () => (await load()).editing();
	own(
		vscode.languages.registerCompletionItemProvider(
			agentFileSelector,
			{
				provideCompletionItems: async (document, ...asked) =>
					isAgentFile(document) || isNewAgentFile(document)
						? (await loadEditing()).completion.provideCompletionItems(document, ...asked)
						: [],
			},
			...triggers,
		),
	);
	own(
		vscode.languages.registerHoverProvider(agentFileSelector, {
			provideHover: async (document, position) =>
				isAgentFile(document) ? (await loadEditing()).hovers.provideHover(document, position) : undefined,
		}),
	);
	own(
		vscode.languages.registerCodeActionsProvider(
			agentFileSelector,
			{
				provideCodeActions: async (document, range, context) =>
					isAgentFile(document) ? (await loadEditing()).quickFixes.provideCodeActions(document, range, context) : [],
			},
			{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
		),
	);
	const loadNavigation = async () => (await loadEditing()).navigation;
	own(
		vscode.languages.registerDocumentSymbolProvider(agentFileSelector, {
			provideDocumentSymbols: async document => (isAgentFile(document) ? (await loadNavigation()).provideDocumentSymbols(document) : []),
		}),
	);
	own(
		vscode.languages.registerDefinitionProvider(agentFileSelector, {
			provideDefinition: async (document, position) =>
				isAgentFile(document) ? (await loadNavigation()).provideDefinition(document, position) : [],
		}),
	);
	own(
		vscode.languages.registerReferenceProvider(agentFileSelector, {
			provideReferences: async (document, position, context) =>
				isAgentFile(document) ? (await loadNavigation()).provideReferences(document, position, context) : [],
		}),
	);
	own(
		vscode.languages.registerRenameProvider(agentFileSelector, {
			prepareRename: async (document, position) => {
				if (!isAgentFile(document)) {
					// if this returned nothing, VS Code would offer to rename the word at the cursor
					throw new Error(vscode.l10n.t("This element can't be renamed."));
				}
				return (await loadNavigation()).prepareRename(document, position);
			},
			provideRenameEdits: async (document, position, name) =>
				isAgentFile(document) ? (await loadNavigation()).provideRenameEdits(document, position, name) : undefined,
		}),
	);
	return { load };
}
