import * as vscode from 'vscode';
import { cutToLimit } from '#base/text/cutText.ts';
import { isRunActive, isRunPaused } from '#runs/runStatus.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { formatDateTime } from '../../platform/format.ts';
import { formatRunProgress, getRunFileName, getStatusIcon, getStatusText, joinParts } from '../../platform/runWording.ts';
import { escapeMarkdown, toCodeText } from '../../platform/wording.ts';
import { FormNode } from './formNode.ts';
import type { RunsNode } from './runsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** A run that this editor started. Its children are the forms that the run is waiting for. */
export class RunNode implements TreeNode {
	readonly id: string;
	readonly parent: RunsNode;
	run: RunRecord;

	constructor(parent: RunsNode, run: RunRecord) {
		this.id = `${parent.id}/${run.key}`;
		this.parent = parent;
		this.run = run;
	}

	createTreeItem(): vscode.TreeItem {
		const name = getRunFileName(this.run) ?? this.run.agent;
		const { Expanded, None } = vscode.TreeItemCollapsibleState;
		const item = new vscode.TreeItem(name, this.getChildren().length > 0 ? Expanded : None);
		item.contextValue = isRunActive(this.run) ? 'run.active' : isRunPaused(this.run) ? 'run.paused' : 'run.finished';
		item.iconPath = getStatusIcon(this.run.status);
		item.description = formatRunProgress(this.run);
		item.accessibilityInformation = { label: `${name}, ${getStatusText(this.run.status)}, ${item.description}` };
		item.command = {
			title: vscode.l10n.t({ message: 'Inspect', comment: ['verb: opens the run inspector'] }),
			command: 'agentWorkbench.run.inspect',
			arguments: [this],
		};
		return item;
	}

	getChildren(): readonly TreeNode[] {
		const { forms = [] } = this.run;
		return isRunPaused(this.run) ? forms.map(form => new FormNode(this, form)) : [];
	}

	createTooltip(): vscode.MarkdownString {
		const { agent, status, user, mode, runId, startedAt, totalSteps, error } = this.run;
		const lines = [
			`**${escapeMarkdown(agent)}** · ${escapeMarkdown(getStatusText(status))} · ${escapeMarkdown(formatRunProgress(this.run))}`,
			escapeMarkdown(joinParts(vscode.l10n.t('Started: {0}', formatDateTime(startedAt)), mode, user)),
			...(totalSteps === undefined ? [] : [vscode.l10n.t('Steps: {0}', totalSteps)]),
			...(runId ? [vscode.l10n.t('Run ID: `{0}`', toCodeText(runId))] : []),
			...(error ? [`$(error) ${escapeMarkdown(cutToLimit(error, 1000))}`] : []),
		];
		const tooltip = new vscode.MarkdownString(lines.join('\n\n'));
		tooltip.supportThemeIcons = true;
		return tooltip;
	}
}
