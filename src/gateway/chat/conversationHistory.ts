import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { ConversationRow, ConversationStore } from '../store/conversationStore.ts';

/** Maximum number of previous turns passed to an agent. Fewer are passed if they are very long. */
const rememberedTurns = 200;

/** Returns the previous turns of a conversation for its next turn. */
export function getHistory(
	store: ConversationStore,
	conversation: ConversationRow,
): Pick<ChatContext, 'conversationId' | 'dialogueCount' | 'history'> {
	const isNew = conversation.seq === 0;
	const turns = isNew ? [] : store.listMessages(conversation.seq, undefined, rememberedTurns).rows.toReversed();
	return {
		conversationId: conversation.id,
		dialogueCount: 1 + (isNew ? 0 : store.countMessages(conversation.seq)),
		history: turns
			.filter(turn => turn.answer !== '')
			.flatMap(turn => [
				{ role: 'user', text: turn.query },
				{ role: 'assistant', text: turn.answer },
			]),
	};
}

/** Returns the context for a turn of a conversation whose previous turns are stored by the caller, oldest first. */
export function toHistory(turns: ChatContext['history']): Pick<ChatContext, 'dialogueCount' | 'history'> {
	return { dialogueCount: 1 + turns.filter(({ role }) => role === 'user').length, history: turns.slice(-2 * rememberedTurns) };
}
