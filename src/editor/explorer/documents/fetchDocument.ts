import { getErrorReason } from '#base/problems.ts';
import type { ServiceClient } from '#client/client.ts';
import type { Connection, Connections } from '../../connections/connectionTypes.ts';
import type { DocumentTarget } from './documentUri.ts';
import { formatJson, type PrettyText, parseJsonStrings } from './prettyJson.ts';

/** Maximum number of messages in the document of a conversation. */
const mostMessages = 200;

/** Fetches the content of a document. Rejects with the client's errors. */
export async function fetchDocument(connections: Connections, target: DocumentTarget): Promise<PrettyText> {
	const client = await connections.getClient(target.connectionId, { ask: false });
	if (target.kind === 'run') {
		const run = await client.getRun(target.id, { model: target.agent });
		return formatJson(parseJsonStrings(run, ['inputs', 'outputs']), target.full);
	}
	return formatJson(await fetchConversation(client, target, connections.get(target.connectionId)), target.full);
}

/** Fetches a conversation, with its messages if the service provides them (beyond the contract). */
async function fetchConversation(
	client: ServiceClient,
	{ id, agent }: DocumentTarget,
	connection: Connection | undefined,
): Promise<unknown> {
	const owner = { model: agent, user: connection?.user ?? '' };
	let found: unknown;
	for await (const each of client.iterateConversations({ ...owner, limit: 100 })) {
		if (each.id === id) {
			found = each;
			break;
		}
	}
	const messages: unknown[] = [];
	try {
		for await (const message of client.iterateChatMessages({ ...owner, conversation_id: id })) {
			messages.unshift(message);
			if (messages.length === mostMessages) {
				break;
			}
		}
	} catch (error) {
		if (found === undefined || (getErrorReason(error) !== 'not-found' && getErrorReason(error) !== 'invalid-request')) {
			throw error;
		}
		return { conversation: found };
	}
	return { conversation: found ?? { id }, messages };
}
