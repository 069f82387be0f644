import path from 'node:path';
import * as vscode from 'vscode';
import type { Runs } from '#runs/runTypes.ts';
import { formatRunOutcome, formatRunProgress, getStatusIcon, getStatusText } from '../../platform/runWording.ts';
import type { InputsNode } from './inputsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** A run file. A click opens the file, and its inline action runs it. Shows the outcome of the last run. */
export class RunFileNode implements TreeNode {
	readonly id: string;
	readonly parent: InputsNode;
	readonly uri: vscode.Uri;
	readonly #runs: Runs;

	constructor(parent: InputsNode, uri: vscode.Uri, runs: Runs) {
		this.id = `${parent.id}/${uri.toString()}`;
		this.parent = parent;
		this.uri = uri;
		this.#runs = runs;
	}

	createTreeItem(): vscode.TreeItem {
		const { parent: agent } = this.parent;
		const file = this.uri.toString();
		const last = this.#runs.list({ connectionId: agent.parent.connectionId, agent: agent.summary.name }).find(run => run.file === file);
		const item = new vscode.TreeItem(path.posix.basename(this.uri.path));
		item.resourceUri = this.uri;
		item.contextValue = 'runFile';
		item.iconPath = last ? getStatusIcon(last.status) : new vscode.ThemeIcon('json');
		item.description = last ? formatRunOutcome(last) : '';
		item.accessibilityInformation = {
			label: last
				? `${item.label}, ${getStatusText(last.status)}, ${formatRunProgress(last)}`
				: vscode.l10n.t({
						message: '{0}, not run yet',
						args: [path.posix.basename(this.uri.path)],
						comment: ['{0} is the name of a run file'],
					}),
		};
		item.command = {
			title: vscode.l10n.t({ message: 'Open', comment: ['verb: opens the file'] }),
			command: 'vscode.open',
			arguments: [this.uri],
		};
		return item;
	}
}
