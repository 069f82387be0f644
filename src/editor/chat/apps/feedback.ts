import type { AppFeatures } from '#client/appFeatures.ts';
import type { Rating } from '#contract/dify/appFeatures.ts';
import type { Feedback, Turn } from '#pages/chat/transcript/transcript.ts';
import type { Chat } from '../transcripts/chat.ts';
import type { ReplyOfApp } from './appOfReply.ts';

/** Sends users' ratings to services. A rating shows immediately and is reverted if the service refuses it. */
export class FeedbackSender {
	/** The last request of each chat, so that ratings are sent in order. */
	readonly #sending = new WeakMap<Chat, Promise<unknown>>();

	/** Sends a rating, or removes it if `rating` is `null`. Rejects with the client's errors. */
	sendRating(
		chat: Chat,
		{ turn, reply, user }: ReplyOfApp,
		app: Promise<AppFeatures>,
		rating: Rating | null,
		comment?: string,
	): Promise<void> {
		const before = turn.reply?.feedback;
		const now: Feedback | undefined = rating === null ? undefined : { rating, ...(comment && { comment }) };
		setFeedback(chat, turn, now);
		const sent = (this.#sending.get(chat) ?? Promise.resolve()).then(async () =>
			(await app).rateMessage(reply.messageId, { user, rating, ...(comment && { content: comment }) }),
		);
		this.#sending.set(
			chat,
			sent.catch(() => {}),
		);
		return sent.catch(error => {
			// revert, unless the user has changed the rating in the meantime
			if (turn.reply?.feedback === now) {
				setFeedback(chat, turn, before);
			}
			throw error;
		});
	}
}

function setFeedback(chat: Chat, turn: Turn, feedback: Feedback | undefined): void {
	if (turn.reply) {
		const { feedback: _, ...reply } = turn.reply;
		chat.setReply(turn, { ...reply, ...(feedback && { feedback }) });
	}
}
