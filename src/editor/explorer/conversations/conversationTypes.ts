import type { Conversation } from '#contract/conversations.ts';

/** Identifies a conversation; the argument of the commands on conversations. */
export interface ConversationReference {
	readonly connectionId: string;
	readonly agentName: string;
	readonly conversationId: string;
	readonly name: string;
}

/** A change of a conversation made in this editor; without `conversation` it was deleted. */
export interface ConversationChange {
	readonly of: ConversationReference;
	readonly conversation: Conversation | undefined;
}
