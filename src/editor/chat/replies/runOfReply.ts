import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import { isReplyFrom } from '#pages/chat/transcript/replyOrigin.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** Returns the run of an agent's reply, or `undefined` for a model's reply. Throws a {@link Problem} if its connection was removed. */
export function getRunOfReply(
	turn: Pick<Turn, 'reply'> | undefined,
	connections: Connections,
	words: Localization,
): ServiceRunReference | undefined {
	const { reply } = turn ?? {};
	if (reply?.runId === undefined) {
		return undefined;
	}
	const connection = connections.list().find(each => isReplyFrom(reply, each));
	if (!connection) {
		throw new Problem('unknown-connection', words.t("Connection '{0}' of this reply no longer exists.", reply.connection));
	}
	return { connectionId: connection.id, agentName: reply.model, runId: reply.runId };
}
