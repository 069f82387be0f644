import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { getErrorReason, Problem } from '#base/problems.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { createTranscript, type Transcript } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { ConversationReference } from '../../explorer/conversations/conversationTypes.ts';
import { convertMessages } from './conversationTurns.ts';

/** Maximum number of messages imported from a conversation. */
const mostMessages = 500;
/** Maximum number of conversations in a list. */
const mostConversations = 50;

/** Lists the conversations that an agent's service stores for the connection's user, most recently changed first. */
export async function listServiceConversations(
	connections: Connections,
	connectionId: string,
	agent: string,
): Promise<ConversationReference[]> {
	const connection = connections.get(connectionId);
	if (!connection || !agent) {
		return [];
	}
	const client = await connections.getClient(connectionId, { ask: false });
	const { data } = await client.listConversations({ model: agent, user: connection.user, limit: mostConversations });
	return data.map(({ id, name }) => ({ connectionId, agentName: agent, conversationId: id, name }));
}

/** Fetches a conversation and converts it to a chat that continues it. Rejects if the service doesn't return its messages. */
export async function fetchConversation(connections: Connections, reference: ConversationReference): Promise<Transcript> {
	const { connectionId, agentName, conversationId, name } = reference;
	const connection = connections.get(connectionId);
	const client = await connections.getClient(connectionId);
	const messages: ChatMessage[] = [];
	try {
		for await (const message of client.iterateChatMessages({
			model: agentName,
			user: connection?.user ?? '',
			conversation_id: conversationId,
			limit: 100,
		})) {
			messages.push(message);
			if (messages.length === mostMessages) {
				break;
			}
		}
	} catch (error) {
		if (getErrorReason(error) === 'not-found') {
			throw new Problem(
				'not-found',
				vscode.l10n.t("Can't continue conversation '{0}' here because the service doesn't return its messages.", name),
			);
		}
		throw connections.toProblem(connectionId, error);
	}
	const turns = convertMessages(messages, connection?.name ?? connectionId, agentName, connectionId);
	return {
		...createTranscript(randomUUID()),
		title: name,
		named: true,
		connectionId,
		user: connection?.user ?? '',
		endpoint: 'agent',
		models: { agent: agentName },
		turns,
		leaf: turns.at(-1)?.id ?? null,
	};
}
