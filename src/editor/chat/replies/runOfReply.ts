import { Problem } from '#base/problems.ts';
import type { Localization } from '#base/text/localization.ts';
import type { Turn } from '#pages/chat/transcript/transcript.ts';
import type { ServiceRunReference } from '#runs/serviceRun.ts';
import type { Connections } from '../../connections/connectionTypes.ts';

/** The run that an agent's reply came of; `undefined` for a reply of a model. Rejects where the connection that it came from is gone. */
export function runOfReply(
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
		throw new Problem('unknown-connection', words.t('The connection “{0}”, which this reply came from, is gone.', name));
	}
	return { connectionId: connection.id, agentName, runId };
}
