import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { Problem, reasonOf } from '#base/problems.ts';
import type { ChatMessage } from '#contract/chat.ts';
import { createTranscript, type Transcript } from '#pages/chat/transcript/transcript.ts';
import type { Connections } from '../../connections/connectionTypes.ts';
import type { ConversationReference } from '../../explorer/conversations/conversationTypes.ts';
import { convertMessages } from './conversationTurns.ts';

/** Most messages of a conversation that are taken over. */
const mostMessages = 500;
/** Most conversations that a list offers. */
const mostConversations = 50;

/** The conversations that an agent's service keeps for this connection's user, last changed first. Empty where it keeps none. */
export async function listServiceConversations(
	connections: Connections,
	connectionId: string,
	agent: string,
): Promise<ConversationReference[]> {
	const connection = connections.get(connectionId);
	if (!connection || !agent) {
		return [];
	}
	const client = await connections.client(connectionId, { ask: false });
	const { data } = await client.listConversations({ model: agent, user: connection.user, limit: mostConversations });
	return data.map(({ id, name }) => ({ connectionId, agentName: agent, conversationId: id, name }));
}

/** A conversation of the service as a chat that goes on with it. Rejects where the service does not tell its messages. */
export async function fetchConversation(connections: Connections, reference: ConversationReference): Promise<Transcript> {
	const { connectionId, agentName, conversationId, name } = reference;
	const connection = connections.get(connectionId);
	const client = await connections.client(connectionId);
	const messages: ChatMessage[] = [];
	try {
		for await (const message of client.allChatMessages({
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
		if (reasonOf(error) === 'not-found') {
			throw new Problem(
				'not-found',
				vscode.l10n.t('The service does not tell the messages of the conversation "{0}", so it cannot go on here.', name),
			);
		}
		throw connections.problem(connectionId, error);
	}
	const turns = convertMessages(messages, connection?.name ?? connectionId, agentName);
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
