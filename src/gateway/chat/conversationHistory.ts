import type { ChatContext } from '#engine/run/engineTypes.ts';
import type { ConversationRow, ConversationStore } from '../store/conversationStore.ts';

/** Turns that an agent is told of. */
const rememberedTurns = 200;

/** What the next turn of a conversation knows of those before. */
export function historyOf(
	store: ConversationStore,
	conversation: ConversationRow,
): Pick<ChatContext, 'conversationId' | 'dialogueCount' | 'history'> {
	const isNew = conversation.seq === 0;
	const turns = isNew ? [] : store.messages(conversation.seq, undefined, rememberedTurns).toReversed();
	return {
		conversationId: conversation.id,
		dialogueCount: 1 + (isNew ? 0 : store.messageCount(conversation.seq)),
		history: turns
			.filter(turn => turn.answer !== '')
			.flatMap(turn => [
				{ role: 'user', text: turn.query },
				{ role: 'assistant', text: turn.answer },
			]),
	};
}

/** What the first turn here knows of those that its caller keeps, oldest first. */
export function historyGiven(turns: ChatContext['history']): Pick<ChatContext, 'dialogueCount' | 'history'> {
	return { dialogueCount: 1 + turns.filter(({ role }) => role === 'user').length, history: turns.slice(-2 * rememberedTurns) };
}
