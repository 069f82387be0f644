import * as vscode from 'vscode';
import type { CommandId } from '#base/commandIds.ts';
import { getErrorMessage, Problem } from '#base/problems.ts';
import { builtInId } from '../../connections/connectionTypes.ts';
import { createChatPrompt } from '../replies/chatPrompt.ts';
import { getRunOfReply } from '../replies/runOfReply.ts';
import { pickEndpoint, pickModel, pickReplyTarget } from '../targetPicks.ts';
import { pickTools } from '../tools/pickTools.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { HandlerParts, MessageHandlers, MessageOf } from './messageHandlers.ts';

type ReplyMessage =
	| (
			| 'send'
			| 'stop'
			| 'retry'
			| 'retryWith'
			| 'retryNow'
			| 'summarize'
			| 'undoSummary'
			| 'continue'
			| 'edit'
			| 'branch'
			| 'toolResult'
			| 'toolDecision'
			| 'inspectRun'
			| 'tryPrompt'
			| 'problemAction'
	  )
	| ('pick' | 'pickTools' | 'system' | 'instructions' | 'setting');

/** Creates the handlers of messages about turns, replies and the chat's target. */
export function createReplyHandlers(parts: HandlerParts): MessageHandlers<ReplyMessage> {
	const { connections, targets, replies } = parts;
	return {
		send: (panel, { text }) => sendMessage(parts, panel, text),
		stop: ({ chat }) => replies.stop(chat),
		retry: ({ chat }, { turn }) => replies.retryReply(chat, turn),
		summarize: async ({ chat }) => void (await summarizeOlderTurns(parts, chat)),
		undoSummary: ({ chat }, { turn }) => {
			const summarized = chat.getTurn(turn);
			if (summarized) {
				chat.setSummary(summarized, undefined);
			}
		},
		retryWith: async (panel, { turn }) => {
			const target = await panel.returnFocus(pickReplyTarget(panel.chat, connections, targets));
			if (target) {
				replies.retryReply(panel.chat, turn, target);
			}
		},
		retryNow: ({ chat }) => replies.retryNow(chat),
		continue: ({ chat }, { turn }) => replies.continueReply(chat, turn),
		edit: ({ chat }, { turn, text }) => replies.editMessage(chat, turn, text),
		branch: ({ chat }, { turn, offset }) => chat.selectSibling(turn, offset),
		toolResult: ({ chat }, { turn, results }) => replies.sendToolResults(chat, turn, results),
		toolDecision: ({ chat }, { turn, index, decision }) => replies.decideToolCall(chat, turn, index, decision),
		inspectRun: async ({ chat }, { turn }) => {
			const run = getRunOfReply(chat.getTurn(turn), connections, vscode.l10n);
			if (run) {
				await vscode.commands.executeCommand('agentWorkbench.run.inspect' satisfies CommandId, run);
			}
		},
		tryPrompt: async ({ chat }, { turn }) => {
			const prompt = createChatPrompt(chat.transcript, turn, connections.list());
			await vscode.commands.executeCommand('agentWorkbench.prompt.open' satisfies CommandId, prompt);
		},
		problemAction: (panel, message) => fixProblem(parts, panel, message),
		pick: (panel, { what }) => pickTarget(parts, panel, what),
		pickTools: panel => panel.returnFocus(pickTools(panel.chat, connections, targets)),
		system: ({ chat }, { text }) => chat.updateFields({ system: text }),
		instructions: (_panel, { on }) => parts.instructions.setOn(on),
		setting: ({ chat }, { name, value }) => changeSetting(chat, name, value),
	};
}

/** Sends a message, or does what its command says. If it can't be sent, or another message was sent first, returns it to the page. */
async function sendMessage(parts: HandlerParts, panel: ChatPanel, text: string): Promise<void> {
	const { panels, chats, replies, context, slashCommands } = parts;
	const { chat } = panel;
	try {
		const expanding = slashCommands.expand(chat, text);
		// a prompt file can ask for inputs
		const expanded = await (text.startsWith('/') ? panel.returnFocus(expanding) : expanding);
		if (expanded === 'clear') {
			return await panels.showChat(panel, chats.createChat(chat.transcript));
		}
		await context.refreshAttachments(chat);
		const refusal = await replies.checkAttachments(chat);
		if (refusal) {
			throw new Problem('attachment', refusal);
		}
		if (replies.isRunning(chat)) {
			throw new Problem('busy', vscode.l10n.t("Your message wasn't sent because a reply is being received."));
		}
		replies.send(chat, expanded?.text ?? text);
	} catch (error) {
		panel.post({ type: 'refused', chatId: chat.transcript.id, text, refusal: getErrorMessage(error) });
	}
}

/** Summarizes older messages with a notification that can cancel. Returns true if they were summarized. */
async function summarizeOlderTurns({ replies }: HandlerParts, chat: Chat): Promise<boolean> {
	return vscode.window.withProgress(
		{ location: vscode.ProgressLocation.Notification, title: vscode.l10n.t('Summarizing older messages…'), cancellable: true },
		async (_progress, token) => {
			const abort = new AbortController();
			token.onCancellationRequested(() => abort.abort());
			try {
				await replies.summarizeOlderTurns(chat, abort.signal);
				return true;
			} catch (error) {
				if (abort.signal.aborted) {
					return false;
				}
				throw error;
			}
		},
	);
}

async function pickTarget(
	{ connections, targets, replies }: HandlerParts,
	panel: ChatPanel,
	what: MessageOf<'pick'>['what'],
): Promise<void> {
	const { chat } = panel;
	await panel.returnFocus(what === 'endpoint' ? pickEndpoint(chat, targets) : pickModel(chat, connections, targets));
	const last = chat.getTurn(chat.transcript.leaf ?? '');
	if (last?.reply?.problem?.reason === 'model-missing' && chat.transcript.models[chat.transcript.endpoint]) {
		// the last message failed only because no model was picked, so retry it
		replies.retryReply(chat, last.id);
	}
}

function changeSetting(chat: Chat, name: string, value: unknown): void {
	const { endpoint, settings } = chat.transcript;
	const { [name]: _, ...others } = { ...settings[endpoint] };
	const empty = value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
	chat.updateFields({ settings: { ...settings, [endpoint]: empty ? others : { ...others, [name]: value } } });
}

async function fixProblem(parts: HandlerParts, panel: ChatPanel, { turn, action }: MessageOf<'problemAction'>): Promise<void> {
	const { chat } = panel;
	const { panels, targets, chats, replies, log } = parts;
	switch (action) {
		case 'retry':
			return replies.retryReply(chat, turn);
		case 'pickModel':
		case 'pickConnection':
			return pickTarget(parts, panel, 'model');
		case 'openSettings':
			return panel.post({ type: 'openSettings' });
		case 'newConversation':
			return replies.startConversation(chat, turn);
		case 'summarize':
			return (await summarizeOlderTurns(parts, chat)) ? replies.retryReply(chat, turn) : undefined;
		case 'newChat':
			return panels.showChat(panel, chats.createChat(chat.transcript));
		case 'showLog':
			return log.show(true);
		case 'setKey':
		case 'replaceKey': {
			const { id } = targets.getConnection(chat.transcript);
			const command = id === builtInId ? 'agentWorkbench.gateway.setUpstreamKey' : 'agentWorkbench.connection.setKey';
			await vscode.commands.executeCommand(command satisfies CommandId, id);
		}
	}
}
