import type { LogOutputChannel } from 'vscode';
import type { FromPanel } from '#pages/chat/panel/panelMessages.ts';
import type { Handlers } from '#pages/shared/handlers.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { AppActions } from '../apps/appActions.ts';
import type { DocumentTexts } from '../attachments/documentTexts.ts';
import type { CodeProposals } from '../code/codeProposals.ts';
import type { MessageContext } from '../context/messageContext.ts';
import type { LastEditor } from '../lastEditor.ts';
import type { AgentInstructions } from '../prompts/agentInstructions.ts';
import type { SlashCommands } from '../prompts/slashCommands.ts';
import type { Replies } from '../replies/replies.ts';
import type { Targets } from '../targets.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { Chats } from '../transcripts/chats.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { Openings } from './openings.ts';

/** Messages from a page after it has started. */
export type PanelMessage = Exclude<FromPanel, { type: 'ready' | 'resync' }>;

export type MessageOf<Type extends PanelMessage['type']> = Extract<PanelMessage, { type: Type }>;

/** Handlers by message type. The panel shows their errors. */
export type MessageHandlers<Type extends PanelMessage['type'] = PanelMessage['type']> = Handlers<MessageOf<Type>, [panel: ChatPanel]>;

/** The panels of this window. */
export interface ChatPanels {
	/** Makes commands apply to this panel. */
	activatePanel(panel: ChatPanel): void;
	/** Shows another chat in a panel. */
	showChat(panel: ChatPanel, chat: Chat): Promise<void>;
}

/** Dependencies of the message handlers. */
export interface HandlerParts {
	readonly panels: ChatPanels;
	readonly connections: Connections;
	readonly targets: Targets;
	readonly chats: Chats;
	readonly replies: Replies;
	readonly apps: AppActions;
	readonly openings: Openings;
	readonly documents: DocumentTexts;
	readonly context: MessageContext;
	readonly slashCommands: SlashCommands;
	readonly instructions: AgentInstructions;
	readonly proposals: CodeProposals;
	readonly editors: LastEditor;
	readonly log: LogOutputChannel;
}
