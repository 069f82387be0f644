import * as vscode from 'vscode';
import { DisposableBase } from '#base/disposables.ts';
import { afterActivation } from '#base/timing/afterActivation.ts';
import { withoutIcons } from '../platform/wording.ts';
import type { Connections } from './connectionTypes.ts';

/** The default connection in the status bar, where there is a choice; a click switches it. */
export class DefaultStatus extends DisposableBase {
	constructor(connections: Connections) {
		super();
		const item = this.own(vscode.window.createStatusBarItem('agentWorkbench.defaultConnection', vscode.StatusBarAlignment.Right, 60));
		item.name = vscode.l10n.t('Agent Workbench: default connection');
		item.command = 'agentWorkbench.connection.selectDefault';
		const show = () => {
			const { name } = connections.default();
			item.text = `$(plug) ${withoutIcons(name)}`;
			item.tooltip = vscode.l10n.t('Agent Workbench runs and chats with “{0}”. Click to switch.', name);
			item.accessibilityInformation = { label: vscode.l10n.t('Default connection: {0}', name) };
			if (connections.list().length > 1) {
				item.show();
			} else {
				item.hide();
			}
		};
		this.own(connections.onDidChange(show));
		this.own(afterActivation(show));
	}
}
