import * as vscode from 'vscode';
import type { ConversationSort } from '#contract/conversations.ts';
import type { ConversationList } from '../lists/conversationList.ts';
import { getSortLabel } from '../nodes/conversationsNode.ts';

/** Repeats the contract's values, because importing the contract's module would load its schemas, which would slow down activation. */
const sorts = ['-updated_at', '-created_at', 'updated_at', 'created_at'] as const satisfies readonly ConversationSort[];

export async function chooseSort(list: ConversationList): Promise<void> {
	const items = sorts.map(sort => ({ label: getSortLabel(sort), description: sort === list.sort ? vscode.l10n.t('current') : '', sort }));
	const choice = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Sort conversations') });
	if (choice && choice.sort !== list.sort) {
		list.setSort(choice.sort);
	}
}
