import * as vscode from 'vscode';
import { getOwnField } from '#base/records/ownField.ts';
import type { AgentSummary } from '#contract/agents.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { getModeLabel } from '../../platform/difyModeText.ts';
import { joinParts } from '../../platform/runWording.ts';
import { escapeMarkdown, toCodeText, toOneLine } from '../../platform/wording.ts';
import type { TreeStores } from '../treeStores.ts';
import type { ConnectionNode } from './connectionNode.ts';
import { ConversationsNode } from './conversationsNode.ts';
import { InputsNode } from './inputsNode.ts';
import { LogsNode } from './logsNode.ts';
import { RunsNode } from './runsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** Icons of agents by mode. Workflows and agents of other services have the default icon. */
const modeIcons: Readonly<Record<string, string>> = {
	chat: 'comment-discussion',
	'advanced-chat': 'comment-discussion',
	'agent-chat': 'hubot',
	completion: 'symbol-text',
	dify: 'cloud',
};

/** An agent of a connection, with its run files, runs, logs and conversations as children. */
export class AgentTreeNode implements TreeNode {
	readonly id: string;
	/** The connection that runs the agent. */
	readonly connectionId: string;
	readonly parent: ConnectionNode;
	readonly inputs: InputsNode;
	readonly runs: RunsNode;
	readonly logs: LogsNode;
	readonly conversations: ConversationsNode;
	summary: AgentSummary;

	/** `place` overrides the ID and the connection, for a node that is shown under a different connection. */
	constructor(
		parent: ConnectionNode,
		summary: AgentSummary,
		stores: TreeStores,
		place: { readonly id: string; readonly connectionId: string } = {
			id: `${parent.id}/agent/${encodeURIComponent(summary.name)}`,
			connectionId: parent.connectionId,
		},
	) {
		this.id = place.id;
		this.connectionId = place.connectionId;
		this.parent = parent;
		this.summary = summary;
		this.inputs = new InputsNode(this, stores);
		this.runs = new RunsNode(this, stores);
		this.logs = new LogsNode(this, stores);
		this.conversations = new ConversationsNode(this, stores);
	}

	/** The agent's file, if it's on this machine. */
	get uri(): vscode.Uri | undefined {
		return this.summary.file ? vscode.Uri.file(this.summary.file) : undefined;
	}
	get agentName(): string {
		return this.summary.name;
	}

	createTreeItem(): vscode.TreeItem {
		const { name, error, file, mode, published, draft } = this.summary;
		const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
		const running = this.runs.countActiveRuns();
		item.contextValue = [
			'agent',
			file ? 'file' : '',
			mode === '' && !this.parent.isSingleAgent(name) ? 'named' : '',
			published ? 'published' : '',
			draft || !published ? 'changed' : '',
		]
			.filter(part => part !== '')
			.join('.');
		const waiting = this.runs.countPausedRuns();
		item.description = joinParts(
			waiting ? vscode.l10n.t({ message: '{0} waiting', args: [waiting], comment: ['{0} is a number of runs'] }) : '',
			running ? vscode.l10n.t({ message: '{0} running', args: [running], comment: ['{0} is a number of runs'] }) : '',
			this.#getStateLabel(),
		);
		item.iconPath = error
			? new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'))
			: new vscode.ThemeIcon(getOwnField(modeIcons, mode) ?? 'symbol-method');
		return item;
	}

	getChildren(): readonly TreeNode[] | Promise<readonly TreeNode[]> {
		// workflows and completion apps have no conversations, so a service would refuse to list them (wire facts 1.0)
		const isChatAgent = !['workflow', 'completion'].includes(this.summary.mode);
		return [this.inputs, this.runs, this.logs, ...(isChatAgent ? [this.conversations] : [])];
	}

	createTooltip(): vscode.MarkdownString {
		const { name, description, mode, variables, error, file, published, draft } = this.summary;
		const tooltip = new vscode.MarkdownString(`**${escapeMarkdown(name)}** · ${escapeMarkdown(getModeLabel(mode))}\n\n`);
		if (published && draft) {
			tooltip.appendMarkdown(`${escapeMarkdown(vscode.l10n.t('The file has changed since the last published version.'))}\n\n`);
		}
		if (error) {
			tooltip.appendMarkdown(`$(warning) ${escapeMarkdown(error)}\n\n`);
		}
		if (description) {
			tooltip.appendMarkdown(`${escapeMarkdown(description)}\n\n`);
		}
		for (const { variable, type, required } of variables) {
			const kind = required ? vscode.l10n.t({ message: '{0}, required', args: [type], comment: ['{0} is the type of an input'] }) : type;
			tooltip.appendMarkdown(`- \`${toCodeText(variable)}\` ${escapeMarkdown(kind)}\n`);
		}
		if (file) {
			tooltip.appendMarkdown(`\n${escapeMarkdown(vscode.workspace.asRelativePath(file))}`);
		}
		tooltip.supportThemeIcons = true;
		return tooltip;
	}

	async loadTooltipImage(): Promise<string | undefined> {
		const { file } = this.summary;
		return file ? (await import('../../agents/graph/agentImage.ts')).renderAgentImage(file) : undefined;
	}

	/** Handles a new or changed run of this agent. Returns the nodes to refresh. */
	onRunChange(run: RunRecord): TreeNode[] {
		const nodes = this.runs.onRunChange(run);
		// only a run that started, paused or ended changes the rows of the agent and its run files
		return nodes.includes(this.runs) ? [this] : nodes;
	}

	#getStateLabel(): string {
		const { error, file, published, draft } = this.summary;
		if (error) {
			// the reason counts, and the row has the file's name
			return toOneLine(file && error.startsWith(file) ? error.slice(file.length).replace(/^[:\s]+/, '') : error);
		}
		return published && draft ? vscode.l10n.t({ message: 'draft', comment: ['the file differs from the published version'] }) : '';
	}
}
