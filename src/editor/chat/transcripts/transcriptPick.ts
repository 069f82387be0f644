import * as vscode from 'vscode';
import { getErrorMessage } from '#base/problems.ts';
import { LatestOnly } from '#base/timing/latestOnly.ts';
import type { Transcript, TranscriptSummary } from '#pages/chat/transcript/transcript.ts';
import type { ConversationReference } from '../../explorer/conversations/conversationTypes.ts';
import { escapeIcons, escapeLinks, formatRelativeTime, toOneLine } from '../../platform/wording.ts';
import type { ChatHost } from '../chatHost.ts';
import { getEndpointName } from '../targetPicks.ts';

/** A chat stored on this machine, or a conversation that the service stores. */
type PickedChat = { readonly summary: TranscriptSummary } | { readonly conversation: ConversationReference };

type ChatItem = vscode.QuickPickItem & { readonly opens?: PickedChat };

const renameButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: vscode.l10n.t('Rename') };
const deleteButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: vscode.l10n.t('Delete') };

/** Milliseconds to wait after a keystroke before searching the chats. */
const searchDelayMs = 200;

/**
 * Lets the user search, rename, delete and pick a stored chat, or pick one of the conversations that the current agent's service stores.
 * Resolves to the picked one, or `undefined` if the user cancels.
 */
export async function pickTranscript(host: ChatHost, current: Transcript): Promise<PickedChat | undefined> {
	const quickPick = vscode.window.createQuickPick<ChatItem>();
	quickPick.title = vscode.l10n.t('Chats');
	quickPick.placeholder = vscode.l10n.t('Search titles and messages');
	quickPick.matchOnDescription = true;
	let timer: NodeJS.Timeout | undefined;
	// if the service fails, list only the local chats
	let theirs = host.listConversations(current).catch((): ConversationReference[] => []);

	const latest = new LatestOnly();
	const updateItems = async () => {
		quickPick.busy = true;
		await latest.run(
			() => listChatItems(host, current, quickPick.value.trim(), theirs),
			items => {
				quickPick.items = items;
				quickPick.busy = false;
			},
		);
	};
	const showError = (error: unknown) => {
		quickPick.busy = false;
		void vscode.window.showErrorMessage(escapeLinks(getErrorMessage(error)));
	};
	const refreshItems = () => void updateItems().catch(showError);

	try {
		return await new Promise<PickedChat | undefined>(resolve => {
			quickPick.onDidChangeValue(() => {
				clearTimeout(timer);
				timer = setTimeout(refreshItems, searchDelayMs);
			});
			quickPick.onDidTriggerItemButton(async ({ button, item }) => {
				quickPick.ignoreFocusOut = true;
				if (item.opens) {
					// for example because the chat is open in another window
					await (button === renameButton ? renamePickedChat : deletePickedChat)(host, item.opens).catch(showError);
				}
				theirs = host.listConversations(current).catch((): ConversationReference[] => []);
				quickPick.show();
				refreshItems();
			});
			quickPick.onDidAccept(() => resolve(quickPick.selectedItems[0]?.opens));
			quickPick.onDidHide(() => {
				if (!quickPick.ignoreFocusOut) {
					resolve(undefined);
				}
				quickPick.ignoreFocusOut = false;
			});
			quickPick.show();
			refreshItems();
		});
	} finally {
		clearTimeout(timer);
		quickPick.dispose();
	}
}

async function listChatItems(
	host: ChatHost,
	current: Transcript,
	words: string,
	theirs: Promise<readonly ConversationReference[]>,
): Promise<ChatItem[]> {
	const [summaries, found] = await Promise.all([host.chats.listChats(), words ? host.chats.searchChats(words) : undefined]);
	const items = summaries.map(
		(summary): ChatItem => ({
			label: escapeIcons(toOneLine(summary.title)) || vscode.l10n.t('Untitled'),
			description: [
				host.targets.getConnectionName(summary),
				getEndpointName(summary.endpoint),
				summary.model,
				formatRelativeTime(summary.updatedAt),
			]
				.filter(Boolean)
				.join(' · '),
			iconPath: new vscode.ThemeIcon(summary.id === current.id ? 'check' : 'comment'),
			buttons: [renameButton, deleteButton],
			// VS Code's own filter would hide chats in which only a message contains the text
			alwaysShow: found?.has(summary.id) ?? false,
			opens: { summary },
		}),
	);
	const known = new Set(summaries.flatMap(summary => summary.conversationIds));
	return [...items, ...createConversationItems((await theirs).filter(({ conversationId }) => !known.has(conversationId)))];
}

function createConversationItems(conversations: readonly ConversationReference[]): ChatItem[] {
	const [first] = conversations;
	if (!first) {
		return [];
	}
	return [
		{ label: vscode.l10n.t("Conversations with '{0}'", first.agentName), kind: vscode.QuickPickItemKind.Separator },
		...conversations.map(
			(conversation): ChatItem => ({
				label: escapeIcons(toOneLine(conversation.name)) || vscode.l10n.t('Unnamed conversation'),
				iconPath: new vscode.ThemeIcon('comment-discussion'),
				buttons: [renameButton, deleteButton],
				opens: { conversation },
			}),
		),
	];
}

async function renamePickedChat(host: ChatHost, picked: PickedChat): Promise<void> {
	if ('conversation' in picked) {
		await vscode.commands.executeCommand('agentWorkbench.conversation.rename', picked.conversation);
		return;
	}
	const { summary } = picked;
	const title = await vscode.window.showInputBox({ title: vscode.l10n.t('Chat name'), value: summary.title });
	if (title?.trim()) {
		await host.chats.renameChat(summary.id, title.trim());
	}
}

async function deletePickedChat(host: ChatHost, picked: PickedChat): Promise<void> {
	if ('conversation' in picked) {
		await vscode.commands.executeCommand('agentWorkbench.conversation.delete', picked.conversation);
		return;
	}
	const { summary } = picked;
	const yes = vscode.l10n.t('Delete');
	const detail = vscode.l10n.t('Its messages, with all their versions, will be deleted from this machine.');
	const question = summary.title ? vscode.l10n.t("Delete '{0}'?", summary.title) : vscode.l10n.t('Delete this chat?');
	if ((await vscode.window.showWarningMessage(question, { modal: true, detail }, yes)) === yes) {
		await host.delete(summary.id);
	}
}
