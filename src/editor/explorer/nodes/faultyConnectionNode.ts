import * as vscode from 'vscode';
import type { FaultyEntry } from '../../connections/connectionEntries.ts';
import type { TreeNode } from './treeNode.ts';

/** An invalid connection in the settings. Shows its problem. A click opens the settings. */
export class FaultyConnectionNode implements TreeNode {
	readonly id: string;
	readonly parent = undefined;
	readonly #entry: FaultyEntry;

	constructor(entry: FaultyEntry) {
		this.id = `faulty/${entry.index}`;
		this.#entry = entry;
	}

	createTreeItem(): vscode.TreeItem {
		const { index, name, fault } = this.#entry;
		const place = `agentWorkbench.connections[${index}]`;
		const item = new vscode.TreeItem(name ?? vscode.l10n.t('Connection {0}', index + 1));
		item.contextValue = 'faultyConnection';
		item.iconPath = new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'));
		item.description = fault;
		item.tooltip = vscode.l10n.t({
			message: "Ignored '{0}' in the settings. {1}",
			args: [place, fault],
			comment: ['{0} is the path of an entry in the settings, {1} is a sentence that says what is wrong'],
		});
		item.command = {
			title: vscode.l10n.t('Open settings'),
			command: 'workbench.action.openSettingsJson',
			arguments: [{ revealSetting: { key: 'agentWorkbench.connections' } }],
		};
		return item;
	}
}
