import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { isReplyFrom } from '#pages/chat/transcript/replyOrigin.ts';
import type { ReplyFacts, Turn } from '#pages/chat/transcript/transcript.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { Chat } from '../transcripts/chat.ts';

/** A Dify app's reply, with everything that its service needs to identify it. */
export interface ReplyOfApp {
	readonly turn: Turn;
	readonly reply: ReplyFacts & { readonly messageId: string };
	readonly connection: Connection;
	readonly user: string;
}

/** Returns the reply of a turn, or `undefined` if it isn't from a Dify app. Throws a {@link Problem} if its connection was removed. */
export function findAppReply(chat: Chat, turnId: string, connections: Connections, words: Localization): ReplyOfApp | undefined {
	const turn = chat.getTurn(turnId);
	const { reply } = turn ?? {};
	if (!turn || reply?.messageId === undefined) {
		return undefined;
	}
	const connection = connections.list().find(each => isReplyFrom(reply, each));
	if (!connection) {
		throw new Problem('unknown-connection', words.t("Connection '{0}' of this reply no longer exists.", reply.connection));
	}
	const { messageId } = reply;
	return connection.kind === 'dify'
		? { turn, reply: { ...reply, messageId }, connection, user: chat.transcript.user || connection.user }
		: undefined;
}
