import type { Conversation } from '#contract/conversations.ts';

/** Identifies a conversation. Used as the argument of commands on conversations. */
export interface ConversationReference {
	readonly connectionId: string;
	readonly agentName: string;
	readonly conversationId: string;
	readonly name: string;
}

/** A change of a conversation that this editor made. If `conversation` is undefined, the conversation was deleted. */
export interface ConversationChange {
	readonly of: ConversationReference;
	readonly conversation: Conversation | undefined;
}
