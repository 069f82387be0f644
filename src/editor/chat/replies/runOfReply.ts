import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** Returns the run of an agent's reply, or `undefined` for a model's reply. Throws a {@link Problem} if its connection was removed. */
export function getRunOfReply(
	turn: Pick<Turn, 'reply'> | undefined,
	connections: Connections,
	words: Localization,
): ServiceRunReference | undefined {
	const { connection: name, model: agentName, runId } = turn?.reply ?? {};
	if (name === undefined || agentName === undefined || runId === undefined) {
		return undefined;
	}
	const connection = connections.list().find(each => each.name === name);
	if (!connection) {
		throw new Problem('unknown-connection', words.t("Connection '{0}' of this reply no longer exists.", name));
	}
	return { connectionId: connection.id, agentName, runId };
}
