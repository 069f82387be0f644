import type { ConversationReference } from './conversationTypes.ts';

/**
 * Returns the conversations that a command applies to: all selected conversations if `node` is one of them, otherwise only `node`. A
 * selection can contain nodes of any kind.
 */
export function getTargetConversations(node: unknown, selected: unknown): ConversationReference[] {
	const all = Array.isArray(selected) && (node === undefined || selected.includes(node)) ? selected : [node];
	return all.filter(isConversation);
}

function isConversation(node: unknown): node is ConversationReference {
	return (
		typeof node === 'object' &&
		node !== null &&
		'conversationId' in node &&
		typeof node.conversationId === 'string' &&
		node.conversationId !== ''
	);
}
