import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { ReplyFacts, Turn } from '#pages/chat/transcript/transcript.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { Chat } from '../transcripts/chat.ts';

/** A reply of an app of Dify, and how its service is told of it. */
export interface ReplyOfApp {
	readonly turn: Turn;
	readonly reply: ReplyFacts & { readonly messageId: string };
	readonly connection: Connection;
	readonly user: string;
}

/** The reply of a turn, where it came from an app of Dify. Rejects where its connection is gone; `undefined` for replies of others. */
export function replyOfApp(chat: Chat, turnId: string, connections: Connections, words: Localization): ReplyOfApp | undefined {
	const turn = chat.turn(turnId);
	const { reply } = turn ?? {};
	if (!turn || reply?.messageId === undefined) {
		return undefined;
	}
	const connection = connections.list().find(({ name }) => name === reply.connection);
	if (!connection) {
		throw new Problem('unknown-connection', words.t('The connection “{0}”, which this reply came from, is gone.', reply.connection));
	}
	const { messageId } = reply;
	return connection.kind === 'dify'
		? { turn, reply: { ...reply, messageId }, connection, user: chat.transcript.user || connection.user }
		: undefined;
}
