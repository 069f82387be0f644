import type { ConversationReference } from './conversationTypes.ts';

/**
 * The conversations that a command is about: those among what is selected in the tree, where the one that it was called on belongs to the
 * selection; else that one. A selection can hold nodes of any kind.
 */
export function meantConversations(node: unknown, selected: unknown): ConversationReference[] {
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
