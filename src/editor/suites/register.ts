import * as vscode from 'vscode';
import { suiteCommands } from '#base/commandIds.ts';
import { runAfterActivation } from '#base/timing/afterActivation.ts';
import { createLazyLoader } from '#base/timing/loadedOnce.ts';
import type { Connections } from '../connections/connectionTypes.ts';
import { runInBackground } from '../platform/background.ts';
import type { FeatureParts } from '../platform/feature.ts';
import { foreignFolders, isSuitePath, suiteFilePattern } from '../platform/names.ts';
import { registerPanelRestorer } from '../platform/restorePanels.ts';
import type { RunsFeature } from '../runs/register.ts';

interface SuitesParts extends FeatureParts {
	readonly connections: Connections;
	readonly runs: RunsFeature;
}

/** Registers test suites. The code that runs them is loaded with the first suite file of the workspace. */
export function registerSuites({ context, dataFolder, connections, runs, commands, log, own }: SuitesParts): void {
	const load = createLazyLoader(async () => {
		const [loaded, { files, targets, reader, recordings }] = await Promise.all([import('./suiteTesting.ts'), runs.load()]);
		return own(
			new loaded.SuiteTesting({
				extensionPath: context.extensionPath,
				dataFolder,
				memory: context.workspaceState,
				connections,
				runFiles: files,
				targets,
				prepare: runs.prepare,
				recordings,
				reader,
				log,
			}),
		);
	});
	own(commands.registerAll(suiteCommands, load));
	// the pages of a suite by the end of their panel type
	for (const page of ['results', 'review'] as const) {
		own(registerPanelRestorer(`agentWorkbench.${page}`, async (panel, state) => (await load())[page].restorePanel(panel, state)));
	}
	const loadInBackground = () => runInBackground(load(), log, 'Suites');
	own(vscode.workspace.onDidOpenTextDocument(({ uri }) => isSuitePath(uri.path) && loadInBackground()));
	own(
		runAfterActivation(async () => {
			// list suites in the Test Explorer even before one is opened
			const isThere = vscode.workspace.textDocuments.some(({ uri }) => isSuitePath(uri.path));
			if (isThere || (await vscode.workspace.findFiles(suiteFilePattern, foreignFolders, 1)).length > 0) {
				loadInBackground();
			}
		}),
	);
}
