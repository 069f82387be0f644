import * as vscode from 'vscode';
import { formatDateTime } from '../../platform/format.ts';
import { escapeMarkdown, formatRelativeTime, toCodeText, toOneLine } from '../../platform/wording.ts';
import type { ListedConversation } from '../lists/conversationList.ts';
import type { ConversationsNode } from './conversationsNode.ts';
import type { TreeNode } from './treeNode.ts';

/** One conversation of the connection's user with an agent. */
export class ConversationNode implements TreeNode {
	readonly id: string;
	readonly parent: ConversationsNode;
	readonly #row: ListedConversation;

	constructor(parent: ConversationsNode, row: ListedConversation) {
		this.id = `${parent.id}/${row.id}`;
		this.parent = parent;
		this.#row = row;
	}

	get connectionId(): string {
		return this.parent.parent.connectionId;
	}
	get agentName(): string {
		return this.parent.parent.agentName;
	}
	get conversationId(): string {
		return this.#row.id;
	}
	get name(): string {
		return this.#row.name;
	}

	createTreeItem(): vscode.TreeItem {
		const { name, status, createdAt, updatedAt } = this.#row;
		const title = toOneLine(name) || vscode.l10n.t('Unnamed conversation');
		const item = new vscode.TreeItem(title);
		const when = updatedAt ?? createdAt;
		item.contextValue = 'conversation';
		item.iconPath = new vscode.ThemeIcon('comment');
		item.description = `${status === 'normal' ? '' : `${status} · `}${when === undefined ? '' : formatRelativeTime(when)}`;
		item.accessibilityInformation = {
			label: vscode.l10n.t({
				message: "Conversation '{0}', {1}",
				args: [title, item.description],
				comment: ["{1} is a status or a relative time such as '2 h ago'"],
			}),
		};
		item.command = {
			title: vscode.l10n.t({ message: 'Open', comment: ['verb: opens the conversation'] }),
			command: 'agentWorkbench.chat.openConversation',
			arguments: [this],
		};
		return item;
	}

	createTooltip(): vscode.MarkdownString {
		const { id, name, createdAt, updatedAt } = this.#row;
		const tooltip = new vscode.MarkdownString(`**${escapeMarkdown(name)}**\n\n`);
		if (createdAt !== undefined) {
			tooltip.appendMarkdown(`${escapeMarkdown(vscode.l10n.t('Created: {0}', formatDateTime(createdAt)))}\n\n`);
		}
		if (updatedAt !== undefined) {
			tooltip.appendMarkdown(`${escapeMarkdown(vscode.l10n.t('Updated: {0}', formatDateTime(updatedAt)))}\n\n`);
		}
		tooltip.appendMarkdown(vscode.l10n.t('ID: `{0}`', toCodeText(id)));
		return tooltip;
	}
}
