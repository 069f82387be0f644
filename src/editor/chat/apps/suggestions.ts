import { cutText } from '#base/text/cutText.ts';
import type { AppFeatures } from '#client/appFeatures.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { ReplyOfApp } from './appOfReply.ts';

/** Most questions that are offered, and most characters of one. */
const mostQuestions = 8;
const longestQuestion = 300;

/** Asks for the questions that could come after a reply, and keeps them with it. What is switched off, or fails, offers none. */
export async function suggest(chat: Chat, { turn, reply, user }: ReplyOfApp, app: AppFeatures): Promise<void> {
	const questions = await app.suggestedQuestions(reply.messageId, { user }).catch(() => []);
	const suggested = [...new Set(questions.map(question => cutText(question.trim(), longestQuestion)))]
		.filter(Boolean)
		.slice(0, mostQuestions);
	if (suggested.length > 0 && turn.reply?.status === 'done') {
		chat.setReply(turn, { ...turn.reply, suggested });
	}
}
