import * as vscode from 'vscode';
import { runCommands } from '#base/commandIds.ts';
import { getErrorMessage } from '#base/problems.ts';
import { runAfterActivation } from '#base/timing/afterActivation.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import { RunRecordFiles } from '#runs/history/runRecordFiles.ts';
import { isRunFinished } from '#runs/runStatus.ts';
import type { Connections, PrepareAgent } from '../connections/connectionTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { FeatureParts } from '../platform/feature.ts';
import {
	inputsType,
	inspectorType,
	isRunFilePath,
	logsType,
	runFileSelector,
	runScheme,
	runsChannelName,
	runsLanguage,
	usageType,
} from '../platform/names.ts';
import { registerPanelRestorer } from '../platform/restorePanels.ts';
import type { AgentFilesOfRuns } from './following/agentFilesOfRuns.ts';
import type { DeploymentDrafts } from './following/runServices.ts';
import { RunRecords } from './history/runRecords.ts';
import type { RunsCore } from './runsCore.ts';

interface RunsParts extends FeatureParts {
	readonly connections: Connections;
	/** Returns the absolute paths of the agents folders, or none in an untrusted workspace. */
	readonly agentFolders: () => readonly string[];
	readonly agents: () => Promise<AgentFilesOfRuns>;
	readonly drafts: () => Promise<DeploymentDrafts>;
}

/** Interface of this feature for other features. */
export interface RunsFeature {
	readonly records: RunRecords;
	readonly prepare: PrepareAgent;
	readonly load: () => Promise<RunsCore>;
}

/** Registers run files and runs, and stores the run history. Everything else is loaded on first use ({@link RunsCore}). */
export function registerRuns(parts: RunsParts): RunsFeature {
	const { context, dataFolder, windows, agents, commands, log, own } = parts;
	const history = new RunRecordFiles(dataFolder, windows, error => log.error(`Couldn't save the run history: ${getErrorMessage(error)}`));
	const records = own(new RunRecords(history));
	const channel = own(vscode.window.createOutputChannel(runsChannelName, runsLanguage));
	const prepareAgent: PrepareAgent = async (connection, ...asked) => {
		if (connection.kind === 'built-in') {
			await (await agents()).prepare(connection, ...asked);
		}
	};
	const lensesChanged = own(new vscode.EventEmitter<void>());
	const documentChanged = own(new vscode.EventEmitter<vscode.Uri>());
	const load = createLazyLoader(async () => {
		const loaded = await import('./runsCore.ts');
		const { extensionPath, workspaceState: memory } = context;
		const core = own(new loaded.RunsCore({ ...parts, extensionPath, memory, records, channel, prepare: prepareAgent }));
		own(core.lenses.onDidChangeCodeLenses(() => lensesChanged.fire()));
		own(core.documents.onDidChange(uri => documentChanged.fire(uri)));
		return core;
	});
	own(commands.registerAll(runCommands, load));
	own(
		registerPanelRestorer(inspectorType, async (panel, state: { key?: unknown; kept?: unknown } | undefined) =>
			(await (await load()).inspectors()).fillPanel(panel, { key: String(state?.key), kept: state?.kept === true }),
		),
	);
	own(registerPanelRestorer(inputsType, async (panel, state) => (await (await load()).inputForms()).restorePanel(panel, state)));
	own(registerPanelRestorer(logsType, async (panel, state) => (await (await load()).logs()).restorePanel(panel, state)));
	own(registerPanelRestorer(usageType, async (panel, state) => (await (await load()).usage()).restorePanel(panel, state)));
	own(
		vscode.languages.registerCodeLensProvider(runFileSelector, {
			onDidChangeCodeLenses: lensesChanged.event,
			provideCodeLenses: async document => (await load()).lenses.provideCodeLenses(document),
		}),
	);
	own(
		vscode.languages.registerCompletionItemProvider(
			runFileSelector,
			{ provideCompletionItems: async (...asked) => (await load()).completion.provideCompletionItems(...asked) },
			'"',
			'/',
		),
	);
	own(
		vscode.languages.registerHoverProvider(runFileSelector, {
			provideHover: async (document, position) => (await load()).hover.provideHover(document, position),
		}),
	);
	own(
		vscode.languages.registerCodeActionsProvider(
			runFileSelector,
			{ provideCodeActions: async (document, range, context) => (await load()).fixes.provideCodeActions(document, range, context) },
			{ providedCodeActionKinds: [vscode.CodeActionKind.QuickFix] },
		),
	);
	own(
		vscode.languages.registerDocumentLinkProvider(
			{ language: runsLanguage },
			{ provideDocumentLinks: async document => (await load()).links.provideDocumentLinks(document) },
		),
	);
	own(
		vscode.workspace.registerTextDocumentContentProvider(runScheme, {
			onDidChange: documentChanged.event,
			provideTextDocumentContent: async uri => (await load()).documents.provideTextDocumentContent(uri),
		}),
	);
	own(vscode.workspace.onDidOpenTextDocument(({ uri }) => isRunFilePath(uri.path) && load()));
	// resume the previous window's runs after activation, because activation must not open a socket
	own(records.onDidTakeOver(() => runInBackground(load(), log, 'Take over runs of a closed window')));
	if (records.list().some(record => !isRunFinished(record)) || vscode.workspace.textDocuments.some(({ uri }) => isRunFilePath(uri.path))) {
		own(runAfterActivation(() => runInBackground(load(), log, 'Resume runs')));
	}
	return { records, prepare: prepareAgent, load };
}
