import * as vscode from 'vscode';
import type { AgentSummary } from '#contract/agents.ts';
import type { RunRecord } from '#runs/runTypes.ts';
import { join } from '../../platform/runWording.ts';
import { markdownText, oneLine } from '../../platform/wording.ts';
import type { TreeStores } from '../treeStores.ts';
import type { ConnectionNode } from './connectionNode.ts';
import { ConversationsNode } from './conversationsNode.ts';
import { InputsNode } from './inputsNode.ts';
import { LogsNode } from './logsNode.ts';
import { RunsNode } from './runsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** An agent of a connection; below it, what it can be run with and what was run. */
export class AgentTreeNode implements TreeNode {
	readonly id: string;
	/** The connection that runs it. */
	readonly connectionId: string;
	readonly parent: ConnectionNode;
	readonly inputs: InputsNode;
	readonly runs: RunsNode;
	readonly logs: LogsNode;
	readonly conversations: ConversationsNode;
	summary: AgentSummary;

	/** `place`: where it is shown below another connection than its own. */
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

	/** The agent's file, where the service runs one of this machine. */
	get uri(): vscode.Uri | undefined {
		return this.summary.file ? vscode.Uri.file(this.summary.file) : undefined;
	}
	get agentName(): string {
		return this.summary.name;
	}

	createItem(): vscode.TreeItem {
		const { name, error, file, mode, published, draft } = this.summary;
		const item = new vscode.TreeItem(name, vscode.TreeItemCollapsibleState.Collapsed);
		const running = this.runs.countActive();
		item.contextValue = [
			'agent',
			file ? 'file' : '',
			mode === '' && !this.parent.isSingleAgent(name) ? 'named' : '',
			published ? 'published' : '',
			draft || !published ? 'changed' : '',
		]
			.filter(part => part !== '')
			.join('.');
		const waiting = this.runs.countPaused();
		item.description = join(
			waiting ? vscode.l10n.t('{0} waiting', waiting) : '',
			running ? vscode.l10n.t('{0} running', running) : '',
			this.#getStateLabel(),
		);
		item.iconPath = error
			? new vscode.ThemeIcon('warning', new vscode.ThemeColor('problemsWarningIcon.foreground'))
			: new vscode.ThemeIcon('symbol-method');
		return item;
	}

	getChildren(): readonly TreeNode[] | Promise<readonly TreeNode[]> {
		// what runs once has no conversations: a service would refuse to list them (wire facts 1.0)
		const converses = !['workflow', 'completion'].includes(this.summary.mode);
		return [this.inputs, this.runs, this.logs, ...(converses ? [this.conversations] : [])];
	}

	createTooltip(): vscode.MarkdownString {
		const { name, description, mode, variables, error, file } = this.summary;
		const tooltip = new vscode.MarkdownString(`**${markdownText(name)}** · ${markdownText(mode)}\n\n`);
		if (error) {
			tooltip.appendMarkdown(`$(warning) ${markdownText(error)}\n\n`);
		}
		if (description) {
			tooltip.appendMarkdown(`${markdownText(description)}\n\n`);
		}
		for (const { variable, type, required } of variables) {
			tooltip.appendMarkdown(
				`- \`${variable.replaceAll('`', '')}\` ${markdownText(type)}${required ? `, ${vscode.l10n.t('required')}` : ''}\n`,
			);
		}
		if (file) {
			tooltip.appendMarkdown(`\n${markdownText(vscode.workspace.asRelativePath(file))}`);
		}
		tooltip.supportThemeIcons = true;
		return tooltip;
	}

	async loadTooltipImage(): Promise<string | undefined> {
		const { file } = this.summary;
		return file ? (await import('../../agents/graph/agentImage.ts')).agentImage(file) : undefined;
	}

	/** A run of this agent came or changed; returns the nodes that show something else now. */
	onRunChange(run: RunRecord): TreeNode[] {
		const nodes = this.runs.onRunChange(run);
		// only a run that came or ended changes what the agent and its run files say
		return nodes.includes(this.runs) ? [this] : nodes;
	}

	#getStateLabel(): string {
		const { error, published, draft } = this.summary;
		if (error) {
			return oneLine(error);
		}
		if (!published) {
			return vscode.l10n.t('not published');
		}
		return draft ? vscode.l10n.t('published, changed since') : vscode.l10n.t('published');
	}
}
