import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { deleteAllData } from './deleteAllData.ts';
import { reportIssue } from './reportIssue.ts';

/** Returns the handlers of the commands for support. */
export function createSupportHandlers(context: vscode.ExtensionContext, dataFolder: string): CommandHandlers {
	const { secrets, globalState, workspaceState, globalStorageUri, storageUri, subscriptions } = context;
	return {
		'agentWorkbench.issue.report': () => reportIssue(context, dataFolder),
		'agentWorkbench.data.deleteAll': () =>
			deleteAllData(
				{ secrets, states: [globalState, workspaceState], globalFolder: globalStorageUri.fsPath, workspaceFolder: storageUri?.fsPath },
				{
					endFeatures: () => vscode.Disposable.from(...subscriptions).dispose(),
					reloadWindow: () => vscode.commands.executeCommand('workbench.action.reloadWindow'),
				},
			),
	};
}
