import * as vscode from 'vscode';
import { getSpanKindLabel, type LogSpan } from '#runs/logs/logSpan.ts';
import type { RunRecord, Runs } from '#runs/runTypes.ts';
import { formatDate, formatNumber } from '../../platform/format.ts';
import { getStatusText, joinParts } from '../../platform/runWording.ts';
import { createPagedChildren } from '../lists/pagedChildren.ts';
import { RunLog } from '../lists/runLog.ts';
import type { TreeStores } from '../treeStores.ts';
import type { AgentTreeNode } from './agentNode.ts';
import { LogNode } from './logNode.ts';
import { MessageNode } from './messageNode.ts';
import type { TreeNode } from './treeNode.ts';

/** The service's log of an agent's runs, including runs that weren't started here. */
export class LogsNode implements TreeNode {
	readonly id: string;
	readonly parent: AgentTreeNode;
	readonly log: RunLog;
	readonly #runs: Runs;

	constructor(parent: AgentTreeNode, stores: TreeStores) {
		this.id = `${parent.id}/logs`;
		this.parent = parent;
		this.#runs = stores.runs;
		this.log = new RunLog(stores.connections, parent.connectionId, parent.agentName, () => stores.onChange(this));
	}

	get rows() {
		return this.log.pages;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Logs'), vscode.TreeItemCollapsibleState.Collapsed);
		const { total } = this.log.pages;
		const filter = this.#getFilterLabel();
		item.contextValue = filter ? 'logs.filtered' : 'logs';
		item.iconPath = new vscode.ThemeIcon(filter ? 'filter-filled' : 'output');
		const count = total === undefined ? '' : formatNumber(total);
		item.description = joinParts(filter, this.log.filtersHere ? vscode.l10n.t('loaded entries only') : count);
		return item;
	}

	async getChildren(): Promise<readonly TreeNode[]> {
		const { pages } = this.log;
		await pages.start();
		return createPagedChildren(this, pages, row => new LogNode(this, row), this.#createEmptyNode());
	}

	findRow(id: string): TreeNode | undefined {
		const row = this.log.pages.rows.find(each => each.id === id);
		return row && new LogNode(this, row);
	}

	/** Returns the record of a run, if this editor started it. */
	findRun(runId: string): RunRecord | undefined {
		const { connectionId, agentName } = this.parent;
		return this.#runs.list({ connectionId, agent: agentName }).find(run => run.runId === runId);
	}

	#createEmptyNode(): MessageNode {
		return this.#getFilterLabel()
			? new MessageNode(this, vscode.l10n.t('No matching runs'), {
					title: vscode.l10n.t('Clear filter'),
					command: 'agentWorkbench.logs.clearFilter',
					arguments: [this],
				})
			: new MessageNode(
					this,
					vscode.l10n.t('No runs logged yet'),
					undefined,
					this.#hasDrafts()
						? vscode.l10n.t("The service hasn't logged any runs of this agent. Draft runs aren't logged. You can find them under Runs.")
						: undefined,
				);
	}

	#hasDrafts(): boolean {
		const { connectionId, agentName } = this.parent;
		return this.#runs.list({ connectionId, agent: agentName }).some(({ draft }) => draft);
	}

	#getFilterLabel(): string {
		const { status, keyword, span } = this.log.filter;
		return joinParts(status ? getStatusText(status) : '', span ? formatTimeSpan(span) : '', keyword ? `'${keyword}'` : '');
	}
}

function formatTimeSpan({ kind, after, before = Date.now() }: LogSpan): string {
	if (kind !== 'dates') {
		return getSpanKindLabel(vscode.l10n, kind);
	}
	const [first, last] = [after, before].map(at => formatDate(at));
	return first === last ? (first ?? '') : `${first} – ${last}`;
}
