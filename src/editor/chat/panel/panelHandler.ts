import { getErrorMessage } from '#base/problems.ts';
import type { PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import { getHandler } from '#pages/shared/handlers.ts';
import type { Chat } from '../transcripts/chat.ts';
import { createAppHandlers } from './appHandlers.ts';
import { createAttachmentHandlers } from './attachmentHandlers.ts';
import type { ChatPanel, PanelOwner } from './chatPanel.ts';
import { createFormHandlers } from './formHandlers.ts';
import type { HandlerParts, MessageHandlers, PanelMessage } from './messageHandlers.ts';
import { PanelHeads } from './panelHeads.ts';
import { createReplyHandlers } from './replyHandlers.ts';
import type { TokenGauge } from './tokenGauge.ts';

interface PanelHandlerParts extends HandlerParts {
	readonly gauge: TokenGauge;
}

/** Provides the content of the panels' pages and handles their messages. */
export class PanelHandler implements PanelOwner {
	readonly #parts: PanelHandlerParts;
	readonly #heads: PanelHeads;
	readonly #handlers: MessageHandlers;

	constructor(parts: PanelHandlerParts) {
		this.#parts = parts;
		this.#heads = new PanelHeads(parts);
		this.#handlers = {
			...createReplyHandlers(parts),
			...createAttachmentHandlers(parts),
			...createFormHandlers(parts),
			...createAppHandlers(parts.apps),
		};
	}

	getHead(chat: Chat): PanelHead {
		return this.#heads.getHead(chat);
	}

	getSnapshot(chat: Chat) {
		return this.#heads.getSnapshot(chat);
	}

	/**
	 * Handles a message from a panel's page. Keeps the chat in memory meanwhile, because the panel may show another one before the message is
	 * handled. Never rejects: errors are logged and shown in the panel.
	 */
	async handleMessage(panel: ChatPanel, message: PanelMessage): Promise<void> {
		const { panels, chats, log } = this.#parts;
		const { chat } = panel;
		panels.activatePanel(panel);
		try {
			await chats.holdChat(chat.transcript.id);
			try {
				await getHandler<PanelMessage, [ChatPanel]>(this.#handlers, message)(panel, message);
			} finally {
				await chats.releaseChat(chat);
			}
		} catch (error) {
			log.error(`Chat, ${message.type}: ${getErrorMessage(error)}`);
			panel.post({ type: 'notice', text: getErrorMessage(error) });
		}
	}
}
