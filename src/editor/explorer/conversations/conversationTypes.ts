import type { Conversation } from '#contract/conversations.ts';

/** Names a conversation: what a tree node, or any other caller, hands to a command. */
export interface ConversationReference {
	readonly connectionId: string;
	readonly agentName: string;
	readonly conversationId: string;
	readonly name: string;
}

/** A conversation that was changed from this editor; without `conversation` it was deleted. */
export interface ConversationChange {
	readonly of: ConversationReference;
	readonly conversation: Conversation | undefined;
}
