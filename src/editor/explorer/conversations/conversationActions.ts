import * as vscode from 'vscode';
import { getErrorReason } from '#base/problems.ts';
import type { ConversationParts } from './conversationCommands.ts';
import type { ConversationReference } from './conversationTypes.ts';

/** Asks for a new name and saves it on the service. */
export async function renameConversation(parts: ConversationParts, conversation: ConversationReference): Promise<void> {
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('Rename conversation'),
		value: conversation.name,
		validateInput: text => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
	});
	if (name !== undefined && name.trim() !== conversation.name) {
		await sendConversationName(parts, conversation, { name: name.trim() });
	}
}

/** Lets the service generate a name from the messages. */
export function autoNameConversation(parts: ConversationParts, conversation: ConversationReference): Thenable<void> {
	const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Generating a name for '{0}'", conversation.name) };
	return vscode.window.withProgress(progress, () => sendConversationName(parts, conversation, { auto_generate: true }));
}

async function sendConversationName(
	{ connections, onChange }: ConversationParts,
	conversation: ConversationReference,
	body: { name: string } | { auto_generate: true },
): Promise<void> {
	const { connectionId, agentName, conversationId } = conversation;
	try {
		const user = connections.get(connectionId)?.user ?? '';
		const client = await connections.getClient(connectionId);
		onChange({ of: conversation, conversation: await client.renameConversation(conversationId, { model: agentName, user, ...body }) });
	} catch (error) {
		throw connections.toProblem(connectionId, error);
	}
}

/** Permanently deletes conversations from the service after asking for confirmation. Stops at the first error. */
export async function deleteConversations(parts: ConversationParts, conversations: readonly ConversationReference[]): Promise<void> {
	const [first] = conversations;
	if (!first) {
		return;
	}
	const question =
		conversations.length === 1
			? vscode.l10n.t("Delete conversation '{0}' and all its messages?", first.name)
			: vscode.l10n.t('Delete {0} conversations and all their messages?', conversations.length);
	const remove = vscode.l10n.t('Delete');
	const detail = vscode.l10n.t("This deletes the data from the service and can't be undone.");
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, remove)) === remove) {
		for (const conversation of conversations) {
			await deleteConversation(parts, conversation);
		}
	}
}

async function deleteConversation({ connections, onChange }: ConversationParts, conversation: ConversationReference): Promise<void> {
	const { connectionId, agentName, conversationId } = conversation;
	try {
		const user = connections.get(connectionId)?.user ?? '';
		const client = await connections.getClient(connectionId);
		await client.deleteConversation(conversationId, { model: agentName, user });
	} catch (error) {
		// already deleted, perhaps by another window
		if (getErrorReason(error) !== 'not-found') {
			throw connections.toProblem(connectionId, error);
		}
	}
	onChange({ of: conversation, conversation: undefined });
}
