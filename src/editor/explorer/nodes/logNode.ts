import * as vscode from 'vscode';
import type { LogRow } from '#runs/logs/logEntry.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import { formatDateTime } from '../../platform/format.ts';
import { getStatusIcon, getStatusText, joinParts } from '../../platform/runWording.ts';
import { escapeMarkdown, formatBriefDuration, formatTimestamp, formatTokens, toCodeText, toOneLine } from '../../platform/wording.ts';
import type { LogsNode } from './logsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** An entry of the service's log. A click opens the inspector of its run. */
export class LogNode implements TreeNode, ServiceRunReference {
	readonly id: string;
	readonly parent: LogsNode;
	readonly row: LogRow;

	constructor(parent: LogsNode, row: LogRow) {
		this.id = `${parent.id}/${row.id}`;
		this.parent = parent;
		this.row = row;
	}

	get connectionId(): string {
		return this.parent.parent.connectionId;
	}
	get agentName(): string {
		return this.parent.parent.agentName;
	}
	get runId(): string {
		return this.row.runId;
	}

	/** Record of the run, if this editor started it. Passed to commands on runs. */
	get run(): RunRecord | undefined {
		return this.parent.findRun(this.row.runId);
	}

	createTreeItem(): vscode.TreeItem {
		const { status, error, elapsedSeconds, tokens, createdAt, runId } = this.row;
		const when = createdAt === undefined ? runId.slice(0, 8) : formatTimestamp(createdAt);
		const item = new vscode.TreeItem(when);
		item.contextValue = this.run ? 'log.kept' : 'log';
		item.iconPath = getStatusIcon(status);
		const failed = error === '' ? (status === 'succeeded' ? '' : getStatusText(status)) : toOneLine(error, 60);
		const duration = status === 'running' || status === 'paused' ? '' : formatBriefDuration(elapsedSeconds * 1000);
		item.description = joinParts(failed, duration, tokens > 0 ? formatTokens(tokens) : '');
		item.accessibilityInformation = { label: `${when}, ${getStatusText(status)}, ${item.description}` };
		item.command = {
			title: vscode.l10n.t({ message: 'Inspect', comment: ['verb: opens the run inspector'] }),
			command: 'agentWorkbench.run.inspect',
			arguments: [this],
		};
		return item;
	}

	createTooltip(): vscode.MarkdownString {
		const { status, error, runId, user, createdAt } = this.row;
		const tooltip = new vscode.MarkdownString(`**${escapeMarkdown(getStatusText(status))}**\n\n`);
		tooltip.appendMarkdown(createdAt === undefined ? '' : `${escapeMarkdown(formatDateTime(createdAt))}\n\n`);
		tooltip.appendMarkdown(`${vscode.l10n.t('Run ID: `{0}`', toCodeText(runId))}\n\n`);
		tooltip.appendMarkdown(user === '' ? '' : `${escapeMarkdown(vscode.l10n.t('User: {0}', user))}\n\n`);
		tooltip.appendMarkdown(escapeMarkdown(error));
		return tooltip;
	}
}
