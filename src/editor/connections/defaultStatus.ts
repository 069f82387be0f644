import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { runAfterActivation } from '#base/timing/afterActivation.ts';
import { escapeIcons } from '../platform/wording.ts';
import type { Connections } from './connectionTypes.ts';

/** Shows the default connection in the status bar if there are several. A click lets the user select another one. */
export class DefaultStatus extends DisposableBase {
	constructor(connections: Connections) {
		super();
		const item = this.register(vscode.window.createStatusBarItem('agentWorkbench.defaultConnection', vscode.StatusBarAlignment.Right, 60));
		item.name = vscode.l10n.t('Agent Workbench: Default connection');
		item.command = 'agentWorkbench.connection.selectDefault';
		const updateItem = () => {
			const { name } = connections.getDefault();
			item.text = `$(plug) ${escapeIcons(name)}`;
			item.tooltip = vscode.l10n.t("Runs and chats use '{0}' by default. Click to select another connection.", name);
			item.accessibilityInformation = { label: vscode.l10n.t('Default connection: {0}', name) };
			if (connections.list().length > 1) {
				item.show();
			} else {
				item.hide();
			}
		};
		this.register(connections.onDidChange(updateItem));
		this.register(runAfterActivation(updateItem));
	}
}
