import * as vscode from 'vscode';
import type { CommandHandlers } from '#base/commandIds.ts';
import { deleteAllData } from './deleteAllData.ts';
import { reportIssue } from './reportIssue.ts';

/** Creates the handlers of the commands for support. */
export function createSupport(context: vscode.ExtensionContext): { readonly handlers: CommandHandlers } {
	const { secrets, globalState, workspaceState, globalStorageUri, storageUri, subscriptions } = context;
	const handlers: CommandHandlers = {
		'agentWorkbench.issue.report': () => reportIssue(context, (storageUri ?? globalStorageUri).fsPath),
		'agentWorkbench.data.deleteAll': () =>
			deleteAllData(
				{ secrets, states: [globalState, workspaceState], globalFolder: globalStorageUri.fsPath, workspaceFolder: storageUri?.fsPath },
				{
					endFeatures: () => vscode.Disposable.from(...subscriptions).dispose(),
					reloadWindow: () => vscode.commands.executeCommand('workbench.action.reloadWindow'),
				},
			),
	};
	return { handlers };
}
