import { messageOf } from '#base/problems.ts';
import type { PanelHead } from '#pages/chat/panel/panelProtocol.ts';
import { getHandler } from '#pages/shared/handlers.ts';
import type { Chat } from '../transcripts/chat.ts';
import { appHandlers } from './appHandlers.ts';
import { attachmentHandlers } from './attachmentHandlers.ts';
import type { ChatPanel, PanelOwner } from './chatPanel.ts';
import { formHandlers } from './formHandlers.ts';
import type { HandlerParts, MessageHandlers, PanelMessage } from './messageHandlers.ts';
import { PanelHeads } from './panelHeads.ts';
import { replyHandlers } from './replyHandlers.ts';
import type { TokenGauge } from './tokenGauge.ts';

interface PanelHandlerParts extends HandlerParts {
	readonly gauge: TokenGauge;
}

/** Gives the pages of panels what they show and does what they ask for. */
export class PanelHandler implements PanelOwner {
	readonly #parts: PanelHandlerParts;
	readonly #heads: PanelHeads;
	readonly #handlers: MessageHandlers;

	constructor(parts: PanelHandlerParts) {
		this.#parts = parts;
		this.#heads = new PanelHeads(parts);
		this.#handlers = { ...replyHandlers(parts), ...attachmentHandlers(parts), ...formHandlers(parts), ...appHandlers(parts.apps) };
	}

	head(chat: Chat): PanelHead {
		return this.#heads.head(chat);
	}

	snapshot(chat: Chat) {
		return this.#heads.snapshot(chat);
	}

	/** Never rejects: an error is logged and shown in the panel. */
	async handle(panel: ChatPanel, message: PanelMessage): Promise<void> {
		const { panels, log } = this.#parts;
		panels.activate(panel);
		try {
			await getHandler<PanelMessage, [ChatPanel]>(this.#handlers, message)(panel, message);
		} catch (error) {
			log.error(`Chat, ${message.type}: ${messageOf(error)}`);
			panel.post({ type: 'notice', text: messageOf(error) });
		}
	}
}
