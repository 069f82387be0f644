import * as vscode from 'vscode';
import type { AgentNode } from './agentNode.ts';
import { LogNode } from './logNode.ts';
import { MessageNode } from './messageNode.ts';
import { pagedChildren } from './pagedChildren.ts';
import { RunLog } from './runLog.ts';
import { join, statusText } from './runWording.ts';
import type { TreeNode } from './treeNode.ts';
import type { TreeStores } from './treeStores.ts';

/** The service's own log of an agent's runs, whoever started them. */
export class LogsNode implements TreeNode {
	readonly id: string;
	readonly parent: AgentNode;
	readonly log: RunLog;

	constructor(parent: AgentNode, stores: TreeStores) {
		this.id = `${parent.id}/logs`;
		this.parent = parent;
		this.log = new RunLog(stores.connections, parent.connectionId, parent.agentName, () => stores.changed(this));
	}

	get rows() {
		return this.log.pages;
	}

	item(): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Logs'), vscode.TreeItemCollapsibleState.Collapsed);
		const { total } = this.log.pages;
		const filter = this.#filterText();
		item.contextValue = filter ? 'logs.filtered' : 'logs';
		item.iconPath = new vscode.ThemeIcon(filter ? 'filter-filled' : 'output');
		item.description = join(filter, total === undefined ? '' : total.toLocaleString());
		return item;
	}

	async children(): Promise<readonly TreeNode[]> {
		const { pages } = this.log;
		await pages.start();
		return pagedChildren(this, pages, row => new LogNode(this, row), this.#empty());
	}

	/** A node of a row that is shown. */
	row(id: string): TreeNode | undefined {
		const row = this.log.pages.rows.find(each => each.id === id);
		return row && new LogNode(this, row);
	}

	#empty(): MessageNode {
		return this.#filterText()
			? new MessageNode(this, vscode.l10n.t('No entry matches.'), {
					title: vscode.l10n.t('Clear filter'),
					command: 'agentWorkbench.logs.clearFilter',
					arguments: [this],
				})
			: new MessageNode(this, vscode.l10n.t('The service has logged no run of this agent yet.'));
	}

	#filterText(): string {
		const { status, keyword } = this.log.filter;
		return join(status ? statusText(status) : '', keyword ? `“${keyword}”` : '');
	}
}
