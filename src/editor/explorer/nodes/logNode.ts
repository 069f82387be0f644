import * as vscode from 'vscode';
import type { LogRow } from '#runs/logs/logEntry.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import { formatDateTime } from '../../platform/format.ts';
import { join, statusIcon, statusText } from '../../platform/runWording.ts';
import { durationText, markdownText, momentText, oneLine, tokensText } from '../../platform/wording.ts';
import type { LogsNode } from './logsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** An entry of the service's log; opens the inspector of its run. */
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

	/** Record of the run if this editor started it; the argument of commands on runs. */
	get run(): RunRecord | undefined {
		return this.parent.findRun(this.row.runId);
	}

	createItem(): vscode.TreeItem {
		const { status, error, elapsedSeconds, tokens, createdAt, runId } = this.row;
		const when = createdAt === undefined ? runId.slice(0, 8) : momentText(createdAt);
		const item = new vscode.TreeItem(when);
		item.contextValue = this.run ? 'log.kept' : 'log';
		item.iconPath = statusIcon(status);
		const failed = error === '' ? (status === 'succeeded' ? '' : statusText(status)) : oneLine(error, 60);
		const duration = status === 'running' || status === 'paused' ? '' : durationText(elapsedSeconds * 1000);
		item.description = join(failed, duration, tokens > 0 ? tokensText(tokens) : '');
		item.accessibilityInformation = { label: `${when}, ${statusText(status)}, ${item.description}` };
		item.command = {
			title: vscode.l10n.t({ message: 'Inspect', comment: ['verb: opens the run inspector'] }),
			command: 'agentWorkbench.run.inspect',
			arguments: [this],
		};
		return item;
	}

	createTooltip(): vscode.MarkdownString {
		const { status, error, runId, user, createdAt } = this.row;
		const tooltip = new vscode.MarkdownString(`**${markdownText(statusText(status))}**\n\n`);
		tooltip.appendMarkdown(createdAt === undefined ? '' : `${markdownText(formatDateTime(createdAt))}\n\n`);
		tooltip.appendMarkdown(`${vscode.l10n.t('Run ID: `{0}`', runId.replaceAll('`', ''))}\n\n`);
		tooltip.appendMarkdown(user === '' ? '' : `${markdownText(vscode.l10n.t('User: {0}', user))}\n\n`);
		tooltip.appendMarkdown(markdownText(error));
		return tooltip;
	}
}
