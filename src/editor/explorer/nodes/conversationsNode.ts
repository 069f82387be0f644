import * as vscode from 'vscode';
import type { ConversationSort } from '#contract/conversations.ts';
import { joinParts } from '../../platform/runWording.ts';
import { ConversationList } from '../lists/conversationList.ts';
import { createPagedChildren } from '../lists/pagedChildren.ts';
import type { TreeStores } from '../treeStores.ts';
import type { AgentTreeNode } from './agentNode.ts';
import { ConversationNode } from './conversationNode.ts';
import { MessageNode } from './messageNode.ts';
import type { TreeNode } from './treeNode.ts';

/** The conversations of the connection's user with an agent. */
export class ConversationsNode implements TreeNode {
	readonly id: string;
	readonly parent: AgentTreeNode;
	readonly list: ConversationList;

	constructor(parent: AgentTreeNode, stores: TreeStores) {
		this.id = `${parent.id}/conversations`;
		this.parent = parent;
		this.list = new ConversationList(stores.connections, parent.connectionId, parent.agentName, () => stores.onChange(this));
	}

	get rows() {
		return this.list.pages;
	}

	createTreeItem(): vscode.TreeItem {
		const item = new vscode.TreeItem(vscode.l10n.t('Conversations'), vscode.TreeItemCollapsibleState.Collapsed);
		const { rows, hasMore, started } = this.list.pages;
		item.contextValue = 'conversations';
		item.iconPath = new vscode.ThemeIcon('comment-discussion');
		const sort = this.list.sort === '-updated_at' ? '' : getSortLabel(this.list.sort);
		item.description = joinParts(sort, started && rows.length > 0 ? `${rows.length}${hasMore ? '+' : ''}` : '');
		return item;
	}

	async getChildren(): Promise<readonly TreeNode[]> {
		const { pages } = this.list;
		await pages.start();
		const empty = new MessageNode(this, vscode.l10n.t('No conversations yet'));
		return createPagedChildren(this, pages, row => new ConversationNode(this, row), empty);
	}

	findRow(id: string): TreeNode | undefined {
		const row = this.list.pages.rows.find(each => each.id === id);
		return row && new ConversationNode(this, row);
	}
}

export function getSortLabel(sort: ConversationSort): string {
	return {
		'-updated_at': vscode.l10n.t('recently updated first'),
		updated_at: vscode.l10n.t('least recently updated first'),
		'-created_at': vscode.l10n.t('newest first'),
		created_at: vscode.l10n.t('oldest first'),
	}[sort];
}
