import { cutText } from '#base/text/cutText.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { ReplyOfApp } from './appOfReply.ts';

/** Maximum number of suggested questions, and maximum number of characters in each. */
const mostQuestions = 8;
const longestQuestion = 300;

/** Fetches suggested questions and stores them with the reply. Does nothing if the app has turned them off or the request fails. */
export async function storeSuggestions(chat: Chat, { turn, reply, user }: ReplyOfApp, app: AppFeatures): Promise<void> {
	const questions = await app.getSuggestedQuestions(reply.messageId, { user }).catch(() => []);
	const suggested = [...new Set(questions.map(question => cutText(question.trim(), longestQuestion)))]
		.filter(Boolean)
		.slice(0, mostQuestions);
	if (suggested.length > 0 && turn.reply?.status === 'done') {
		chat.setReply(turn, { ...turn.reply, suggested });
	}
}
