import { type ChatMessage, type ChatMessagePage, chatMessagesQuerySchema, chatRequestSchema } from '../../protocol/chat.ts';
import { stopRequestSchema } from '../../protocol/workflows.ts';
import { ChatTurn } from '../chat/chatTurn.ts';
import { EventStream } from '../server/eventStream.ts';
import type { Route } from '../server/route.ts';
import { ServiceFault } from '../server/serviceFault.ts';
import type { MessageRow } from '../store/conversationStore.ts';
import { seconds } from './runViews.ts';
import type { WorkflowRouteParts } from './workflows.ts';

/** Chat with an agent and its messages: Dify's shape and the contract's `model` (beyond the contract). */
export function chatRoutes({ agents, runs, store }: WorkflowRouteParts): readonly Route[] {
	const { conversations } = store;
	return [
		{
			method: 'POST',
			path: '/v1/agent/chat-messages',
			group: 'agent',
			async handle(exchange) {
				const body = await exchange.json(chatRequestSchema);
				const start = await ChatTurn.prepare(conversations, runs, await agents.published(body.model), body);
				if (body.response_mode === 'streaming') {
					const stream = new EventStream(exchange);
					try {
						const { reply } = await start(json => stream.send(json));
						await reply.catch(() => {});
						stream.end();
					} catch (error) {
						stream.fail(error);
						throw error;
					}
					return;
				}
				const { turn, run, reply } = await start();
				const { answer, metadata } = await reply;
				exchange.sendJson(200, {
					event: 'message',
					task_id: run.taskId,
					id: turn.messageId,
					message_id: turn.messageId,
					conversation_id: turn.conversation.id,
					mode: 'advanced-chat',
					answer,
					metadata,
					created_at: seconds(turn.createdAt),
				});
			},
		},
		{
			method: 'POST',
			path: '/v1/agent/chat-messages/{task}/stop',
			group: 'agent',
			async handle(exchange) {
				const { model, user } = await exchange.json(stopRequestSchema);
				const agent = await agents.known(model);
				runs.stop(agent.id, exchange.params['task'] ?? '', user);
				exchange.sendJson(200, { result: 'success' });
			},
		},
		{
			method: 'GET',
			path: '/v1/agent/messages',
			group: 'agent',
			async handle(exchange) {
				const { model, user, conversation_id: id, first_id: firstId, limit } = exchange.checkedQuery(chatMessagesQuerySchema);
				const agent = await agents.known(model);
				const conversation = conversations.get(agent.id, user, id);
				if (!conversation) {
					throw new ServiceFault(404, 'Conversation Not Exists.');
				}
				const first = firstId === undefined ? undefined : conversations.message(conversation.seq, firstId);
				if (firstId !== undefined && !first) {
					throw new ServiceFault(404, 'First Message Not Exists.');
				}
				const rows = conversations.messages(conversation.seq, first?.seq, limit + 1);
				const data = rows
					.slice(0, limit)
					.map(row => messageOf(id, row))
					.reverse();
				exchange.sendJson(200, { limit, has_more: rows.length > limit, data } satisfies ChatMessagePage);
			},
		},
	];
}

function messageOf(conversation: string, row: MessageRow): ChatMessage {
	return {
		id: row.id,
		conversation_id: conversation,
		inputs: JSON.parse(row.inputs) as Record<string, unknown>,
		query: row.query,
		answer: row.answer,
		message_files: JSON.parse(row.files) as unknown[],
		feedback: null,
		retriever_resources: [],
		agent_thoughts: [],
		status: row.status === 'running' ? 'normal' : row.status,
		error: row.error,
		workflow_run_id: row.run_id,
		created_at: seconds(row.created_at),
	};
}
