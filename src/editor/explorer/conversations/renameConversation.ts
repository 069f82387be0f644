import * as vscode from 'vscode';
import type { ConversationParts } from './conversationCommands.ts';
import type { ConversationReference } from './conversationTypes.ts';

/** Asks for a new name and saves it at the service. */
export async function renameConversation(parts: ConversationParts, conversation: ConversationReference): Promise<void> {
	const name = await vscode.window.showInputBox({
		title: vscode.l10n.t('Rename conversation'),
		value: conversation.name,
		validateInput: text => (text.trim() === '' ? vscode.l10n.t('Enter a name.') : undefined),
	});
	if (name !== undefined && name.trim() !== conversation.name) {
		await sendName(parts, conversation, { name: name.trim() });
	}
}

/** Lets the service generate a name from the messages. */
export function autoNameConversation(parts: ConversationParts, conversation: ConversationReference): Thenable<void> {
	const progress = { location: vscode.ProgressLocation.Window, title: vscode.l10n.t("Generating a name for '{0}'", conversation.name) };
	return vscode.window.withProgress(progress, () => sendName(parts, conversation, { auto_generate: true }));
}

async function sendName(
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
