import { getItems, toFields } from '#base/records/plainValues.ts';
import type { ChatMessage, ChatMessagePage } from '#contract/chat.ts';
import { endpoints } from '#contract/endpoints/endpoints.ts';
import { ServiceFault } from '#contract/faults/serviceFault.ts';
import { ChatTurn } from '../chat/chatTurn.ts';
import { createRoute, type Route } from '../server/route.ts';
import type { MessageRow } from '../store/conversationStore.ts';
import { toUnixSeconds } from './runViews.ts';
import { createStopRoute } from './stopRoute.ts';
import { sendStreamedReply } from './streamedReply.ts';
import type { WorkflowRouteParts } from './workflows.ts';

/** Routes for chatting with an agent and for its messages, in Dify's format with the contract's `model` (not in the contract). */
export function createChatRoutes({ agents, runs, recordings, store }: Omit<WorkflowRouteParts, 'replay'>): readonly Route[] {
	const { conversations } = store;
	return [
		createRoute(endpoints.createChatMessage, async exchange => {
			const body = await exchange.readJson(endpoints.createChatMessage.body);
			const isReplay = recordings.isReplay(body.recording);
			const target = await (body.draft
				? agents.getDraft(body.model, body.source, isReplay)
				: agents.getPublishedVersion(body.model, isReplay));
			using prepared = await ChatTurn.prepareTurn(conversations, runs, target, body);
			if (body.response_mode === 'streaming') {
				await sendStreamedReply(exchange, prepared.ids, send => prepared.start(send));
				return;
			}
			const { turn, run, reply } = await prepared.start();
			const { answer, metadata, data } = await reply;
			const message = {
				id: turn.messageId,
				message_id: turn.messageId,
				conversation_id: turn.conversation.id,
				mode: target.agent.mode,
				answer,
				metadata,
				created_at: toUnixSeconds(turn.createdAt),
			};
			exchange.sendJson(
				200,
				data.status === 'paused'
					? { event: 'workflow_paused', task_id: run.taskId, workflow_run_id: run.id, ...message, data: { ...data, ...message } }
					: { event: 'message', task_id: run.taskId, ...message },
			);
		}),
		createStopRoute(endpoints.stopChatMessage, { agents, runs }),
		createRoute(endpoints.listChatMessages, async exchange => {
			const { model, user, conversation_id: id, first_id: firstId, limit } = exchange.readQuery(endpoints.listChatMessages.query);
			const agent = await agents.getAgentRow(model);
			const conversation = conversations.get(agent.id, user, id);
			if (!conversation) {
				throw new ServiceFault(404, 'Conversation Not Exists.');
			}
			const first = firstId === undefined ? undefined : conversations.getMessage(conversation.seq, firstId);
			if (firstId !== undefined && !first) {
				throw new ServiceFault(404, 'First Message Not Exists.');
			}
			const { rows, more } = conversations.listMessages(conversation.seq, first?.seq, limit);
			const data = rows.map(row => toChatMessage(id, row)).reverse();
			exchange.sendJson(200, { limit, has_more: more, data } satisfies ChatMessagePage);
		}),
	];
}

function toChatMessage(conversation: string, row: MessageRow): ChatMessage {
	const metadata: unknown = JSON.parse(row.metadata ?? '{}');
	return {
		id: row.id,
		conversation_id: conversation,
		inputs: JSON.parse(row.inputs) as Record<string, unknown>,
		query: row.query,
		answer: row.answer,
		message_files: JSON.parse(row.files) as unknown[],
		feedback: null,
		retriever_resources: getItems(metadata, 'retriever_resources'),
		agent_thoughts: getItems(metadata, 'agent_thoughts').map((thought): unknown => ({
			...toFields(thought),
			message_id: row.id,
			files: [],
		})),
		status: row.status === 'running' ? 'normal' : row.status,
		error: row.error,
		workflow_run_id: row.run_id,
		created_at: toUnixSeconds(row.created_at),
	};
}
